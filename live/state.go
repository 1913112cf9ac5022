package live

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/fault"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
)

// State is a collection at one moment. Release it after use, so that its memory can be
// unmapped.
type State struct {
	*search.Collection
	// Generation is that of the manifest. In memory it counts the changes.
	Generation uint64

	born    string         // of one in memory: identifies it
	known   store.Known    // of one on the disk
	segment *store.Segment // nil if there is none
	parts   []*State       // of a collection of several: theirs, which begin at the positions starts; nil otherwise
	starts  []int
	loaded  store.Held // memory of the segment, and of the vectors at loading
	latest  store.Held // memory of vectors added since
	users   atomic.Int64
	prints  map[*model.Model]string
	plain   int    // graphs that are not molecules
	lost    error  // see Err
	lostTag string // the tag of the last of these

	sorting sync.Once
	sorted  []orderedID // see order
}

// newState returns a state with one user. contents is nil in memory.
func newState(in *search.Collection, contents *store.Contents) *State {
	s := &State{Collection: in, prints: make(map[*model.Model]string)}
	s.users.Store(1)
	if contents == nil {
		s.born = rand.Text()
		s.count()
		return s
	}
	s.Generation, s.known, s.segment, s.loaded = contents.Generation(), contents.Known, contents.Segment, contents.Held
	for _, e := range contents.Engines {
		s.prints[e.Model] = e.Fingerprint
	}
	return s
}

// like returns a state of the same generation and memory, with one user.
func (s *State) like(in *search.Collection) *State {
	next := &State{
		Collection: in, Generation: s.Generation, born: s.born, known: s.known, segment: s.segment,
		loaded: s.loaded.Again(), latest: s.latest.Again(), prints: maps.Clone(s.prints), plain: s.plain, lost: s.lost,
		lostTag: s.lostTag,
	}
	next.users.Store(1)
	return next
}

// inSegment returns how many positions the segment has.
func (s *State) inSegment() int {
	if s.segment == nil {
		return 0
	}
	return s.segment.Len()
}

// Tag names the state: a change of the collection makes it another.
func (s *State) Tag() string {
	if s.lost != nil {
		return s.lostTag
	}
	if s.born != "" {
		return fmt.Sprintf("%s-%x", s.born, s.Generation)
	}
	return s.known.Tag()
}

// Known returns the states of the indexes that the state has, one after the other; none in memory.
func (s *State) Known() (list []store.Known) {
	for _, part := range s.parts {
		list = append(list, part.Known()...)
	}
	if s.born == "" {
		list = append(list, s.known)
	}
	return list
}

// count counts the graphs that are not molecules.
func (s *State) count() {
	s.plain = 0
	inSegment := s.segmentPlain()
	for p := range s.Live() {
		if s.segment != nil && p < s.segment.Len() {
			if inSegment(p) {
				s.plain++
			}
		} else if about := s.About(p); !about.IsMolecule() {
			s.plain++
		}
	}
}

// segmentPlain reports of positions in the segment whether their graphs are not molecules. It
// reads a record only if molecules and others are mixed.
func (s *State) segmentPlain() func(position int) bool {
	if s.segment == nil {
		return nil
	}
	if plain, records := s.segment.Plain(); plain == 0 || plain == records {
		return func(int) bool { return plain > 0 }
	}
	return func(p int) bool { return !s.segment.Molecule(p) }
}

// SomeMolecules reports whether any graph of the collection was read as a molecule.
func (s *State) SomeMolecules() bool { return s.plain < s.Len() }

// Molecules reports whether the collection has graphs and all were read as molecules.
func (s *State) Molecules() bool { return s.Len() > 0 && s.plain == 0 }

// Release ends one use of the state. The last one unmaps its memory.
func (s *State) Release() error {
	if s.users.Add(-1) > 0 {
		return nil
	}
	errs := []error{s.loaded.Release(), s.latest.Release()}
	for _, part := range s.parts {
		errs = append(errs, part.Release())
	}
	return errors.Join(errs...)
}

// Read runs read, which may use the state. If a mapped file was truncated, it returns
// an error that wraps [store.ErrDamaged]; without Read the process would crash. Read
// does not guard goroutines that read starts, except when these ask for records.
func (s *State) Read(read func() error) error {
	if s.lost != nil {
		return s.lost
	}
	err := fault.Guard(read)
	var gone *fault.Error
	switch {
	case errors.As(err, &gone):
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	// Records that were lost were read as empty graphs, so the answer is worthless.
	case s.Collection.Err() != nil:
		return s.Collection.Err()
	}
	return err
}

