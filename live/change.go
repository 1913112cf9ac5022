package live

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
)

// Record is a graph with its id, its name and its attributes.
type Record = dataset.Record

// Change is a set of deletions and puts that a collection makes as one.
type Change = store.Change

// Outcome says what a change did.
type Outcome = store.Outcome

// Apply applies a change as a whole or, on an error, not at all. Deletions come first;
// of records with the same id the last counts. Graphs of another vocabulary are
// translated. In an index the change is durable when Apply returns.
func (c *Collection) Apply(ctx context.Context, change Change) (Outcome, error) {
	out, _, err := c.ApplyTo(ctx, change)
	return out, err
}

// ApplyTo is [Collection.Apply] that also returns the tag of the state after the
// change.
func (c *Collection) ApplyTo(ctx context.Context, change Change) (done Outcome, tag string, err error) {
	if c.parts != nil {
		return Outcome{}, "", c.errSeveral()
	}
	if err := store.CheckRecords(change.Put); err != nil {
		return Outcome{}, "", err
	}
	if len(change.Put)+len(change.Delete) == 0 {
		now := c.Acquire()
		defer now.Release()
		if change.If != "" && change.If != now.Tag() {
			return Outcome{}, "", store.ErrChanged
		}
		return Outcome{}, now.Tag(), now.Err()
	}
	if !change.New {
		change.Put = lastOfEach(change.Put)
	}
	// A change that fails leaves no labels behind.
	change.Put = translate(graph.NewVocabulary(), change.Put)
	if c.path == "" {
		return c.applyInMemory(ctx, change)
	}
	// Embed before taking the lock, while others may still write.
	embedded, s, err := c.prepare(ctx, change)
	if err != nil {
		return Outcome{}, "", err
	}
	c.change.Lock()
	defer c.change.Unlock()
	if err := c.open(); err != nil {
		return Outcome{}, "", err
	}
	if c.store != s { // the path leads to another folder now
		if embedded, err = c.store.Embed(ctx, change, 0); err != nil {
			return Outcome{}, "", err
		}
	}
	for {
		out, tag, err := c.commit(ctx, embedded)
		switch {
		case err == nil:
			return out, tag, nil
		case errors.Is(err, store.ErrRewritten):
			err = c.anewForChange(ctx)
		case errors.Is(err, store.ErrVectors):
			embedded, err = c.store.Embed(ctx, change, 0)
		}
		if err != nil {
			return Outcome{}, "", err
		}
	}
}

