package live_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
)

// holds fails unless the collection has exactly the records of want, finds each by
// its id and by a search, and knows no other.
func holds(t fatal, c *live.Collection, want map[string]live.Record) {
	t.Helper()
	s := c.Acquire()
	defer s.Release()
	if s.Len() != len(want) {
		t.Fatalf("%d graphs, want %d", s.Len(), len(want))
	}
	found := 0
	for p := range s.Live() {
		got := s.Record(p)
		w, ok := want[got.ID]
		if !ok || w.Name != got.Name || !graph.Isomorphic(graph.In(s.Vocabulary(), w.Graph), got.Graph) {
			t.Fatalf("%q is version %q of a graph of %d nodes, want %q", got.ID, got.Name, got.Graph.N(), w.Name)
		}
		if about := s.About(p); about.ID != got.ID {
			t.Fatalf("position %d is %q and about %q", p, got.ID, about.ID)
		}
		found++
	}
	if found != len(want) {
		t.Fatalf("%d graphs are live, want %d", found, len(want))
	}
	for id, w := range want {
		got, ok, err := c.Get(id)
		must(t, err)
		if !ok || got.Name != w.Name {
			t.Fatalf("%q is version %q, want %q", id, got.Name, w.Name)
		}
	}
	if _, ok, err := c.Get("nobody"); ok || err != nil {
		t.Fatalf("nobody is found: error %v", err)
	}
	var listed []string
	for rec, err := range c.After("") {
		must(t, err)
		listed = append(listed, rec.ID)
	}
	if !slices.Equal(listed, slices.Sorted(maps.Keys(want))) {
		t.Fatalf("listed are %q, want those of %v", listed, want)
	}
	answers(t, s, want)
}

// answers fails unless predictions find every graph at distance 0 of itself, which
// they do if each vector is that of its record.
func answers(t fatal, s *live.State, want map[string]live.Record) {
	t.Helper()
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		if s.Model(task) == nil {
			continue
		}
		for id, w := range want {
			q := graph.Adopt(s.Vocabulary(), w.Graph)
			r, err := s.Search(background(), q, search.Options{Task: task, Mode: search.Predicted, Radius: new(1e-6)})
			must(t, err)
			if !slices.ContainsFunc(r.Answers, func(a search.Answer) bool { return s.About(a.Position).ID == id }) {
				t.Fatalf("%v: %q is not among %d answers", task, id, len(r.Answers))
			}
		}
	}
}

// TestLikeAMap changes one index through two collections, as two processes do, and
// a third in memory, and compares them with a map.
func TestLikeAMap(t *testing.T) {
	t.Parallel()
	place := inMemory(t)
	rapid.Check(t, func(r *rapid.T) {
		folder, err := os.MkdirTemp(place, "")
		must(r, err)
		defer os.RemoveAll(folder)
		dir := filepath.Join(folder, "index")
		build(r, dir, []*model.Model{small(edit.GED)}, numbered(3))
		want := make(map[string]live.Record)
		for _, rec := range numbered(3) {
			want[rec.ID] = rec
		}
		var all []*live.Collection
		for range 2 {
			c, err := live.Open(background(), dir)
			must(r, err)
			defer c.Close()
			all = append(all, c)
		}
		memory := live.New(search.NewCollection(graph.NewVocabulary(), nil))
		defer memory.Close()
		must(r, memory.Attach(background(), small(edit.GED)))
		_, err = memory.Apply(background(), live.Change{Put: numbered(3)})
		must(r, err)
		version := 100
		ids := rapid.SampledFrom([]string{"0", "1", "2", "a", "b", "é\n"})
		r.Repeat(map[string]func(*rapid.T){
			"change": func(r *rapid.T) {
				var change live.Change
				var expect live.Outcome
				next := maps.Clone(want)
				for _, id := range rapid.SliceOfNDistinct(ids, 0, 3, rapid.ID).Draw(r, "delete") {
					change.Delete = append(change.Delete, id)
					if _, ok := next[id]; ok {
						expect.Deleted++
						delete(next, id)
					}
				}
				before := maps.Clone(next)
				for _, id := range rapid.SliceOfN(ids, 0, 4).Draw(r, "put") {
					version++
					rec := record(id, version)
					change.Put = append(change.Put, rec)
					if _, ok := before[id]; ok {
						expect.Replaced++
						delete(before, id)
					}
					next[id] = rec
				}
				for _, c := range []*live.Collection{rapid.SampledFrom(all).Draw(r, "who"), memory} {
					got, err := c.Apply(background(), change)
					must(r, err)
					if got != expect {
						r.Fatalf("%+v, want %+v", got, expect)
					}
				}
				want = next
			},
			"refresh": func(r *rapid.T) {
				_, err := rapid.SampledFrom(all).Draw(r, "who").Refresh(background())
				must(r, err)
			},
			"lay out anew": func(r *rapid.T) {
				s, err := store.Open(dir, store.Options{})
				must(r, err)
				if rapid.Bool().Draw(r, "compact") {
					_, _, err = s.Compact(background(), 1)
				} else {
					err = s.WriteSegment(background(), 1)
				}
				must(r, errors.Join(err, s.Close()))
			},
			"": func(r *rapid.T) {
				for _, c := range all {
					_, err := c.Refresh(background())
					must(r, err)
					holds(r, c, want)
				}
				holds(r, memory, want)
			},
		})
	})
}

