// Package live owns a collection that changes while it is searched: its path, models,
// vocabulary, table of ids and current state. A search acquires a [State] and releases
// it. A change makes the next state; in an index it is on the disk before Apply
// returns. States also include what other processes write.
//
// Every state is one generation of the collection, as its manifest counts them. The
// transaction of a change also reads what others have done since the current
// generation, so the next state has both. Memory that a state reads stays mapped until
// the last search on it ends.
package live

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
	"github.com/greedgraph/greed/vectorindex"
)

// Collection is a collection in use. It may be used concurrently. If it is on the disk,
// close it after use.
type Collection struct {
	path  string            // "": in memory
	vocab *graph.Vocabulary // of an index that shares it with others; nil: each loading has its own

	// parts are the collections that this one has as one; nil otherwise. They share vocab.
	parts  []*Collection
	closed bool // of several
	// lacking are the indexes beside the parts that could not be read.
	lacking []search.Unsearched

	change sync.Mutex // held while the next state is made
	// store is the index at path; it is nil in memory. It is replaced when path leads to
	// another folder.
	store *store.Store
	// attached holds models that are not in the index.
	attached map[edit.Task]*model.Model
	// unread says why the collection could not be loaded anew the last time.
	unread error

	mu        sync.Mutex
	current   *State
	later     map[string]int // positions of the current state after its segment, by ids; nil until they are needed
	reloading *reloading     // nil: the current state can be continued

	maintenance maintenance
}

// Path returns where the index is, "" of a collection in memory.
func (c *Collection) Path() string { return c.path }

// New returns a collection in memory.
func New(in *search.Collection) *Collection {
	c := &Collection{attached: make(map[edit.Task]*model.Model)}
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		if m := in.Model(task); m != nil {
			c.attached[task] = m
		}
	}
	c.current = newState(in, nil)
	c.maintenance.start()
	return c
}

// Unlisted returns a collection in memory that keeps no graphs. What would read or change them returns an error, why.
// Its tag is that of its only state.
func Unlisted(in *search.Collection, tag string, why error) *Collection {
	c := New(in)
	c.current.lost, c.current.lostTag = why, tag
	return c
}

// Open opens the index at path, with the models in it.
func Open(ctx context.Context, path string) (*Collection, error) { return openIn(ctx, path, nil) }

// openIn is [Open] with the vocabulary of the graphs, or nil for one of their own.
func openIn(ctx context.Context, path string, vocab *graph.Vocabulary) (*Collection, error) {
	s, err := store.Open(path, store.Options{})
	if err != nil {
		return nil, err
	}
	c := &Collection{path: path, store: s, vocab: vocab, attached: make(map[edit.Task]*model.Model)}
	state, err := c.load(ctx, s, nil, true)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	c.current = state
	c.maintenance.start()
	return c, nil
}

// Close stops background work and releases the collection. Searches that are running
// may finish. Afterwards what can fail does, and the rest sees an empty collection.
func (c *Collection) Close() error {
	if c.parts != nil {
		return c.closeSeveral()
	}
	c.maintenance.stop()
	c.change.Lock()
	c.mu.Lock()
	last, loading := c.current, c.reloading
	c.current, c.later = nil, nil
	c.mu.Unlock()
	c.change.Unlock()
	if loading != nil {
		<-loading.over
	}
	if last == nil {
		return nil
	}
	err := last.Release()
	if c.store != nil {
		err = errors.Join(err, c.store.Close())
	}
	return err
}

// errClosed is the error of a closed collection.
var errClosed = errors.New("live: the collection was closed")

// load loads the collection from the disk as a state of its own, with models that are not
// in the index. If build is true, it builds vector indexes that are missing. Otherwise, where somebody waits for an
// answer, vectors are scanned until the next segment is written.
func (c *Collection) load(ctx context.Context, s *store.Store, attached map[edit.Task]*model.Model,
	build bool) (*State, error) {
	vocab := c.vocab
	if vocab == nil {
		vocab = graph.NewVocabulary()
	}
	contents, err := s.LoadIn(ctx, vocab)
	if err != nil {
		return nil, err
	}
	in := search.NewCollection(contents.Vocabulary, contents.Records)
	if contents.Segment != nil {
		in = search.NewSegmented(contents.Vocabulary, contents.Segment, contents.Records)
	}
	in.Rules = contents.Rules
	in.Drop(contents.Empty)
	state := newState(in, contents)
	err = state.Read(func() error {
		for _, e := range contents.Engines {
			stored := search.Stored{Vectors: e.Vectors, Indexed: e.Indexed, Open: e.Open}
			if e.Indexed == 0 && !build {
				stored.Open = func() (vectorindex.Index, error) {
					if _, err := e.Open(); err != nil {
						return nil, err
					}
					return vectorindex.NewBoxTree(e.Model.Norm(), nil)
				}
			}
			if err := in.AttachStored(e.Model, stored); err != nil {
				return err
			}
		}
		for _, m := range attached {
			if err := in.Attach(ctx, m, nil, nil); err != nil {
				return err
			}
		}
		state.count()
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, state.Release())
	}
	return state, nil
}

// Attach makes searches for a model's task use it. It embeds the whole collection. An
// index on the disk stays unchanged.
func (c *Collection) Attach(ctx context.Context, m *model.Model) error {
	return c.attach(m, func(in *search.Collection) error { return in.Attach(ctx, m, nil, nil) })
}

// AttachLazily is [Collection.Attach], but the collection is embedded when that is first
// needed.
func (c *Collection) AttachLazily(m *model.Model) error {
	return c.attach(m, func(in *search.Collection) error { return in.AttachLazily(m) })
}

func (c *Collection) attach(m *model.Model, attach func(*search.Collection) error) error {
	c.change.Lock()
	defer c.change.Unlock()
	if c.parts != nil {
		return c.attachToSeveral(m)
	}
	now, _ := c.newest() // whoever loads meanwhile attaches it as well
	defer now.Release()
	in := now.Collection.Clone()
	if err := now.Read(func() error { return attach(in) }); err != nil {
		return err
	}
	c.attached = maps.Clone(c.attached)
	c.attached[m.Metadata().Task] = m
	c.publish(now.like(in), nil, nil)
	return nil
}

// translate returns records with their graphs in a vocabulary.
func translate(vocab *graph.Vocabulary, records []Record) []Record {
	own := make([]Record, len(records))
	for i, r := range records {
		r.Graph = graph.In(vocab, r.Graph)
		own[i] = r
	}
	return own
}