// commit applies a change once. The error wraps [store.ErrRewritten] if the collection was laid
// out anew and nobody loads it yet, or could. c.change must be held.
func (c *Collection) commit(ctx context.Context, e *store.Embedded) (out Outcome, tag string, err error) {
	now, _ := c.newest()
	defer now.Release()
	c.mu.Lock()
	loading := c.reloading
	c.mu.Unlock()
	if loading != nil && c.unread != nil {
		return out, "", store.ErrRewritten
	}
	if loading != nil {
		out, delta, err := c.store.Commit(ctx, nil, e)
		if err != nil {
			return out, "", err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		loading.tag = delta.Tag()
		return out, loading.tag, nil
	}
	out, delta, err := c.store.Commit(ctx, &now.known, e)
	if err != nil {
		return out, "", err
	}
	// The change is on the disk, so it is too late to fail.
	err = c.step(context.WithoutCancel(ctx), now, delta)
	c.maintain()
	return out, delta.Tag(), err
}

// anewForChange begins to load a collection that was laid out anew, so that a change need
// not wait for that. If it could not be loaded before, the change does wait: what nobody
// may be able to read is not acknowledged. c.change must be held; it is released meanwhile.
func (c *Collection) anewForChange(ctx context.Context) error {
	loading := c.reload(false)
	if c.unread == nil {
		return nil
	}
	c.change.Unlock()
	err := loading.wait(ctx)
	c.change.Lock()
	if err == nil {
		err = c.open()
	}
	return err
}

// prepare checks a change and embeds its records for the current store.
func (c *Collection) prepare(ctx context.Context, change Change) (*store.Embedded, *store.Store, error) {
	now, missing := c.newest()
	defer now.Release()
	direction := dataset.Direction{}
	// otherwise the graphs may be gone that have the other direction; the store checks
	if len(change.Delete) == 0 && missing == "" {
		direction = now.Direction()
	}
	if err := checkDirection(direction, change.Put); err != nil {
		return nil, nil, err
	}
	c.change.Lock()
	s := c.store
	c.change.Unlock()
	e, err := s.Embed(ctx, change, 0)
	if errors.Is(err, os.ErrClosed) {
		err = nil // another store: the caller embeds again
	}
	return e, s, err
}

// lastOfEach drops every record that a later one with the same id replaces.
func lastOfEach(records []Record) []Record {
	at := make(map[string]int, len(records))
	var last []Record
	for _, r := range records {
		if i, ok := at[r.ID]; ok {
			last[i] = r
			continue
		}
		at[r.ID] = len(last)
		last = append(last, r)
	}
	return last
}

// step makes the state current that a delta leads to from now.
func (c *Collection) step(ctx context.Context, now *State, d *store.Delta) error {
	next, err := c.after(ctx, now, d)
	if err != nil {
		return err
	}
	c.publish(next, append([]Record{}, d.Put...), d.Drop)
	return nil
}

// after returns the state that a delta leads to from now.
func (c *Collection) after(ctx context.Context, now *State, d *store.Delta) (next *State, err error) {
	s := search.Step{Put: d.Put, Drop: d.Drop, Vectors: make(map[edit.Task][]float32)}
	for _, e := range d.Engines {
		s.Vectors[e.Task] = e.Vectors
	}
	err = now.Read(func() error {
		if err := c.embedAttached(ctx, now, &s); err != nil {
			return err
		}
		in, err := now.With(s)
		if err != nil {
			return err
		}
		for _, e := range d.Engines {
			if c.attached[e.Task] == nil {
				in.Exchange(e.Model)
			}
		}
		in.Rules = d.Rules()
		next = now.like(in)
		next.Generation, next.known = d.Generation(), d.Known
		next.plain += plainOf(now, d.Put, d.Drop)
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, d.Held.Release())
	}
	// The next state uses the vectors of the delta. The memory of the loaded state stays
	// mapped, because its vector indexes use it.
	err = next.latest.Release()
	next.latest = d.Held
	return next, err
}

// plainOf returns how many more graphs are not molecules after a step.
func plainOf(now *State, put []Record, drop []int) (more int) {
	for i := range put {
		if !put[i].IsMolecule() {
			more++
		}
	}
	for _, p := range drop {
		about := Record{}
		if first := now.Positions(); p >= first {
			about = put[p-first]
		} else {
			about = now.About(p)
		}
		if !about.IsMolecule() {
			more--
		}
	}
	return more
}

// embedAttached adds the vectors of models that are not in the index to a step.
func (c *Collection) embedAttached(ctx context.Context, now *State, s *search.Step) error {
	for task, m := range c.attached {
		all := now.Embedded(task)
		if all == nil {
			continue
		}
		z, err := m.Embed(ctx, dataset.Graphs(s.Put), 0)
		if err != nil {
			return err
		}
		s.Vectors[task] = append(all, z...)
	}
	return nil
}

// applyInMemory applies a change to a collection in memory.
func (c *Collection) applyInMemory(ctx context.Context, change Change) (out Outcome, tag string, err error) {
	c.change.Lock()
	defer c.change.Unlock()
	now := c.Acquire()
	defer now.Release()
	if err := now.Err(); err != nil {
		return out, "", err
	}
	if change.If != "" && change.If != now.Tag() {
		return out, "", store.ErrChanged
	}
	var s search.Step
	s.Vectors = make(map[edit.Task][]float32)
	gone := make(map[string]bool)
	drop := func(id string) bool {
		at, p, ok := c.Find(id)
		_ = at.Release()
		if ok && !gone[id] {
			gone[id] = true
			s.Drop = append(s.Drop, p)
			return true
		}
		return false
	}
	for _, id := range change.Delete {
		if drop(id) {
			out.Deleted++
		}
	}
	fresh := make(map[string]bool)
	for i, r := range change.Put {
		if change.New {
			at, p, ok := c.Find(r.ID)
			_ = at.Release()
			if ok && !gone[r.ID] || fresh[r.ID] {
				return Outcome{}, "", &store.DuplicateError{ID: r.ID, Slot: p, Index: i}
			}
			fresh[r.ID] = true
		}
		if drop(r.ID) {
			out.Replaced++
		}
	}
	s.Put = change.Put
	direction := dataset.Direction{}
	if now.Len() > len(s.Drop) {
		direction = now.Direction()
	}
	if err := checkDirection(direction, s.Put); err != nil {
		return Outcome{}, "", err
	}
	if err := c.embedAttached(ctx, now, &s); err != nil {
		return Outcome{}, "", err
	}
	s.Put = translate(now.Vocabulary(), s.Put)
	in, err := now.With(s)
	if err != nil {
		return Outcome{}, "", err
	}
	in.Rules = in.Rules.With(s.Put)
	next := now.like(in)
	next.Generation++
	next.plain += plainOf(now, s.Put, s.Drop)
	c.publish(next, append([]Record{}, s.Put...), s.Drop)
	c.maintain()
	return out, next.Tag(), nil
}

// checkDirection returns an error unless records fit a collection of a direction.
func checkDirection(direction dataset.Direction, records []Record) error {
	for _, r := range records {
		if err := direction.Check(r); err != nil {
			return fmt.Errorf("%w: %w", store.ErrRecord, err)
		}
		if !direction.Known() {
			direction = dataset.DirectionOf(r)
		}
	}
	return nil
}
