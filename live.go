package greed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
)

// IsIndex tells whether path is an index made by [Collection.Save] or greed
// index build.
func IsIndex(path string) bool { return store.Exists(path) }

// disk is the index that a collection was opened from.
type disk struct {
	path  string // "": none
	stamp string // of what was read
}

// OpenIndex opens an index, with the models it holds. What [Collection.Put] and
// [Collection.Delete] change is on the disk before they return.
// [Collection.Refresh] takes up what others have written since.
func OpenIndex(ctx context.Context, path string) (*Collection, error) {
	stamp, err := stampOf(path)
	if err != nil {
		return nil, err
	}
	in, err := load(ctx, path)
	if err != nil {
		return nil, err
	}
	c := wrap(in)
	c.disk = disk{path, stamp}
	return c, nil
}

func load(ctx context.Context, path string) (*search.Collection, error) {
	s, err := store.Load(ctx, path)
	if err != nil {
		return nil, err
	}
	in := search.NewCollection(s.Vocabulary, s.Records)
	if s.Shelf != nil {
		in = search.NewShelved(s.Vocabulary, s.Shelf, s.Records)
	}
	in.Drop(s.Empty)
	for _, e := range s.Engines {
		if err := in.Attach(ctx, e.Model, e.Vectors, e.Settled); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return in, nil
}

// stampOf tells states of an index apart: which folder it is, and when its
// database was last written.
func stampOf(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(store.Database(real))
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			err = fmt.Errorf("%s: %w: %w", path, store.ErrFormat, err)
		}
		return "", err
	}
	return fmt.Sprintf("%s %d %d", real, info.ModTime().UnixNano(), info.Size()), nil
}

// Refresh reads the index again if another process has written to it, or if its
// path leads to another folder now, and tells whether it has. Searches go on
// meanwhile with what was there.
func (c *Collection) Refresh(ctx context.Context) (changed bool, err error) {
	c.change.Lock()
	defer c.change.Unlock()
	if c.disk.path == "" {
		return false, nil
	}
	stamp, err := stampOf(c.disk.path)
	if err != nil || stamp == c.disk.stamp {
		return false, err
	}
	in, err := load(ctx, c.disk.path)
	if err != nil {
		return false, err
	}
	c.disk.stamp = stamp
	c.renumber(in)
	return true, nil
}

// Put adds records, or replaces those that have their ids, and returns how many
// it replaced. Of records with the same id the last counts. Graphs of another
// vocabulary are translated. On an error, nothing is put: it wraps [ErrNoGraph] or
// [ErrMixed] where a graph is nil or of another kind than the collection's.
func (c *Collection) Put(ctx context.Context, records ...Record) (replaced int, err error) {
	c.change.Lock()
	defer c.change.Unlock()
	if err := checkRecords(c.current.Load().Kind(), records); err != nil {
		return 0, err
	}
	own := make([]Record, 0, len(records))
	at := make(map[string]int)
	for _, r := range records {
		r.Graph = graph.In(c.Vocabulary(), r.Graph)
		if i, ok := at[r.ID]; ok {
			own[i] = r
			continue
		}
		at[r.ID] = len(own)
		own = append(own, r)
	}
	ids := make([]string, len(own))
	for i, r := range own {
		ids[i] = r.ID
	}
	if c.disk.path != "" {
		if _, err := store.Add(ctx, c.disk.path, own, 0); err != nil {
			return 0, err
		}
	}
	return c.apply(ctx, own, ids)
}

// Delete removes the records with the ids and returns how many there were.
func (c *Collection) Delete(ctx context.Context, ids ...string) (deleted int, err error) {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	c.change.Lock()
	defer c.change.Unlock()
	if c.disk.path != "" {
		s, err := store.Open(c.disk.path, store.Options{})
		if err != nil {
			return 0, err
		}
		_, err = s.Delete(ids)
		if err := errors.Join(err, s.Close()); err != nil {
			return 0, err
		}
	}
	return c.apply(ctx, nil, ids)
}

// apply brings current up to date with a change that is on the disk: records
// are put, and those with the ids, which include theirs, go. What is on the disk
// cannot be taken back, so the context no longer counts.
func (c *Collection) apply(ctx context.Context, put []Record, ids []string) (gone int, err error) {
	in := c.current.Load()
	var drop []int
	for _, id := range ids {
		if p, ok := c.find(in, id); ok {
			drop = append(drop, p)
		}
	}
	next, err := in.With(context.WithoutCancel(ctx), put, drop)
	if err != nil {
		return 0, err
	}
	if next.Positions() == in.Positions()+len(put) {
		c.extend(next, put)
	} else {
		c.renumber(next)
	}
	if c.disk.path != "" {
		c.disk.stamp, err = stampOf(c.disk.path)
	}
	return len(drop), err
}

// Get returns the record with an id, and whether there is one. Of several in a
// file the last is meant.
func (c *Collection) Get(id string) (Record, bool) {
	in := c.current.Load()
	p, ok := c.find(in, id)
	if !ok {
		return Record{}, false
	}
	return in.Record(p), true
}

// places says at which position an id is. It is made when it is first asked.
type places struct {
	mu sync.RWMutex
	at map[string]int // of the current collection; nil: not made yet
}

// find returns where an id is in a collection, current or from before.
func (c *Collection) find(in *search.Collection, id string) (int, bool) {
	c.places.mu.RLock()
	made := c.places.at != nil
	at, ok := c.places.at[id]
	c.places.mu.RUnlock()
	if !made {
		at, ok = c.locate(id)
	}
	return at, ok && at < in.Positions() && !in.Deleted(at) && in.About(at).ID == id
}

// locate makes places and looks up an id.
func (c *Collection) locate(id string) (int, bool) {
	c.places.mu.Lock()
	defer c.places.mu.Unlock()
	if c.places.at == nil {
		in := c.current.Load()
		c.places.at = make(map[string]int, in.Len())
		for p := range in.Live() {
			c.places.at[in.About(p).ID] = p
		}
	}
	at, ok := c.places.at[id]
	return at, ok
}

// extend makes a collection current that has records behind those from before.
func (c *Collection) extend(next *search.Collection, put []Record) {
	c.places.mu.Lock()
	defer c.places.mu.Unlock()
	if c.places.at != nil {
		for i, r := range put {
			c.places.at[r.ID] = next.Positions() - len(put) + i
		}
	}
	c.current.Store(next)
}

// renumber makes a collection current whose positions are others than before.
func (c *Collection) renumber(next *search.Collection) {
	c.places.mu.Lock()
	defer c.places.mu.Unlock()
	c.places.at = nil
	c.current.Store(next)
}

// Costs returns the edit costs of searches for a task: those of the model, or
// unit costs.
func (c *Collection) Costs(task Task) edit.Costs {
	if m := c.current.Load().Model(task); m != nil {
		return m.Metadata().Costs
	}
	return edit.Uniform()
}
