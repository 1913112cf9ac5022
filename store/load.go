package store

import (
	"bytes"
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
	Vectors     []float32 // [slots, dim] row-major
	Indexed     int       // how many, from the first, are in the saved index; 0: none was saved
	// Open verifies the checksums of the vectors and returns the index, or nil if none was
	// saved. Before that, vectors may be anything. It can be called while the memory is held.
	Open func() (vectorindex.Index, error)
}

// Contents holds what searches of a collection need, by slot.
type Contents struct {
	Known
	Vocabulary *graph.Vocabulary
	Rules      *dataset.Rules   // by which the records were read; nil: not known
	Segment    *Segment         // the first slots; nil if there is none
	Records    []dataset.Record // of the slots after the segment
	Empty      []int            // slots without a record; their graphs have no nodes
	Engines    []Engine         // those that serve, at most one for each task
	Held       Held             // the memory of the segment and the vectors
}

// Load loads a collection. The records of the segment and all vectors are mapped and must not be
// changed; other records are read into memory. A collection without graphs is an error
// that wraps [ErrKind].
//
// Others who write wait only while Load maps the files and copies the records after the segment.
// Checksums are verified after that, those of vectors only in [Engine.Open].
func (s *Store) Load(ctx context.Context) (*Contents, error) {
	return s.LoadIn(ctx, graph.NewVocabulary())
}

// LoadIn is [Store.Load] that adds the labels to a vocabulary, so that the graphs of several collections share it.
func (s *Store) LoadIn(ctx context.Context, vocab *graph.Vocabulary) (*Contents, error) {
	l := &loading{store: s}
	err := s.View(ctx, func(snap *Snapshot) (err error) {
		// A segment uses the numbers of the database. In a new vocabulary they hold only if no
		// query has added labels to it; see [Segment.Vocabulary].
		fresh := newLabels()
		fresh.vocab, fresh.moves = vocab, snap.m.Moves
		if snap.labels, err = fresh.read(snap.tx, snap.m); err != nil {
			return err
		}
		if err := l.copy(ctx, snap); err != nil {
			return err
		}
		l.Held = snap.held.take()
		return nil
	})
	if err == nil {
		err = guard(s.dir, func() error { return l.read(ctx) })
	}
	if err != nil {
		return nil, errors.Join(err, l.Held.Release())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.labels = l.labels
	return &l.Contents, nil
}

// loading is what one transaction gives of a collection, to be read after it.
type loading struct {
	Contents
	store   *Store
	large   *graph.Graph   // of a collection of neighbourhoods
	rest    []storedRecord // the records after the segment
	removed []int          // slots of the segment that were emptied since the last renumbering
}

// copy takes from a snapshot what can be read only there.
func (l *loading) copy(ctx context.Context, s *Snapshot) (err error) {
	l.Known = s.Known
	l.Vocabulary, l.Rules = s.labels.vocab, s.m.Rules
	from := 0
	if e := s.m.Segment; e != nil {
		if l.Segment, err = s.mapSegment(); err != nil {
			return err
		}
		from = e.Slots
	}
	if s.m.Neighbourhoods != nil {
		if l.large, err = s.Whole(); err != nil {
			return err
		}
	}
	if l.rest, err = s.copyFrom(ctx, from); err != nil {
		return err
	}
	if l.removed, err = s.removedBefore(from); err != nil {
		return err
	}
	for _, e := range s.m.serve() {
		if err := l.copyEngine(s, e); err != nil {
			return err
		}
	}
	return nil
}

// removedBefore returns the slots before one that the removals name.
func (s *Snapshot) removedBefore(end int) (slots []int, err error) {
	c := s.tx.Bucket(removedBucket).Cursor()
	for key, value := c.First(); key != nil; key, value = c.Next() {
		payload, _, err := unseal(removedBucket, key, value)
		if err != nil {
			return nil, err
		}
		slot, err := slotOf(payload)
		if err != nil {
			return nil, err
		}
		if slot < end {
			slots = append(slots, slot)
		}
	}
	return slots, nil
}

// copyFrom copies the records from a slot on.
func (s *Snapshot) copyFrom(ctx context.Context, from int) (list []storedRecord, err error) {
	for r, err := range s.stored(from) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		r.payload = bytes.Clone(r.payload)
		list = append(list, r)
	}
	return list, nil
}