// TestOthersWritesStay: what another process wrote between our last look and our
// own change is there, and what it deleted is not.
func TestOthersWritesStay(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(5))
	ours, theirs := open(t, dir), open(t, dir)
	holds(t, ours, map[string]live.Record{"0": record("0", 0), "1": record("1", 1), "2": record("2", 2), "3": record("3", 3), "4": record("4", 4)})
	apply := func(c *live.Collection, want live.Outcome, change live.Change) {
		t.Helper()
		got, err := c.Apply(background(), change)
		must(t, err)
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	apply(theirs, live.Outcome{Deleted: 1}, live.Change{Put: []live.Record{record("x", 7)}, Delete: []string{"0"}})
	apply(ours, live.Outcome{}, live.Change{Put: []live.Record{record("y", 8)}})
	want := map[string]live.Record{"1": record("1", 1), "2": record("2", 2), "3": record("3", 3), "4": record("4", 4), "x": record("x", 7), "y": record("y", 8)}
	holds(t, ours, want)
	apply(theirs, live.Outcome{Replaced: 1}, live.Change{Put: []live.Record{record("x", 9)}})
	apply(ours, live.Outcome{Deleted: 1}, live.Change{Delete: []string{"x", "0"}})
	delete(want, "x")
	holds(t, ours, want)
	_, err := theirs.Refresh(background())
	must(t, err)
	holds(t, theirs, want)
}

// TestChangeIsWhole: a change of which a part cannot be done leaves everything.
func TestChangeIsWhole(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(5))
	memory := live.New(search.NewCollection(graph.NewVocabulary(), nil))
	t.Cleanup(func() { must(t, memory.Close()) })
	_, err := memory.Apply(background(), live.Change{Put: numbered(5)})
	must(t, err)
	want := make(map[string]live.Record)
	for _, r := range numbered(5) {
		want[r.ID] = r
	}
	directed, err := graph.NewBuilder(graph.NewVocabulary(), true).Build()
	must(t, err)
	for name, c := range map[string]*live.Collection{"disk": open(t, dir), "memory": memory} {
		for what, bad := range map[string]live.Record{
			"long id":  record(strings.Repeat("x", store.MaxID+1), 1),
			"no id":    record("", 1),
			"not UTF8": record("\xff", 1),
			"no graph": {ID: "none"},
			"directed": {ID: "directed", Graph: directed},
		} {
			change := live.Change{Delete: []string{"1", "2"}, Put: []live.Record{record("3", 50), record("new", 51), bad}}
			if _, err := c.Apply(background(), change); !errors.Is(err, store.ErrRecord) {
				t.Errorf("%s: %s: error %v", name, what, err)
			}
			holds(t, c, want)
		}
		_, err := c.Apply(background(), live.Change{New: true, Delete: []string{"1"}, Put: []live.Record{record("1", 60), record("2", 61)}})
		var twice *store.DuplicateError
		if !errors.As(err, &twice) || twice.ID != "2" || twice.Index != 1 || twice.Slot != 2 {
			t.Errorf("%s: an id that is there: %v", name, err)
		}
		holds(t, c, want)
	}
}

// TestKindMayChange: when all graphs go, others may come.
func TestKindMayChange(t *testing.T) {
	b := graph.NewBuilder(graph.NewVocabulary(), true)
	b.AddNode("C")
	b.AddNode("N")
	must(t, b.AddEdge(0, 1, "1"))
	directed, err := b.Build()
	must(t, err)
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, nil, numbered(2))
	c := open(t, dir)
	_, err = c.Apply(background(), live.Change{Put: []live.Record{{ID: "d", Graph: directed}}})
	if !errors.Is(err, dataset.ErrMixed) {
		t.Errorf("error %v", err)
	}
	_, err = c.Apply(background(), live.Change{Delete: []string{"0", "1"}, Put: []live.Record{{ID: "d", Graph: directed}}})
	must(t, err)
	holds(t, c, map[string]live.Record{"d": {ID: "d", Graph: directed}})
}

