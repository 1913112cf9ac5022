package greed

import (
	"context"
	"iter"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
)

// Close releases the files and the memory of a collection that was opened from
// an index; running searches and iterations may finish. Afterwards methods that return
// an error return one, and the others see an empty collection.
func (c *Collection) Close() error { return c.live.Close() }

// Apply carries out a change. On an error nothing is changed; the error wraps
// [ErrNoGraph] for a nil graph and [ErrMixed] for one of the other direction. Apply
// also reads what other processes have written to the index.
func (c *Collection) Apply(ctx context.Context, change Change) (Outcome, error) {
	if err := checkGraphs(change.Put); err != nil {
		return Outcome{}, err
	}
	out, state, err := c.live.ApplyTo(ctx, change)
	return Outcome{len(change.Put), out.Replaced, out.Deleted, state, dataset.NotesOf(change.Put...)}, err
}

// Put adds records, or replaces those that have their ids, and returns how many
// it replaced, as [Collection.Apply] does.
func (c *Collection) Put(ctx context.Context, records ...Record) (replaced int, err error) {
	out, err := c.Apply(ctx, Change{Put: records})
	return out.Replaced, err
}

// Delete removes the records with the ids and returns how many there were, as
// [Collection.Apply] does.
func (c *Collection) Delete(ctx context.Context, ids ...string) (deleted int, err error) {
	out, err := c.Apply(ctx, Change{Delete: ids})
	return out.Deleted, err
}

// Refresh reads what other processes have written to the index, or the other
// folder that its path now leads to, and reports whether anything is new.
// Running searches keep the state they began with. Refresh takes less than a
// millisecond where nothing is new, so it may be called often.
func (c *Collection) Refresh(ctx context.Context) (changed bool, err error) {
	if c.space != nil { // it stays as it was opened
		return false, nil
	}
	return c.live.Refresh(ctx)
}

// State names the current state of the collection: every change makes it another.
// Compacting an index does so too.
func (c *Collection) State() string { return c.live.Tag() }

// Get returns the record with an id, and whether there is one. If several have
// the id, it returns the last; if they are in several indexes, none: see [Collection.Unfound].
func (c *Collection) Get(id string) (Record, bool) {
	if c.space != nil {
		return c.product(id)
	}
	rec, ok, err := c.live.Get(id)
	return rec, ok && err == nil
}

// Has reports whether there is a graph with an id. It reads none.
func (c *Collection) Has(id string) bool {
	if c.space != nil {
		_, has := c.product(id)
		return has
	}
	return c.live.Has(id)
}

// Unfound returns why [Collection.Get] returns no graph: the error wraps [ErrRepeated] or [store.ErrNotFound].
func (c *Collection) Unfound(id string) error { return c.live.Unfound(id) }

// Blocks sets [Record.Block] of records that the collection gave to the MOL blocks that
// their molecules were read from, where there are any. A record that was replaced since by
// another molecule stays without.
func (c *Collection) Blocks(ctx context.Context, records []Record) error {
	return c.live.Blocks(ctx, records)
}

// CheckFilters returns an error that wraps [ErrAttribute] for a filter on an attribute that no
// graph of the collection has.
func (c *Collection) CheckFilters(filters []Filter) error {
	in := c.live.Acquire()
	defer in.Release()
	return in.Read(func() error { return in.CheckFilters(filters) })
}

// After yields the records whose ids come after id, in the order of their ids, byte by
// byte: those of the state that the collection has when the iteration begins. A record
// that cannot be read ends it with an error.
func (c *Collection) After(id string) iter.Seq2[Record, error] { return c.live.After(id) }

// Costs returns the edit costs of searches for a task: those of the model, or
// unit costs.
func (c *Collection) Costs(task Task) edit.Costs {
	in := c.live.Acquire()
	defer in.Release()
	if m := in.Model(task); m != nil {
		return m.Metadata().Costs
	}
	return edit.Uniform()
}
