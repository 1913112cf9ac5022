package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

// Snapshot is the collection at one moment. A change works on the snapshot of its own
// transaction.
type Snapshot struct {
	Known
	store   *Store
	tx      *bolt.Tx
	large   *graph.Graph // of a collection of neighbourhoods, once it was read
	held    Held         // memory that was handed out
	segment *heldSegment // of [Store.Hold]; nil: to be opened
	// made holds new vector files of a compaction, by number.
	made map[int]*vectorFile
	// dropped holds files that are removed once the change is on the disk.
	dropped []string
}

// snapshot returns the state of the collection that tx sees.
func (s *Store) snapshot(tx *bolt.Tx) (*Snapshot, error) {
	info, err := os.Stat(filepath.Join(s.dir, databaseFile))
	if err != nil {
		return nil, err
	}
	if info.Size() < tx.Size() {
		return nil, fmt.Errorf("%s: %w: %s has %d bytes, want %d at least", s.dir, ErrDamaged, databaseFile,
			info.Size(), tx.Size())
	}
	s.mu.Lock()
	known := s.labels
	s.mu.Unlock()
	snap, err := s.snapshotOf(tx, known)
	if err == nil {
		s.learn(snap.labels)
	}
	return snap, err
}

// snapshotOf returns the state that a database holds, which may be a copy of that of the
// collection. Its labels continue the known ones.
func (s *Store) snapshotOf(tx *bolt.Tx, known labels) (*Snapshot, error) {
	m, err := readManifest(tx)
	if err != nil {
		return nil, err
	}
	if known, err = known.read(tx, m); err != nil {
		return nil, err
	}
	return &Snapshot{Known: Known{m, known}, store: s, tx: tx}, nil
}

// learn stores labels that were read, or that a change entered.
func (s *Store) learn(l labels) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.vocab == s.labels.vocab || l.moves != s.labels.moves {
		s.labels = l
	}
}

// obsolete notes a file that the collection no longer needs after the change. Readers
// that have it mapped keep it as long as they need it.
func (s *Snapshot) obsolete(name string) {
	if name != "" {
		s.dropped = append(s.dropped, filepath.Join(s.store.dir, name))
	}
}

// Get returns the record with an id. The error wraps [ErrNotFound] if there is none.
// The graph is nil if the collection holds only foreign vectors.
func (s *Snapshot) Get(id string) (dataset.Record, error) {
	slot, have, err := s.slot(id)
	if err != nil {
		return dataset.Record{}, err
	}
	if !have {
		return dataset.Record{}, fmt.Errorf("graph %q: %w", id, ErrNotFound)
	}
	payload, _, err := get(s.tx, recordsBucket, slotKey(slot))
	if err != nil {
		return dataset.Record{}, err
	}
	rec, err := s.decode(payload)
	if err == nil && rec.ID != id {
		err = fmt.Errorf("%w: id %q leads to graph %q", ErrDamaged, id, rec.ID)
	}
	return rec, err
}