// TestUnreadAttributesAreKept: that attributes of an added graph count in no comparison is known at once, in
// memory and in an index, as after it is opened anew.
func TestUnreadAttributesAreKept(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, nil, numbered(2))
	s, err := store.Open(dir, store.Options{})
	must(t, err)
	must(t, s.SetRules(background(), dataset.Rules{Charge: true}))
	must(t, s.Close())
	in := search.NewCollection(graph.NewVocabulary(), nil)
	in.Rules = &dataset.Rules{Charge: true}
	memory := live.New(in)
	t.Cleanup(func() { must(t, memory.Close()) })
	want := dataset.Rules{Charge: true, Unread: dataset.Unread{Nodes: true}}
	rules := func(c *live.Collection) *dataset.Rules {
		state := c.Acquire()
		defer state.Release()
		return state.Rules
	}
	for name, c := range map[string]*live.Collection{"disk": open(t, dir), "memory": memory} {
		added := record("unread", 1)
		added.Unread.Nodes = true
		_, err := c.Apply(background(), live.Change{Put: []live.Record{added}})
		must(t, err)
		if got := rules(c); got == nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: the rules are %+v", name, got)
		}
	}
	if got := rules(open(t, dir)); got == nil || !reflect.DeepEqual(*got, want) {
		t.Errorf("opened anew: the rules are %+v", got)
	}
}

// TestGraphWithoutNodes is kept and found as any other.
func TestGraphWithoutNodes(t *testing.T) {
	empty, err := graph.NewBuilder(graph.NewVocabulary(), false).Build()
	must(t, err)
	rec := live.Record{ID: "empty", Graph: empty}
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED)}, []live.Record{rec})
	c := open(t, dir)
	holds(t, c, map[string]live.Record{"empty": rec})
	_, err = c.Apply(background(), live.Change{Put: []live.Record{rec, record("1", 1)}})
	must(t, err)
	holds(t, open(t, dir), map[string]live.Record{"empty": rec, "1": record("1", 1)})
}

// TestNothingGrows: thousands of changes, ours and others', leave memory and
// mappings where they were.
func TestNothingGrows(t *testing.T) {
	changes := 400
	if testing.Short() {
		changes = 100
	}
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, bundledModels(t), molecules(t, 300))
	ours, theirs := open(t, dir), open(t, dir)
	change := func(n int) {
		for i := range n {
			for _, c := range []*live.Collection{ours, theirs} {
				_, err := c.Apply(background(), live.Change{Put: []live.Record{record(fmt.Sprint(i%20), i)}})
				must(t, err)
			}
			_, err := ours.Refresh(background())
			must(t, err)
		}
	}
	change(50)
	mapped, known := mappings(t, dir)
	before := heap()
	change(changes)
	after := heap()
	if now, _ := mappings(t, dir); known && now > mapped {
		t.Errorf("%d mappings, were %d", now, mapped)
	}
	// The records themselves take some 2 kB until they are in the segment.
	if limit := before + before/5 + uint64(changes)*2*4096; after > limit {
		t.Errorf("heap of %d bytes, was %d", after, before)
	}
	t.Logf("heap %.1f MB, was %.1f MB", float64(after)/1e6, float64(before)/1e6)
}

// TestCloseGivesBack: with the last user the memory goes.
func TestCloseGivesBack(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(50))
	c, err := live.Open(background(), dir)
	must(t, err)
	s := c.Acquire()
	_, err = c.Apply(background(), live.Change{Put: numbered(10)})
	must(t, err)
	must(t, c.Close())
	if n, ok := mappings(t, dir); ok && n == 0 {
		t.Error("the memory went while it was in use")
	}
	if got := s.Record(7); got.ID != "7" { // of the state before
		t.Errorf("record 7 is %q", got.ID)
	}
	must(t, s.Release())
	if n, _ := mappings(t, dir); n != 0 {
		t.Errorf("%d mappings are left", n)
	}
}

// TestCloseOfSeveralGivesBack: so it does of several indexes, whose joined states take over the uses of their own.
func TestCloseOfSeveralGivesBack(t *testing.T) {
	dir := inMemory(t)
	var paths []string
	for _, name := range []string{"a.index", "b.index"} {
		paths = append(paths, filepath.Join(dir, name))
		build(t, paths[len(paths)-1], []*model.Model{small(edit.GED)}, numbered(50))
	}
	c, err := live.OpenSeveral(background(), paths)
	must(t, err)
	s := c.Acquire()
	must(t, c.Acquire().Release())
	must(t, c.Close())
	if n, ok := mappings(t, dir); ok && n == 0 {
		t.Error("the memory went while it was in use")
	}
	must(t, s.Release())
	if n, _ := mappings(t, dir); n != 0 {
		t.Errorf("%d mappings are left", n)
	}
}

