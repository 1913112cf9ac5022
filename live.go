package greed

import (
	"context"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/store"
)

// IsIndex reports whether path is an index made by [Collection.Save] or greed
// index build.
func IsIndex(path string) bool { return store.Exists(path) }

// OpenIndex opens an index, with the models it holds. What [Collection.Apply]
// changes is on the disk before it returns. [Collection.Refresh] takes up what
// others have written since. Close the collection after use.
func OpenIndex(ctx context.Context, path string) (*Collection, error) {
	c, err := live.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return &Collection{live: c}, nil
}

// Close gives back what a collection holds that was opened from an index. It must
// not be used any more; searches and iterations that have begun may end.
func (c *Collection) Close() error { return c.live.Close() }

// Change is what is done to a collection at once: all of it or nothing.
type Change struct {
	// Put are records to add. One with the id of another replaces it; of several
	// with the same id the last counts. Graphs of another vocabulary are translated.
	Put []Record
	// Delete are ids of records that go, before others are put. Ids that are not
	// there are passed over.
	Delete []string
}

// Outcome tells what a change did: how many records were replaced by those that
// were put, and how many were deleted.
type Outcome struct{ Replaced, Deleted int }

// Apply carries out a change. On an error nothing is changed: it wraps
// [ErrNoGraph] or [ErrMixed] where a graph is nil or of another kind than the
// collection's. What others have written to an index since is taken up, too.
func (c *Collection) Apply(ctx context.Context, change Change) (Outcome, error) {
	if err := checkGraphs(change.Put); err != nil {
		return Outcome{}, err
	}
	out, err := c.live.Apply(ctx, live.Change{Put: change.Put, Delete: change.Delete})
	return Outcome(out), err
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

// Refresh takes up what other processes have written to the index, or that its
// path leads to another folder now, and reports whether anything is new. Searches go
// on meanwhile with what was there. It takes less than a millisecond where nothing is
// new: call it as often as changes are to be seen.
func (c *Collection) Refresh(ctx context.Context) (changed bool, err error) {
	return c.live.Refresh(ctx)
}

// Generation counts the changes of the collection, by whomever.
func (c *Collection) Generation() uint64 {
	in := c.live.Acquire()
	defer in.Release()
	return in.Generation
}

// Get returns the record with an id, and whether there is one. Of several in a
// file the last is meant.
func (c *Collection) Get(id string) (Record, bool) {
	rec, ok, err := c.live.Get(id)
	return rec, ok && err == nil
}

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
