package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

// Engine is a model and its embeddings of the collection, [n, dim] row-major.
type Engine struct {
	Model   *model.Model
	Vectors []float32
}

// Contents is all that searches of a collection need.
type Contents struct {
	Vocabulary *graph.Vocabulary
	Records    []dataset.Record
	Engines    []Engine // those that serve, at most one for a task
}

// Load reads a collection whole. Where no record was deleted or replaced since
// it was last compacted, vectors are memory mapped for as long as the process
// lives; they must not be changed. A collection without graphs is an error that
// wraps [ErrKind].
func Load(ctx context.Context, dir string) (*Contents, error) {
	s, err := Open(dir, Options{ReadOnly: true, walk: true})
	if err != nil {
		return nil, err
	}
	c := &Contents{Vocabulary: s.vocab}
	err = s.View(func(snap *Snapshot) error {
		records, slots, err := snap.all(ctx)
		if err != nil {
			return err
		}
		c.Records = records
		for i := range records {
			if records[i].Graph == nil {
				return fmt.Errorf("%s: %w: it holds vectors without graphs", dir, ErrKind)
			}
		}
		for _, e := range snap.m.Embeddings {
			if !e.Serves || e.Model == "" {
				continue
			}
			m, err := snap.Model(e.Model)
			if err != nil {
				return err
			}
			rows, err := snap.live(e.Name, slots)
			if err != nil {
				return err
			}
			c.Engines = append(c.Engines, Engine{m, rows})
		}
		return nil
	})
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	return c, nil
}

// all returns every record with its slot, after making sure that none is
// missing.
func (s *Snapshot) all(ctx context.Context) ([]dataset.Record, []int, error) {
	var records []dataset.Record
	var slots []int
	sum := uint64(0)
	c := s.tx.Bucket(recordsBucket).Cursor()
	for key, value := c.First(); key != nil; key, value = c.Next() {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		slot, rec, own, err := s.record(key, value)
		if err != nil {
			return nil, nil, err
		}
		if len(records) == s.m.Records || slot >= s.m.Slots {
			return nil, nil, s.miscounted()
		}
		records, slots = append(records, rec), append(slots, slot)
		sum += uint64(own)
	}
	if len(records) != s.m.Records || sum != s.m.Sum {
		return nil, nil, s.miscounted()
	}
	return records, slots, nil
}

func (s *Snapshot) miscounted() error {
	return fmt.Errorf("%s: %w: the records are not the %d that were put", s.store.dir, ErrDamaged, s.m.Records)
}

// live returns the rows of a complete embedding for some slots, increasing,
// [len(slots), dim] row-major: mapped memory that outlives the store if they
// are all there are, else a copy.
func (s *Snapshot) live(name string, slots []int) ([]float32, error) {
	e := s.m.find(name)
	if e != nil && e.Rows != s.m.Slots {
		return nil, fmt.Errorf("%w: embedding %q has %d of %d rows", ErrVectors, name, e.Rows, s.m.Slots)
	}
	rows, err := s.Vectors(name)
	if err != nil {
		return nil, err
	}
	if len(slots) == e.Rows {
		v, err := s.store.openVectors(*e)
		if err != nil {
			return nil, err
		}
		v.lasting = true
		return rows, nil
	}
	dim := e.Norm.Dim()
	live := make([]float32, 0, len(slots)*dim)
	for _, slot := range slots {
		live = append(live, rows[slot*dim:(slot+1)*dim]...)
	}
	return live, nil
}
