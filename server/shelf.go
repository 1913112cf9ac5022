package server

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// shelf is a collection in service.
type shelf struct {
	Shelf
	generation atomic.Int64 // counts changes

	mu   sync.Mutex
	maps map[string]*projection // by task
}

// changed notes that the collection is another.
func (s *shelf) changed() {
	s.generation.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.maps = nil
}

// writable returns an error unless the collection can be changed.
func (s *shelf) writable() error {
	if !s.Writable {
		return problem(http.StatusForbidden, "the collection %q is read-only here", s.Name)
	}
	return nil
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
