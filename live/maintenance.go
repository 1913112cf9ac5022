package live

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
)

// maintenance does in the background what is too slow for a change: it rebuilds vector
// indexes, one at a time.
type maintenance struct {
	ctx    context.Context
	cancel context.CancelFunc

	mu      sync.Mutex
	over    chan struct{} // closed when the work ends; nil if none is running
	stopped bool
	failed  error // of the last work
}

func (m *maintenance) start() { m.ctx, m.cancel = context.WithCancel(context.Background()) }

func (m *maintenance) stop() {
	m.cancel()
	m.mu.Lock()
	m.stopped = true
	m.mu.Unlock()
	_ = m.wait()
}

// do starts work unless some is running.
func (m *maintenance) do(work func(context.Context) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.over != nil || m.stopped {
		return
	}
	over := make(chan struct{})
	m.over = over
	go func() {
		defer close(over)
		err := work(m.ctx)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.over, m.failed = nil, err
	}()
}

// wait waits until no work is running and returns the error of the last.
func (m *maintenance) wait() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.over != nil {
		over := m.over
		m.mu.Unlock()
		<-over
		m.mu.Lock()
	}
	return m.failed
}

// Maintained waits until no vector index is being rebuilt and returns the error of the last
// rebuild.
func (c *Collection) Maintained() error { return c.maintenance.wait() }

// maintain writes a segment of the collection or compacts it, in the background if that is due.
func (c *Collection) maintain() {
	now, _ := c.newest()
	defer now.Release()
	sparse := store.CompactionDue(now.Len(), now.Positions())
	indexed := now.Indexed()
	if c.path != "" { // what a segment lacks of vector indexes is made in memory
		indexed = now.inSegment()
	}
	if !sparse && !store.SegmentDue(indexed, now.Positions()) {
		return
	}
	if c.path == "" {
		c.maintenance.do(c.rebuildInMemory)
	} else {
		c.maintenance.do(func(ctx context.Context) error { return c.renew(ctx, sparse) })
	}
}

// renew compacts the index or writes a segment of it, and loads the result.
func (c *Collection) renew(ctx context.Context, compact bool) error {
	c.change.Lock()
	s := c.store
	c.change.Unlock()
	var err error
	if compact {
		err = s.CompactIfDue(ctx, 1)
	} else {
		err = s.WriteSegmentIfDue(ctx, 1)
	}
	if errors.Is(err, store.ErrLocked) || errors.Is(err, store.ErrRewritten) {
		return nil // another process is doing it
	}
	if err != nil {
		return err
	}
	_, err = c.refresh(ctx, true)
	return err
}

// rebuildInMemory rebuilds a collection in memory, without empty positions, with the labels
// of its graphs alone and with all vectors in a vector index.
func (c *Collection) rebuildInMemory(ctx context.Context) error {
	now := c.Acquire()
	defer now.Release()
	var live []Record
	moved := make(map[int]int)
	for p := range now.Live() {
		moved[p] = len(live)
		live = append(live, now.Record(p))
	}
	vocab := graph.NewVocabulary()
	rebuilt := search.NewCollection(vocab, translate(vocab, live))
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		m := now.Model(task)
		if m == nil {
			continue
		}
		all, dim := now.Embedded(task), m.Norm().Dim()
		if all == nil {
			if err := rebuilt.AttachLazily(m); err != nil {
				return err
			}
			continue
		}
		z := make([]float32, 0, len(live)*dim)
		for p := range now.Live() {
			z = append(z, all[p*dim:(p+1)*dim]...)
		}
		if err := rebuilt.Attach(ctx, m, z, nil); err != nil {
			return err
		}
	}
	c.change.Lock()
	defer c.change.Unlock()
	if c.current == nil {
		return nil
	}
	latest := c.Acquire()
	defer latest.Release()
	s, ok := difference(now, latest, moved)
	if !ok {
		return nil // it was given another model meanwhile: try next time
	}
	s.Put = translate(vocab, s.Put)
	rebuilt, err := rebuilt.With(s)
	if err != nil {
		return err
	}
	rebuilt.Rules = latest.Rules
	c.publish(latest.like(rebuilt), nil, nil)
	return nil
}

// difference returns the step from a renumbered copy of a state to a later state. moved
// maps positions to those of the copy.
func difference(from, to *State, moved map[int]int) (s search.Step, ok bool) {
	s.Vectors = make(map[edit.Task][]float32)
	for p := range from.Positions() {
		if q, ok := moved[p]; ok && to.Deleted(p) {
			s.Drop = append(s.Drop, q)
		}
	}
	for p := from.Positions(); p < to.Positions(); p++ {
		if !to.Deleted(p) {
			s.Put = append(s.Put, to.Record(p))
		}
	}
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		m := from.Model(task)
		if to.Model(task) != m {
			return s, false
		}
		if m == nil || to.Embedded(task) == nil {
			continue
		}
		dim := m.Norm().Dim()
		var z []float32
		for p := range to.Positions() {
			if _, kept := moved[p]; kept || p >= from.Positions() && !to.Deleted(p) {
				z = append(z, to.Embedded(task)[p*dim:(p+1)*dim]...)
			}
		}
		s.Vectors[task] = slices.Clip(z)
	}
	return s, true
}
