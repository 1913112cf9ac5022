package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/greedgraph/greed/dataset"
)

// ErrRewritten reports that no delta leads from a known state, because the collection was
// since compacted, given a new segment or another model. The caller must load the collection
// again.
var ErrRewritten = errors.New("the collection was renumbered")

// Known is a state of the collection that this process has loaded.
type Known struct {
	m      *manifest
	labels labels
}

// Generation counts the changes that led to the state.
func (k Known) Generation() uint64 { return k.m.Generation }

// Tag names the state: a change makes it another. So does compacting, though the
// records stay.
func (k Known) Tag() string { return k.m.tag() }

// Rules returns the rules by which its records were read, or nil if they are not known: of collections whose records
// came from a program.
func (k Known) Rules() *dataset.Rules { return k.m.Rules }

// Len returns the number of records.
func (k Known) Len() int { return k.m.Records }

// Slots returns the number of slots, empty ones included.
func (k Known) Slots() int { return k.m.Slots }

// SegmentSlots returns how many slots, from the first, are in the segment that [Store.WriteSegment] wrote.
func (k Known) SegmentSlots() int {
	if k.m.Segment == nil {
		return 0
	}
	return k.m.Segment.Slots
}

// Embeddings returns the embeddings, complete or not.
func (k Known) Embeddings() []Embedding { return slices.Clone(k.m.Embeddings) }

// Neighbourhoods describes the graph whose neighbourhoods the records are. It is nil if
// the records have graphs of their own.
func (k Known) Neighbourhoods() *Neighbourhoods { return k.m.Neighbourhoods }

// tag returns the tag of the state that the manifest describes.
func (m *manifest) tag() string {
	tag := fmt.Sprintf("%x-%x-%x", m.Slots, m.Removed, m.Sum)
	if m.Calibrations > 0 {
		tag += fmt.Sprintf("-%x", m.Calibrations)
	}
	return tag
}

// Delta holds the changes from a known state to a later one.
type Delta struct {
	Known
	Put     []dataset.Record // of the new slots, in order
	Drop    []int            // slots, old or new, that were emptied
	Engines []Engine         // of the later state, without vector indexes
	Held    Held             // the memory of their vectors
}

// Since returns the changes since a known state, or nil if there are none. The error is
// [ErrRewritten] if the collection must be loaded again.
func (s *Store) Since(ctx context.Context, k Known) (d *Delta, err error) {
	err = s.View(ctx, func(snap *Snapshot) error {
		if snap.m.Generation == k.m.Generation {
			return snap.stillThere()
		}
		if !k.m.leadsTo(snap.m) {
			return ErrRewritten
		}
		if snap.labels, err = k.labels.read(snap.tx, snap.m); err != nil {
			return err
		}
		d, err = snap.since(k)
		return err
	})
	return d, err
}

// stillThere returns an error if a file is shorter than before.
func (s *Snapshot) stillThere() error {
	for _, e := range s.m.serve() {
		if _, err := s.rowsFrom(e, e.Rows); err != nil {
			return err
		}
	}
	if e := s.m.Segment; e != nil {
		path := filepath.Join(s.store.dir, e.fileName())
		if info, err := os.Stat(path); err != nil || info.Size() != e.size() {
			return fmt.Errorf("%s: %w: it is not %d bytes long", path, ErrDamaged, e.size())
		}
	}
	return nil
}

// since returns the changes since a known state that leads to this one. Their labels
// continue the known ones.
func (s *Snapshot) since(k Known) (*Delta, error) {
	if err := s.stillThere(); err != nil {
		return nil, err
	}
	d := &Delta{Known: s.Known}
	list, err := s.copyFrom(context.Background(), k.m.Slots)
	if err != nil {
		return nil, err
	}
	rest, err := d.Known.tail(context.Background(), s.store.dir, k.m.Slots, list, s.decode)
	if err != nil {
		return nil, err
	}
	d.Put, d.Drop = rest.records, rest.empty
	for i := k.m.Removed; i < s.m.Removed; i++ {
		slot, err := s.removal(i)
		if err != nil {
			return nil, err
		}
		if slot < k.m.Slots { // otherwise it is one of the new slots
			d.Drop = append(d.Drop, slot)
		}
	}
	for _, e := range s.m.serve() {
		rows, err := s.rowsFrom(e, k.m.Slots)
		if err != nil {
			return nil, err
		}
		m, err := s.Model(e.Model) // it may have another calibration
		if err != nil {
			return nil, err
		}
		d.Engines = append(d.Engines, Engine{Task: e.Task, Model: m, Fingerprint: e.Model, Vectors: rows})
	}
	d.Held = s.held.take()
	return d, nil
}

// leadsTo reports whether a later state keeps the slots of this one and only adds to
// them.
func (m *manifest) leadsTo(later *manifest) bool {
	if m.Moves != later.Moves || m.Slots > later.Slots || m.Removed > later.Removed || m.Generation > later.Generation {
		return false
	}
	if (m.Segment == nil) != (later.Segment == nil) || m.Segment != nil && m.Segment.File != later.Segment.File {
		return false
	}
	return slices.EqualFunc(m.serve(), later.serve(), func(a, b Embedding) bool {
		return a.File == b.File &&
			a.Name == b.Name
	})
}
