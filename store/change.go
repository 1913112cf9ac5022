package store

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/dataset"
)

// Change is a set of deletions and puts that takes effect as a whole or not at all.
type Change struct {
	Delete []string // ids; unknown ones are ignored; deletions come before puts
	Put    []dataset.Record
	// New makes it an error, a [*DuplicateError], if an id in Put exists already or occurs
	// twice. Otherwise the later record replaces the earlier.
	New bool
	// If is the tag of the state that is to be changed, [Known.Tag]; "": any. In
	// another state nothing is changed and the error wraps [ErrChanged].
	If string
}

// Outcome says what a change did.
type Outcome struct{ Replaced, Deleted int }

// DuplicateError reports an id that should be new and exists. It wraps [ErrExists].
type DuplicateError struct {
	ID string
	// Slot is that of the record that has the id. Where nothing was ever deleted, that is
	// the number of the record, from 0. Records of the same change get the slots after the
	// existing ones.
	Slot int
	// Index is the number of the other record in the change, from 0.
	Index int
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("record %[2]d of the change has the id %[1]q of record %[3]d of the collection (both counted "+
		"from "+
		"1)", e.ID, e.Index+1, e.Slot+1)
}

// Unwrap returns [ErrExists].
func (*DuplicateError) Unwrap() error { return ErrExists }

// Put puts records. rows has, for each embedding by its name, the vectors of the records,
// [len(records), dim]. Graphs of another vocabulary are translated. Put returns how many
// records were replaced. The error wraps [ErrVectors] if the rows do not fit.
func (s *Store) Put(ctx context.Context, records []dataset.Record,
	rows map[string][]float32) (replaced int, err error) {
	return s.putRows(ctx, Change{Put: records}, rows)
}

// PutNew is [Store.Put] for records with new ids: an id that exists is a
// [*DuplicateError].
func (s *Store) PutNew(ctx context.Context, records []dataset.Record, rows map[string][]float32) error {
	_, err := s.putRows(ctx, Change{Put: records, New: true}, rows)
	return err
}

func (s *Store) putRows(ctx context.Context, c Change, rows map[string][]float32) (replaced int, err error) {
	var out Outcome
	err = s.update(ctx, func(snap *Snapshot) error {
		out, err = snap.change(c, rows)
		return err
	})
	if err != nil {
		return 0, err
	}
	return out.Replaced, nil
}

// Delete removes records by their ids and returns the ids that did not exist. [Store.Compact]
// gives their space back.
func (s *Store) Delete(ctx context.Context, ids []string) (absent []string, err error) {
	err = s.update(ctx, func(snap *Snapshot) error {
		for _, id := range ids {
			out, err := snap.change(Change{Delete: []string{id}}, nil)
			if err != nil {
				return err
			}
			if out.Deleted == 0 {
				absent = append(absent, id)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return absent, nil
}

// change applies c with the rows of its records.
func (s *Snapshot) change(c Change, rows map[string][]float32) (out Outcome, err error) {
	if s.m.Neighbourhoods != nil && len(c.Put) > 0 {
		return out, fmt.Errorf("%w: it holds the neighbourhoods of one graph, to which nothing can be added", ErrKind)
	}
	if c.If != "" && c.If != s.m.tag() {
		return out, fmt.Errorf("%s: %w", s.store.dir, ErrChanged)
	}
	for _, id := range c.Delete {
		found, err := s.remove(id)
		if err != nil {
			return out, err
		}
		if found {
			out.Deleted++
		}
	}
	if len(c.Put) == 0 {
		return out, nil
	}
	if err := s.checkDirection(c.Put); err != nil {
		return out, err
	}
	s.m.Rules = s.m.Rules.With(c.Put)
	out.Replaced, err = s.put(c.Put, noCentre, rows, c.New)
	return out, err
}
