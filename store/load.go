package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/index"
	"github.com/greedgraph/greed/model"
)

// Engine is a model and its embeddings of the collection.
type Engine struct {
	Model   *model.Model
	Vectors []float32   // [slots, dim] row-major
	Settled index.Index // of the first of them; nil: none was saved
}

// Contents is all that searches of a collection need, by slots.
type Contents struct {
	Vocabulary *graph.Vocabulary
	Shelf      *Shelf           // the first slots; nil: none
	Records    []dataset.Record // of the slots behind
	Empty      []int            // slots without a record; graphs there have no nodes
	Engines    []Engine         // those that serve, at most one for a task
}

// Load reads a collection: what was settled is mapped, the rest is read whole.
// Vectors are mapped, too, for as long as the process lives; they must not be
// changed. A collection without graphs is an error that wraps [ErrKind].
func Load(ctx context.Context, dir string) (*Contents, error) {
	s, err := Open(dir, Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	c := &Contents{Vocabulary: s.vocab}
	err = s.View(func(snap *Snapshot) error {
		if err := c.readRecords(ctx, snap); err != nil {
			return err
		}
		for _, e := range snap.m.Embeddings {
			if !e.Serves || e.Model == "" {
				continue
			}
			if err := c.readEngine(snap, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Contents) readRecords(ctx context.Context, s *Snapshot) error {
	from, settled, sum := 0, 0, uint64(0)
	if e := s.m.Settled; e != nil {
		var err error
		if c.Shelf, err = s.openShelf(); err != nil {
			return err
		}
		from, settled, sum = e.Slots, e.Records, e.Sum
	} else if err := s.store.walk(); err != nil {
		return err
	}
	rest, err := c.readRest(ctx, s, from)
	if err != nil {
		return err
	}
	count := s.m.Slots - from - len(c.Empty) // records in the slots behind
	switch {
	case settled+count < s.m.Records:
		return s.miscounted()
	case settled+count == s.m.Records && sum+rest != s.m.Sum:
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

// readRest reads the records from a slot on and returns the sum of their
// checksums.
func (c *Contents) readRest(ctx context.Context, s *Snapshot, from int) (sum uint64, err error) {
	none := dataset.Record{Graph: noGraph(s.store.vocab)}
	fill := func(to int) {
		for slot := from + len(c.Records); slot < to; slot++ {
			c.Empty = append(c.Empty, slot)
			c.Records = append(c.Records, none)
		}
	}
	cursor := s.tx.Bucket(recordsBucket).Cursor()
	for key, value := cursor.Seek(slotKey(from)); key != nil; key, value = cursor.Next() {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		slot, rec, own, err := s.record(key, value)
		if err != nil {
			return 0, err
		}
		if slot < from+len(c.Records) || slot >= s.m.Slots {
			return 0, s.miscounted()
		}
		if rec.Graph == nil {
			return 0, fmt.Errorf("%s: %w: it holds vectors without graphs", s.store.dir, ErrKind)
		}
		fill(slot)
		c.Records = append(c.Records, rec)
		sum += uint64(own)
	}
	fill(s.m.Slots)
	return sum, nil
}

// readFilled finds out which settled slots are empty: all but filled of them.
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
	rows, err := s.lasting(e)
	if err != nil {
		return err
	}
	engine := Engine{Model: m, Vectors: rows}
	if c.Shelf != nil {
		if engine.Settled, err = c.Shelf.tree(e, rows); err != nil {
			return err
		}
	}
	c.Engines = append(c.Engines, engine)
	return nil
}

// lasting returns the rows of an embedding, [Rows, dim], as [Snapshot.Vectors]
// does, but they outlive the store.
func (s *Snapshot) lasting(e Embedding) ([]float32, error) {
	v, err := s.store.openVectors(e)
	if err != nil {
		return nil, err
	}
	rows, err := v.rows(s.tx, e.Rows)
	v.lasting = true
	return rows, err
}
