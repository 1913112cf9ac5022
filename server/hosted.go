package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/search"
)

// hosted is a collection of the service.
type hosted struct {
	Hosted
	names      *Names
	generation atomic.Int64 // counts changes
	writers    *gate        // held during a change
	dropped    bool         // for whom it lets in
	unreadable lastError    // of taking up what other processes changed

	planes     [2]cached[greed.Plane] // by task, GED and SED
	attributes cached[Attributes]
}

// cached is a value computed from a collection, valid until that changes.
type cached[T any] struct {
	mu         sync.Mutex // held while it is made
	generation int64      // of which it is
	value      *T
}

// get returns the value. After a change one request makes it while others wait; changes and
// what needs another value do not wait.
func (k *cached[T]) get(ctx context.Context, of *hosted, make func() (*T, error)) (*T, error) {
	understood(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	generation := of.generation.Load() // before the collection is read
	if k.value != nil && k.generation == generation {
		return k.value, nil
	}
	value, err := make()
	if err == nil {
		k.generation, k.value = generation, value
	}
	return value, err
}

// checkLink returns an error unless a link leads to a web page for every id. The page
// follows it, so a script must not pass.
func checkLink(link string) error {
	if link == "" {
		return nil
	}
	scheme, _, ok := strings.Cut(link, "://")
	if !ok || scheme != "http" && scheme != "https" || !strings.Contains(link, "{id}") {
		return fmt.Errorf("server: the link %s is not a web address with {id} in it, such as https://example.org/{id}",
			link)
	}
	if _, err := url.Parse(strings.ReplaceAll(link, "{id}", "id")); err != nil {
		return fmt.Errorf("server: the link: %w", err)
	}
	return nil
}

// readAhead reads what searches of all collections need of every graph, bounds and vectors, so that no request waits
// until they are verified against their checksums. It says in the log which ids several indexes of a collection have.
func (s *Server) readAhead(ctx context.Context) {
	defer s.flights.begin()()
	now := s.catalog.Load()
	for _, name := range now.names {
		c := now.by[name].Collection
		if ctx.Err() != nil {
			return
		}
		if c.Listable() != nil { // a synthon space, which is read as a whole when it is opened
			continue
		}
		if err := c.Read(func(in *search.Collection) error {
			in.ReadBounds()
			return nil
		}); err != nil {
			s.opt.Log.Warn("bounds cannot be read", "collection", name, "error", err)
		}
		for _, task := range c.Models() {
			if ctx.Err() != nil {
				return
			}
			if _, _, _, err := c.Sample(ctx, task, 1); err != nil && ctx.Err() == nil {
				s.opt.Log.Warn("vectors cannot be read", "collection", name, "error", err)
			}
		}
		list, count, err := c.Repeated(ctx, 1)
		if err != nil && ctx.Err() == nil {
			s.opt.Log.Warn("ids cannot be read", "collection", name, "error", err)
		} else if len(list) > 0 {
			s.opt.Log.Warn("several indexes have the same ids, by which no graph is found", "collection", name,
				"ids", count, "first", list[0].ID, "indexes", list[0].Indexes)
		}
	}
}

// writable returns an error unless the collection can be changed.
func (s *hosted) writable() error {
	if !s.Writable {
		return problem(http.StatusForbidden, "the collection %q is read-only here", s.Name)
	}
	return nil
}

// rules returns those by which the graphs of the collection, which may be nil, were read.
func (s *hosted) rules() (rules dataset.Rules) {
	if s != nil {
		rules, _ = s.Collection.Rules()
	}
	return rules
}

// get returns a graph of the collection.
func (s *hosted) get(id string) (dataset.Record, error) {
	rec, ok := s.Collection.Get(id)
	if !ok {
		return dataset.Record{}, s.missing(id)
	}
	return rec, nil
}

// missing says that there is no graph with an id, or several.
func (s *hosted) missing(id string) error {
	if err := s.Collection.Unfound(id); errors.Is(err, greed.ErrRepeated) {
		return explain(err)
	}
	if lost := s.Collection.Unsearched(); len(lost) > 0 {
		return problem(http.StatusNotFound, "there is no graph %q in what can be read of %s, which lacks %s: %s", id,
			s.Name, lost[0].Index, lost[0].Reason)
	}
	return problem(http.StatusNotFound, "there is no graph %q in %s", id, s.Name)
}

// comparable returns an error if a query has no distance to the graphs of the
// collection.
func (s *hosted) comparable(query dataset.Record) error {
	if s.Collection.Direction().Check(query) == nil {
		return nil
	}
	is, are := "undirected", "directed"
	if query.Graph.Directed() {
		is, are = are, is
	}
	return problem(http.StatusUnprocessableEntity, "the query is %s and the graphs of %s are %s: there is no distance "+
		"between them", is, s.Name, are)
}

// To look at collections that nobody changed takes at most one part in refreshShare of a core, as long as
// each is looked at every refreshLatest.
const (
	refreshShare  = 20
	refreshLatest = time.Second
)

// refreshPause returns how long to wait after looking at all collections took so long.
func refreshPause(every, took time.Duration) time.Duration {
	return max(every, min((refreshShare-1)*took, refreshLatest))
}

// Refresh keeps taking up what other processes write to the collections, until the
// context ends.
func (s *Server) Refresh(ctx context.Context) {
	if s.opt.RefreshEvery <= 0 {
		return
	}
	var reading sync.WaitGroup
	reading.Go(func() { s.readAhead(ctx) })
	defer reading.Wait()
	for pause := s.opt.RefreshEvery; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		end := s.flights.begin()
		now := s.catalog.Load()
		took := time.Duration(0) // to find nothing
		for _, name := range now.names {
			sh := now.by[name]
			begin := time.Now()
			changed, err := sh.Collection.Refresh(ctx)
			if !changed {
				took += time.Since(begin)
			}
			if ctx.Err() != nil {
				break
			}
			if sh.unreadable.set(err) && err != nil { // log it once, not at each tick
				s.opt.Log.Warn("collection not refreshed", "collection", name, "error", err)
			}
			if changed && err == nil {
				sh.generation.Add(1)
				s.opt.Log.Debug("collection refreshed", "collection", name, "graphs", sh.Collection.Len())
			}
		}
		pause = refreshPause(s.opt.RefreshEvery, took)
		end()
	}
}
