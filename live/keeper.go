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

// keeper does in the background what is too slow for a change: it rebuilds vector
// indexes, one at a time.
type keeper struct {
	ctx    context.Context
	cancel context.CancelFunc

	mu      sync.Mutex
	over    chan struct{} // closed when the work ends; nil if none is running
	stopped bool
	failed  error // of the last work
}

func (k *keeper) start() { k.ctx, k.cancel = context.WithCancel(context.Background()) }

func (k *keeper) stop() {
	k.cancel()
	k.mu.Lock()
	k.stopped = true
	k.mu.Unlock()
	_ = k.wait()
}

// do starts work unless some is running.
func (k *keeper) do(work func(context.Context) error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.over != nil || k.stopped {
		return
	}
	over := make(chan struct{})
	k.over = over
	go func() {
		defer close(over)
		err := work(k.ctx)
		k.mu.Lock()
		defer k.mu.Unlock()
		k.over, k.failed = nil, err
	}()
}

// wait waits until no work is running and returns the error of the last.
func (k *keeper) wait() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.over != nil {
		over := k.over
		k.mu.Unlock()
		<-over
		k.mu.Lock()
	}
	return k.failed
}

// Kept waits until no vector index is being rebuilt and returns the error of the last
// rebuild.
func (c *Collection) Kept() error { return c.keeper.wait() }

// keep settles or compacts the collection in the background if that is due.
func (c *Collection) keep() {
	now, _ := c.newest()
	defer now.Release()
	sparse := store.Sparse(now.Len(), now.Positions())
	if !sparse && !store.Due(now.Settled(), now.Positions()) {
		return
	}
	switch {
	case c.path == "":
		c.keeper.do(c.settleInMemory)
	case sparse:
		c.keeper.do(func(ctx context.Context) error { return c.renew(ctx, c.compact) })
	default:
		c.keeper.do(func(ctx context.Context) error { return c.renew(ctx, c.settle) })
	}
}

func (c *Collection) settle(ctx context.Context, s *store.Store) error { return s.SettleGrown(ctx, 1) }

func (c *Collection) compact(ctx context.Context, s *store.Store) error {
	return s.CompactSparse(ctx, 1)
}

// renew settles or compacts the index and loads the result.
func (c *Collection) renew(ctx context.Context, layOut func(context.Context, *store.Store) error) error {
	c.change.Lock()
	s := c.store
	c.change.Unlock()
	if err := layOut(ctx, s); err != nil {
		if errors.Is(err, store.ErrLocked) || errors.Is(err, store.ErrAnew) {
			return nil // another process is doing it
		}
		return err
	}
	_, err := c.refresh(ctx, true)
	return err
}

// settleInMemory rebuilds a collection in memory, without empty positions, with the labels
// of its graphs alone and with all vectors in a vector index.
func (c *Collection) settleInMemory(ctx context.Context) error {
	now := c.Acquire()
	defer now.Release()
	var live []Record
	moved := make(map[int]int)
	for p := range now.Live() {
		moved[p] = len(live)
		live = append(live, now.Record(p))
	}
	vocab := graph.NewVocabulary()
	settled := search.NewCollection(vocab, translate(vocab, live))
	settled.Rules = now.Rules
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		m := now.Model(task)
		if m == nil {
			continue
		}
		all, dim := now.Vectors(task), m.Norm().Dim()
		z := make([]float32, 0, len(live)*dim)
		for p := range now.Live() {
			z = append(z, all[p*dim:(p+1)*dim]...)
		}
		if err := settled.Attach(ctx, m, z, nil); err != nil {
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
	settled, err := settled.With(s)
	if err != nil {
		return err
	}
	c.publish(latest.like(settled), nil, nil)
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
		if m == nil {
			continue
		}
		dim := m.Norm().Dim()
		var z []float32
		for p := range to.Positions() {
			if _, kept := moved[p]; kept || p >= from.Positions() && !to.Deleted(p) {
				z = append(z, to.Vectors(task)[p*dim:(p+1)*dim]...)
			}
		}
		s.Vectors[task] = slices.Clip(z)
	}
	return s, true
}