// read reads what was copied and mapped, and verifies its checksums.
func (l *loading) read(ctx context.Context) error {
	if h := l.Segment; h != nil {
		err := h.verifyOpening()
		if err == nil {
			err = h.read()
		}
		if err != nil {
			return h.damaged(err)
		}
		h.large = l.large
	}
	return l.readRecords(ctx)
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

// readRecords reads the records after the segment, and finds the empty slots.
func (l *loading) readRecords(ctx context.Context) error {
	from := 0
	if l.Segment != nil {
		from = l.Segment.Len()
	}
	rest, err := l.Known.tail(ctx, l.store.dir, from, l.rest, func(payload []byte) (dataset.Record, error) {
		return l.m.Neighbourhoods.decode(payload, l.labels, l.large)
	})
	if err != nil {
		return err
	}
	l.Records, l.Empty = rest.records, rest.empty
	count := len(l.Records) - len(l.Empty)
	empty, err := l.emptyBefore(from, l.m.Records-count)
	if err != nil {
		return err
	}
	l.Empty = append(l.Empty, empty...)
	if e := l.m.Segment; e != nil && e.Records+count != l.m.Records {
		return nil // the sum has those that were removed since
	} else if e != nil {
		rest.sum += e.Sum
	}
	if rest.sum != l.m.Sum {
		return miscounted(l.store.dir, l.m)
	}
	return nil
}

// emptyBefore returns the empty slots before one, of which filled have records.
func (l *loading) emptyBefore(end, filled int) (slots []int, err error) {
	removed := make([]bool, end)
	for _, slot := range l.removed {
		removed[slot] = true
	}
	for slot := range end {
		if removed[slot] || l.Segment.empty(slot) {
			slots = append(slots, slot)
		}
	}
	if l.Segment != nil {
		l.Segment.memory.forget(l.Segment.section(recordStarts))
	}
	if end-len(slots) != filled {
		return nil, miscounted(l.store.dir, l.m)
	}
	return slots, nil
}

// tail holds the records from a slot on.
type tail struct {
	records []dataset.Record
	empty   []int
	sum     uint64 // the sum of the records' checksums
}

// tail decodes the records from a slot on of the collection at dir, and finds the empty slots.
func (k Known) tail(ctx context.Context, dir string, from int, list []storedRecord,
	decode func([]byte) (dataset.Record, error)) (*tail, error) {
	t := new(tail)
	fill := func(to int) {
		for slot := from + len(t.records); slot < to; slot++ {
			t.empty = append(t.empty, slot)
			t.records = append(t.records, dataset.Record{Graph: noGraph(k.labels.vocab)})
		}
	}
	for _, r := range list {
		rec, err := decode(r.payload)
		if err == nil {
			err = ctx.Err()
		}
		switch {
		case err != nil:
			return nil, err
		case r.slot < from+len(t.records) || r.slot >= k.m.Slots:
			return nil, miscounted(dir, k.m)
		case rec.Graph == nil:
			return nil, fmt.Errorf("%s: %w: it holds vectors without graphs", dir, ErrKind)
		}
		fill(r.slot)
		t.records = append(t.records, rec)
		t.sum += uint64(r.sum)
	}
	fill(k.m.Slots)
	return t, nil
}

func (s *Snapshot) miscounted() error { return miscounted(s.store.dir, s.m) }

func miscounted(dir string, m *manifest) error {
	return fmt.Errorf("%s: %w: expected %d records, found others", dir, ErrDamaged, m.Records)
}

// copyEngine takes an embedding; its vectors are mapped and not compared yet.
func (l *loading) copyEngine(s *Snapshot, e Embedding) error {
	m, err := s.Model(e.Model)
	if err != nil {
		return err
	}
	rows, verify, err := s.rowsUnverified(e)
	if err != nil {
		return err
	}
	engine := Engine{Task: e.Task, Model: m, Fingerprint: e.Model, Vectors: rows}
	h := l.Segment
	if h != nil && h.layout.find(treeName(e)) != nil {
		engine.Indexed = h.layout.Slots
	}
	engine.Open = func() (index vectorindex.Index, err error) {
		err = guard(s.store.dir, func() error {
			err := verify()
			if err == nil && engine.Indexed > 0 {
				index, err = h.tree(e, rows)
			}
			return err
		})
		return index, err
	}
	l.Engines = append(l.Engines, engine)
	return nil
}
