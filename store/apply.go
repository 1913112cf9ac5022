package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

// Embedded is a change with the vectors of its records.
type Embedded struct {
	change Change
	models map[string]*model.Model
	rows   map[string][]float32
}

// Embed embeds the records of a change, whose graphs share a vocabulary, with the
// models of the collection.
func (s *Store) Embed(ctx context.Context, c Change, workers int) (*Embedded, error) {
	if err := CheckRecords(c.Put); err != nil {
		return nil, err
	}
	e := &Embedded{change: c}
	var err error
	if e.models, err = s.embedders(ctx); err != nil {
		return nil, err
	}
	e.rows, err = embedBy(ctx, e.models, dataset.Graphs(c.Put), workers)
	return e, err
}

// Commit applies a change as one transaction: all of it or, on an error, nothing. The
// Delta leads from known to the state after the change; if known is nil, it only says
// which state that is. The error wraps [ErrVectors] if the collection was given another
// model after the records were embedded, and [ErrRewritten] if no delta leads from known.
func (s *Store) Commit(ctx context.Context, known *Known, e *Embedded) (out Outcome, d *Delta, err error) {
	out, d, _, err = s.commit(ctx, known, e)
	return out, d, err
}

// commit is [Store.Commit]. It also returns how long others had to wait.
func (s *Store) commit(ctx context.Context, known *Known,
	e *Embedded) (out Outcome, d *Delta, took time.Duration, err error) {
	var begin time.Time
	err = s.update(ctx, func(snap *Snapshot) error {
		begin = time.Now()
		out, d, err = snap.apply(known, e.change, e.models, e.rows)
		return err
	})
	if err == nil {
		return out, d, time.Since(begin), nil
	}
	if d != nil {
		err = errors.Join(err, d.Held.Release())
	}
	if errors.Is(err, ErrVectors) {
		s.forgetEmbedders()
	}
	return Outcome{}, nil, 0, err
}

// apply applies a change whose records models embedded as rows.
func (s *Snapshot) apply(known *Known, c Change, models map[string]*model.Model,
	rows map[string][]float32) (out Outcome, d *Delta, err error) {
	if known != nil {
		if !known.m.leadsTo(s.m) { // say so before anything is written
			return out, nil, ErrRewritten
		}
		if s.labels, err = known.labels.read(s.tx, s.m); err != nil {
			return out, nil, err
		}
	}
	if len(c.Put) > 0 {
		for name, m := range models {
			var now *model.Model
			if e := s.m.find(name); e != nil {
				now, _ = s.Model(e.Model) // whoever embeds again learns why there is none
			}
			if now != m {
				return out, nil, fmt.Errorf("%w: embedding %q is of another model", ErrVectors, name)
			}
		}
	}
	if out, err = s.change(c, rows); err != nil {
		return out, nil, err
	}
	if known == nil {
		return out, &Delta{Known: s.Known}, nil
	}
	d, err = s.since(*known)
	return out, d, err
}

// Add embeds and puts records, in several transactions so that other writers get their
// turn. It returns how many were added and how many replaced a record, which an error later does not undo. If isNew
// is true, an id that exists already is an error, a [*DuplicateError].
func (s *Store) Add(ctx context.Context, records []dataset.Record, isNew bool,
	workers int) (added, replaced int, err error) {
	piece := firstPiece
	for len(records) > 0 {
		n := len(records)
		if !s.alone {
			n = min(n, piece)
		}
		out, took, err := s.apply(ctx, Change{Put: records[:n], New: isNew}, workers)
		if err != nil {
			return added, replaced, err
		}
		piece = nextPiece(n, took)
		added, replaced = added+n-out.Replaced, replaced+out.Replaced
		records = records[n:]
	}
	return added, replaced, nil
}

func (s *Store) apply(ctx context.Context, c Change, workers int) (Outcome, time.Duration, error) {
	for {
		e, err := s.Embed(ctx, c, workers)
		if err != nil {
			return Outcome{}, 0, err
		}
		// The collection was given another model meanwhile: embed again, with that.
		if out, _, took, err := s.commit(ctx, nil, e); !errors.Is(err, ErrVectors) {
			return out, took, err
		}
	}
}

// Where the work may be divided, a transaction puts from leastPiece to mostPiece records: as
// many as take writePieceTime, so that other writers wait for less than 50 ms. 256 small
// molecules with two models take some 15 ms.
const (
	leastPiece     = 16
	firstPiece     = 64
	mostPiece      = 256
	writePieceTime = 20 * time.Millisecond
)

// nextPiece returns how many records the next transaction puts, when one of n took so long.
func nextPiece(n int, took time.Duration) int {
	fit := float64(n) * float64(writePieceTime) / float64(max(took, 1))
	return int(min(max(fit, leastPiece), mostPiece))
}

// embedders returns the models of all embeddings, keyed by the embeddings' names.
func (s *Store) embedders(ctx context.Context) (map[string]*model.Model, error) {
	s.mu.Lock()
	models := s.serving
	s.mu.Unlock()
	if models != nil {
		return models, nil
	}
	models = make(map[string]*model.Model)
	err := s.View(ctx, func(snap *Snapshot) error {
		for _, e := range snap.m.Embeddings {
			var err error
			if models[e.Name], err = snap.Model(e.Model); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serving = models
	return models, nil
}

func (s *Store) forgetEmbedders() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serving = nil
}

func embedBy(ctx context.Context, models map[string]*model.Model, graphs []*graph.Graph,
	workers int) (map[string][]float32, error) {
	rows := make(map[string][]float32)
	for name, m := range models {
		z, err := m.Embed(ctx, graphs, workers)
		if err != nil {
			return nil, err
		}
		rows[name] = z
	}
	return rows, ctx.Err()
}