// Err returns why the state cannot be read, or nil: changes that were acknowledged are missing,
// or the collection was closed, and then the state is empty.
func (s *State) Err() error { return s.lost }

// Fingerprint returns the fingerprint of the model for a task, or "".
func (s *State) Fingerprint(task edit.Task) string { return s.prints[s.Model(task)] }

// Acquire returns the current state with one more user. It has all changes that were
// acknowledged. Of a closed collection it is a state that only has an error.
func (c *Collection) Acquire() *State {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.awaitCurrent()
	return c.acquire()
}

func (c *Collection) acquire() *State {
	switch {
	case c.parts != nil:
		return c.severalAcquire()
	case c.current == nil:
		return closedState()
	}
	c.current.users.Add(1)
	return c.current
}

// closedState returns the state of a closed collection.
func closedState() *State {
	closed := newState(search.NewCollection(graph.NewVocabulary(), nil), nil)
	closed.lost, closed.lostTag = errClosed, "closed"
	return closed
}

// publish makes next the current state. If put and drop are not nil, its positions are
// those of the previous state, with put appended and drop emptied. If both are nil,
// they may differ altogether.
func (c *Collection) publish(next *State, put []Record, drop []int) {
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		if m := next.Model(task); m != nil && next.prints[m] == "" {
			next.prints[m] = m.Fingerprint()
		}
	}
	c.mu.Lock()
	before := c.current
	if put == nil && drop == nil {
		c.later = nil
	}
	if c.later != nil {
		first := before.Positions()
		for _, p := range drop {
			if p >= before.inSegment() && p < first {
				if id := before.ID(p); c.later[id] == p {
					delete(c.later, id)
				}
			}
		}
		for i, r := range put {
			if p := first + i; !next.Deleted(p) {
				c.later[r.ID] = p
			}
		}
	}
	c.current = next
	c.mu.Unlock()
	// The states share memory, so memory that cannot be unmapped stays mapped; that does no harm.
	_ = before.Release()
}

// Get returns the record with an id, and whether there is one. If several have the id,
// it returns the last; of several indexes none then: see [Collection.Unfound].
func (c *Collection) Get(id string) (rec Record, ok bool, err error) {
	s, position, ok := c.Find(id)
	defer s.Release()
	if !ok {
		return rec, false, s.Read(func() error { return nil })
	}
	err = s.Read(func() error {
		rec = s.Record(position)
		return nil
	})
	return rec, err == nil, err
}

// Has reports whether there is a record with an id. It reads none.
func (c *Collection) Has(id string) bool {
	s, _, ok := c.Find(id)
	_ = s.Release()
	return ok
}

// Blocks sets [dataset.Record.Block] of records of the collection to the MOL blocks that
// their molecules were read from. In memory the records have them already.
func (c *Collection) Blocks(ctx context.Context, records []Record) error {
	c.change.Lock()
	s := c.store
	c.change.Unlock()
	var errs []error
	for _, p := range c.parts {
		errs = append(errs, p.Blocks(ctx, records))
	}
	if s == nil || len(records) == 0 {
		return errors.Join(errs...)
	}
	return s.Blocks(ctx, records)
}

// Find returns the current state and the position of an id in it. The segment finds its ids in a sorted list;
// only those of later positions are kept in a map.
func (c *Collection) Find(id string) (*State, int, bool) {
	if c.parts != nil {
		return c.severalFind(id)
	}
	c.mu.Lock()
	c.awaitCurrent()
	for c.later == nil && c.current != nil {
		s := c.acquire()
		c.mu.Unlock()
		later := make(map[string]int, s.Positions()-s.inSegment())
		_ = s.Read(func() error { // a state that was lost has none
			for p := s.inSegment(); p < s.Positions(); p++ {
				if !s.Deleted(p) {
					later[s.ID(p)] = p
				}
			}
			return nil
		})
		c.mu.Lock()
		if c.current == s && c.later == nil {
			c.later = later
		}
		_ = s.Release()
	}
	s := c.acquire()
	position, ok := c.later[id]
	c.mu.Unlock()
	if !ok && s.segment != nil {
		_ = s.Read(func() error { // a record that was lost is not found
			position, _, ok = s.segment.Find(id)
			ok = ok && !s.Deleted(position)
			return nil
		})
	}
	return s, position, ok
}