// TestSearchesWhileItChanges searches on four goroutines while two collections
// change the same index, and lay it out anew.
func TestSearchesWhileItChanges(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED), small(edit.SED)}, numbered(200))
	ours, theirs := open(t, dir), open(t, dir)
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	var over atomic.Bool
	var searchers sync.WaitGroup
	for i := range 4 {
		searchers.Go(func() {
			last := uint64(0)
			for k := 0; !over.Load(); k++ {
				s := ours.Acquire()
				if s.Generation < last {
					t.Errorf("generation %d after %d", s.Generation, last)
				}
				last = s.Generation
				err := s.Read(func() error {
					q := graph.Adopt(s.Vocabulary(), path(graph.NewVocabulary(), 3+k%4, "C"))
					r, err := s.Search(background(), q, search.Options{Task: edit.Task(i % 2), K: 3, Mode: search.Checked, Workers: 2})
					if err == nil && len(r.Answers) != 3 {
						t.Errorf("%d answers", len(r.Answers))
					}
					return err
				})
				if err := errors.Join(err, s.Release()); err != nil {
					t.Error(err)
					return
				}
				if rec, ok, err := ours.Get("always"); k > 0 && err != nil || ok && rec.ID != "always" {
					t.Errorf("got %+v, error %v", rec, err)
				}
			}
		})
	}
	for i := range rounds {
		for k, c := range []*live.Collection{ours, theirs} {
			_, err := c.Apply(background(), live.Change{
				Put: []live.Record{record(fmt.Sprint(i%30), i), record("always", i)}, Delete: []string{fmt.Sprint((i + 7*k) % 50)},
			})
			must(t, err)
		}
		if i%10 == 9 {
			s, err := store.Open(dir, store.Options{})
			must(t, err)
			_, _, err = s.Compact(background(), 1)
			must(t, errors.Join(err, s.Close()))
		}
		_, err := ours.Refresh(background())
		must(t, err)
	}
	over.Store(true)
	searchers.Wait()
}

// TestMaintainedBesideSearches: a collection that grew much gets a segment, and one that is
// mostly empty compacted, without anybody asking.
func TestMaintainedBesideSearches(t *testing.T) {
	for _, disk := range []bool{true, false} {
		t.Run(fmt.Sprint("disk=", disk), func(t *testing.T) {
			var c *live.Collection
			if disk {
				dir := filepath.Join(inMemory(t), "index")
				build(t, dir, []*model.Model{small(edit.GED)}, numbered(10))
				s, err := store.Open(dir, store.Options{})
				must(t, err)
				must(t, errors.Join(s.SetRules(background(), dataset.Rules{}), s.Close()))
				c = open(t, dir)
			} else {
				in := search.NewCollection(graph.NewVocabulary(), nil)
				in.Rules = new(dataset.Rules)
				c = live.New(in)
				t.Cleanup(func() { must(t, c.Close()) })
				must(t, c.Attach(background(), small(edit.GED)))
			}
			indexed := func() (int, int) {
				s := c.Acquire()
				defer s.Release()
				return s.Indexed(), s.Positions()
			}
			_, err := c.Apply(background(), live.Change{Put: numbered(5000)})
			must(t, err)
			must(t, c.Maintained())
			if at, n := indexed(); at < 5000 || n != at {
				t.Errorf("%d of %d positions are in a vector index", at, n)
			}
			// While that went on or after it, further changes were not lost.
			_, err = c.Apply(background(), live.Change{Put: []live.Record{record("late", 3)}})
			must(t, err)
			for range 2 {
				_, err = c.Apply(background(), live.Change{Put: numbered(5000)})
				must(t, err)
			}
			unread := record("unread", 4)
			unread.Unread.Nodes = true
			_, err = c.Apply(background(), live.Change{Put: []live.Record{unread}})
			must(t, err)
			must(t, c.Maintained())
			_, err = c.Apply(background(), live.Change{Delete: []string{"17", "unread"}})
			must(t, err)
			must(t, c.Maintained())
			if _, n := indexed(); n > 11000 {
				t.Errorf("%d positions for 5,000 graphs", n)
			}
			s := c.Acquire()
			defer s.Release()
			if s.Len() != 5000 || !s.Rules.Unread.Nodes {
				t.Errorf("%d graphs, read by %+v", s.Len(), s.Rules)
			}
			if _, ok, err := c.Get("late"); !ok || err != nil {
				t.Errorf("late is lost: %v", err)
			}
			want := make(map[string]live.Record)
			for i := 0; i < 5000; i += 500 {
				want[fmt.Sprint(i)] = record(fmt.Sprint(i), i)
			}
			answers(t, s, want)
		})
	}
}