// Range calls visit for the records in slots from to to-1. It stops at the first error
// and returns it.
func (s *Snapshot) Range(from, to int, visit func(slot int, rec dataset.Record) error) error {
	for r, err := range s.stored(from) {
		if err == nil && r.slot >= to {
			return nil
		}
		var rec dataset.Record
		if err == nil {
			rec, err = s.decode(r.payload)
		}
		if err == nil {
			err = visit(r.slot, rec)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// At returns the record in a slot. The error wraps [ErrNotFound] if the slot is empty.
func (s *Snapshot) At(slot int) (dataset.Record, error) {
	payload, _, err := get(s.tx, recordsBucket, slotKey(slot))
	if err != nil {
		return dataset.Record{}, err
	}
	if payload == nil {
		return dataset.Record{}, fmt.Errorf("slot %d: %w", slot, ErrNotFound)
	}
	return s.decode(payload)
}

// Slot returns the slot of the record with an id. The error wraps [ErrNotFound] if
// there is none.
func (s *Snapshot) Slot(id string) (int, error) {
	if _, err := s.Get(id); err != nil {
		return 0, err
	}
	slot, _, err := s.slot(id)
	return slot, err
}

// Filled reports for every slot whether it holds a record.
func (s *Snapshot) Filled() ([]bool, error) {
	filled, n := make([]bool, s.m.Slots), 0
	c := s.tx.Bucket(recordsBucket).Cursor()
	for key, _ := c.First(); key != nil; key, _ = c.Next() {
		slot, err := slotOf(key)
		if err != nil {
			return nil, err
		}
		if slot >= s.m.Slots {
			return nil, s.miscounted()
		}
		filled[slot] = true
		n++
	}
	if n != s.m.Records {
		return nil, s.miscounted()
	}
	return filled, nil
}

// decode decodes a record. It extracts the graph if the record is a neighbourhood.
func (s *Snapshot) decode(payload []byte) (dataset.Record, error) {
	var large *graph.Graph
	if s.m.Neighbourhoods != nil {
		var err error
		if large, err = s.Whole(); err != nil {
			return dataset.Record{}, err
		}
	}
	return s.m.Neighbourhoods.decode(payload, s.labels, large)
}

// Vectors returns the rows of an embedding, [Embedding.Rows, dim] row-major, one for
// each slot, after verifying their checksums. They are mapped memory, valid until
// the snapshot ends, and must not be changed.
func (s *Snapshot) Vectors(name string) ([]float32, error) {
	e, err := s.m.named(name)
	if err != nil {
		return nil, err
	}
	return s.rowsFrom(*e, 0)
}

// rowsFrom returns the rows of an embedding. It verifies the checksums of
// those from a row on; the caller has the others from before.
func (s *Snapshot) rowsFrom(e Embedding, from int) ([]float32, error) {
	v, err := s.vectorFile(e)
	if err != nil {
		return nil, err
	}
	return v.rows(s.tx, from, e.Rows, &s.held)
}

// rowsUnverified is [Snapshot.rowsFrom] that leaves checksums to verify, which needs no
// transaction but the memory. Until it returns nil, the rows may be anything.
func (s *Snapshot) rowsUnverified(e Embedding) (rows []float32, verify func() error, err error) {
	v, err := s.vectorFile(e)
	if err != nil {
		return nil, nil, err
	}
	return v.rowsUnverified(s.tx, e.Rows, &s.held)
}

func (s *Snapshot) vectorFile(e Embedding) (*vectorFile, error) {
	if v := s.made[e.File]; v != nil {
		return v, nil
	}
	return s.store.openVectors(e)
}

// parsedModel is a model, and the checksum of the text of which it was parsed: a calibration changes it.
type parsedModel struct {
	model *model.Model
	sum   uint32
}

// Model returns the model with a fingerprint. It is parsed once for each calibration.
func (s *Snapshot) Model(fingerprint string) (*model.Model, error) {
	if fingerprint == "" {
		return nil, fmt.Errorf("%w: its vectors come from another program", ErrKind)
	}
	sum := sumOf(s.tx, modelsBucket, []byte(fingerprint))
	s.store.mu.Lock()
	known := s.store.models[fingerprint]
	s.store.mu.Unlock()
	if known.model != nil && known.sum == sum {
		return known.model, nil
	}
	m, err := s.readModel(fingerprint)
	if err != nil {
		return nil, err
	}
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	s.store.models[fingerprint] = parsedModel{m, sum}
	return m, nil
}

func (s *Snapshot) readModel(fingerprint string) (*model.Model, error) {
	text, _, err := get(s.tx, modelsBucket, []byte(fingerprint))
	if err != nil {
		return nil, err
	}
	if text == nil {
		return nil, fmt.Errorf("%w: no model %s", ErrDamaged, fingerprint)
	}
	m, err := model.Parse(bytes.Clone(text))
	if err != nil {
		return nil, fmt.Errorf("%s: model %s: %w", s.store.dir, fingerprint, err)
	}
	if m.Fingerprint() != fingerprint {
		return nil, fmt.Errorf("%s: %w: model %s is stored as %s", s.store.dir, ErrDamaged, m.Fingerprint(),
			fingerprint)
	}
	return m, nil
}
