package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/vectorindex"
)

// Engine is a model with its embeddings of the collection.
type Engine struct {
	Task        edit.Task
	Model       *model.Model
	Fingerprint string
	Vectors     []float32         // [slots, dim] row-major
	Settled     vectorindex.Index // over the first rows; nil if none was saved
}

// Contents holds what searches of a collection need, by slot.
type Contents struct {
	Known
	Vocabulary *graph.Vocabulary
	Shelf      *Shelf           // the settled slots; nil if there are none
	Records    []dataset.Record // of the slots after the shelf
	Empty      []int            // slots without a record; their graphs have no nodes
	Engines    []Engine         // those that serve, at most one for each task
	Held       Held             // the memory of the shelf and the vectors
}

// Load loads a collection. Settled records and all vectors are mapped and must not be
// changed; other records are read into memory. A collection without graphs is an error
// that wraps [ErrKind].
func (s *Store) Load(ctx context.Context) (*Contents, error) {
	c := new(Contents)
	err := s.View(ctx, func(snap *Snapshot) (err error) {
		// A settled file uses the numbers of the database. They hold only if no query has
		// added labels to the vocabulary.
		if snap.labels, err = newLabels().read(snap.tx, snap.m); err != nil {
			return err
		}
		if err := c.read(ctx, snap); err != nil {
			return err
		}
		c.Held = snap.held.take()
		return nil
	})
	if err == nil && c.Shelf != nil {
		err = guard(s.dir, c.Shelf.verify)
	}
	if err != nil {
		return nil, errors.Join(err, c.Held.Release())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.labels = c.labels
	return c, nil
}

func (c *Contents) read(ctx context.Context, s *Snapshot) error {
	c.Known = Known{s.m, s.labels}
	c.Vocabulary = s.labels.vocab
	if err := c.readRecords(ctx, s); err != nil {
		return err
	}
	for _, e := range s.m.serve() {
		if err := c.readEngine(s, e); err != nil {
			return err
		}
	}
	return nil
}

// serve returns the embeddings that searches for graphs use.
func (m *manifest) serve() []Embedding {
	var list []Embedding
	for _, e := range m.Embeddings {
		if e.Serves && e.Model != "" {
			list = append(list, e)
		}
	}
	return list
}

func (c *Contents) readRecords(ctx context.Context, s *Snapshot) error {
	from, settled, sum := 0, 0, uint64(0)
	if e := s.m.Settled; e != nil {
		var err error
		if c.Shelf, err = s.openShelf(); err != nil {
			return err
		}
		from, settled, sum = e.Slots, e.Records, e.Sum
	}
	rest, err := s.recordsFrom(ctx, from)
	if err != nil {
		return err
	}
	c.Records, c.Empty = rest.records, rest.empty
	count := len(c.Records) - len(c.Empty)
	switch {
	case settled+count < s.m.Records:
		return s.miscounted()
	case settled+count == s.m.Records && sum+rest.sum != s.m.Sum:
		return s.miscounted()
	case settled+count == s.m.Records:
		for slot := range from {
			if c.Shelf.empty(slot) {
				c.Empty = append(c.Empty, slot)
			}
		}
		return nil
	}
	return c.readFilled(ctx, s, from, s.m.Records-count)
}

// tail holds the records from a slot on.
type tail struct {
	records []dataset.Record
	empty   []int
	sum     uint64 // the sum of the records' checksums
}

// recordsFrom reads the records from a slot on.
func (s *Snapshot) recordsFrom(ctx context.Context, from int) (t tail, err error) {
	none := dataset.Record{Graph: noGraph(s.labels.vocab)}
	fill := func(to int) {
		for slot := from + len(t.records); slot < to; slot++ {
			t.empty = append(t.empty, slot)
			t.records = append(t.records, none)
		}
	}
	cursor := s.tx.Bucket(recordsBucket).Cursor()
	for key, value := cursor.Seek(slotKey(from)); key != nil; key, value = cursor.Next() {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		slot, rec, own, err := s.record(key, value)
		if err != nil {
			return t, err
		}
		if slot < from+len(t.records) || slot >= s.m.Slots {
			return t, s.miscounted()
		}
		if rec.Graph == nil {
			return t, fmt.Errorf("%s: %w: it holds vectors without graphs", s.store.dir, ErrKind)
		}
		fill(slot)
		t.records = append(t.records, rec)
		t.sum += uint64(own)
	}
	fill(s.m.Slots)
	return t, nil
}

// readFilled finds the empty ones among the settled slots, of which filled hold
// records.
func (c *Contents) readFilled(ctx context.Context, s *Snapshot, slots, filled int) error {
	next := 0
	cursor := s.tx.Bucket(recordsBucket).Cursor()
	for key, _ := cursor.First(); key != nil; key, _ = cursor.Next() {
		slot, err := slotOf(key)
		if err != nil {
			return err
		}
		if slot >= slots {
			break
		}
		if slot < next || c.Shelf.empty(slot) {
			return s.miscounted()
		}
		for ; next < slot; next++ {
			c.Empty = append(c.Empty, next)
		}
		next++
		filled--
	}
	for ; next < slots; next++ {
		c.Empty = append(c.Empty, next)
	}
	if filled != 0 {
		return s.miscounted()
	}
	return ctx.Err()
}

func (s *Snapshot) miscounted() error {
	return fmt.Errorf("%s: %w: the records are not the %d that were put", s.store.dir, ErrDamaged, s.m.Records)
}

func (c *Contents) readEngine(s *Snapshot, e Embedding) error {
	if e.Rows != s.m.Slots {
		return fmt.Errorf("%w: embedding %q has %d of %d rows", ErrVectors, e.Name, e.Rows, s.m.Slots)
	}
	m, err := s.Model(e.Model)
	if err != nil {
		return err
	}
	rows, err := s.rows(e)
	if err != nil {
		return err
	}
	engine := Engine{Task: e.Task, Model: m, Fingerprint: e.Model, Vectors: rows}
	if c.Shelf != nil {
		if engine.Settled, err = c.Shelf.tree(e, rows); err != nil {
			return err
		}
	}
	c.Engines = append(c.Engines, engine)
	return nil
}
