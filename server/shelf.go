package server

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/greedgraph/greed/dataset"
)

// shelf is a collection in service.
type shelf struct {
	Shelf
	generation atomic.Int64 // counts changes
	writers    *gate        // changes come one after the other

	mu        sync.Mutex
	maps      map[string]*projection // by task
	molecules *bool                  // nil: not looked at since the last change
}

// changed notes that the collection is another.
func (s *shelf) changed() {
	s.generation.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.maps, s.molecules = nil, nil
}

// molecular reports whether there are graphs and all are of molecules.
func (s *shelf) molecular() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.molecules == nil {
		all := dataset.Molecules(func(yield func(dataset.Record) bool) {
			for _, about := range s.Collection.Listing() {
				if !yield(about) {
					return
				}
			}
		})
		s.molecules = &all
	}
	return *s.molecules
}

// writable returns an error unless the collection can be changed.
func (s *shelf) writable() error {
	if !s.Writable {
		return problem(http.StatusForbidden, "the collection %q is read-only here", s.Name)
	}
	return nil
}

// kind returns which graphs the collection has: directed ones, others, or none
// so far.
func (s *shelf) kind() dataset.Kind {
	for rec := range s.Collection.All() {
		return dataset.KindOf(rec)
	}
	return dataset.Kind{}
}

// comparable returns an error if a query has no distance to the graphs of the
// collection.
func (s *shelf) comparable(query dataset.Record) error {
	kind := s.kind()
	if kind.Check(query) == nil {
		return nil
	}
	is, are := "undirected", "directed"
	if query.Graph.Directed() {
		is, are = are, is
	}
	return problem(http.StatusUnprocessableEntity, "the query is %s and the graphs of %s are %s: there is no distance between them", is, s.Name, are)
}

// Refresh takes up, again and again until the context ends, what other processes
// write to the collections.
func (s *Server) Refresh(ctx context.Context) {
	if s.opt.RefreshEvery <= 0 {
		return
	}
	tick := time.NewTicker(s.opt.RefreshEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, name := range s.names {
			sh := s.shelves[name]
			switch changed, err := sh.Collection.Refresh(ctx); {
			case err != nil && ctx.Err() == nil:
				s.opt.Log.Warn("collection not refreshed", "collection", name, "error", err)
			case changed:
				sh.changed()
				s.opt.Log.Info("collection refreshed", "collection", name, "graphs", sh.Collection.Len())
			}
		}
	}
}
