package live_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
)

// strange returns a chain of n nodes whose labels no other version has.
func strange(id string, version, n int) live.Record {
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	for v := range n {
		b.AddNode(fmt.Sprintf("node %d of %d", v, version))
		if v > 0 {
			if err := b.AddEdge(v-1, v, fmt.Sprintf("edge %d of %d", v, version)); err != nil {
				panic(err)
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return live.Record{ID: id, Graph: g}
}

// places are a collection in memory and one in an index, each with two models.
func places(t *testing.T, records []live.Record) map[string]*live.Collection {
	t.Helper()
	models := []*model.Model{small(edit.GED), small(edit.SED)}
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, models, records)
	vocab := graph.NewVocabulary()
	own := slices.Clone(records)
	for i := range own {
		own[i].Graph = graph.In(vocab, own[i].Graph)
	}
	in := search.NewCollection(vocab, own)
	for _, m := range models {
		must(t, in.Attach(background(), m, nil, nil))
	}
	memory := live.New(in)
	t.Cleanup(func() { must(t, memory.Close()) })
	return map[string]*live.Collection{"in memory": memory, "in an index": open(t, dir)}
}

// nodeLabels returns how many node labels the current state knows.
func nodeLabels(c *live.Collection) int {
	s := c.Acquire()
	defer s.Release()
	return s.Vocabulary().Nodes() - 1
}

// TestPutsCostTheSameWhateverLabels: a PUT of new labels takes as much memory beside 20,000
// labels as beside 20.
func TestPutsCostTheSameWhateverLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures memory, which the race detector changes, and puts one after the other")
	}
	const graphs, nodes = 1000, 20
	cost := func(version func(i int) int) map[string]uint64 {
		records := make([]live.Record, graphs)
		for i := range records {
			records[i] = strange(fmt.Sprint(i), version(i), nodes)
		}
		least := make(map[string]uint64) // tables grow by doubling, now and then
		for name, c := range places(t, records) {
			if n := nodeLabels(c); n != nodes*(version(graphs-1)+1) {
				t.Fatalf("%s: %d labels", name, n)
			}
			for round := range 4 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for i := range 20 {
					_, err := c.Apply(background(), live.Change{Put: []live.Record{strange("a", graphs+20*round+i, nodes)}})
					must(t, err)
				}
				runtime.ReadMemStats(&after)
				if each := (after.TotalAlloc - before.TotalAlloc) / 20; round == 0 || each < least[name] {
					least[name] = each
				}
			}
		}
		return least
	}
	few, many := cost(func(int) int { return 0 }), cost(func(i int) int { return i })
	for name := range few {
		t.Logf("%s: %d bytes a PUT, %d beside many labels", name, few[name], many[name])
		if many[name] > 2*few[name] {
			t.Errorf("%s: a PUT takes %d bytes, %d beside many labels", name, few[name], many[name])
		}
	}
}

// answersTo returns the answers of searches by both tasks.
func answersTo(t *testing.T, s *live.State, queries []live.Record) (text []string) {
	t.Helper()
	for _, q := range queries {
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			r, err := s.Search(background(), graph.Adopt(s.Vocabulary(), q.Graph), search.Options{Task: task, Radius: new(4.0)})
			must(t, err)
			var lines []string
			for _, a := range r.Answers {
				lines = append(lines, fmt.Sprintf("%s %g", s.About(a.Position).ID, a.Upper))
			}
			slices.Sort(lines)
			text = append(text, fmt.Sprint(q.ID, task, lines))
		}
	}
	return text
}

// TestCompactionFreesLabelsOfAService: a collection in use that is compacted knows only the
// labels that it uses, and answers as before; so does the state before.
func TestCompactionFreesLabelsOfAService(t *testing.T) {
	const ids, nodes, kept = 50, 3, 14 // kept: the labels of numbered
	for name, c := range places(t, numbered(20)) {
		before, compacted := c.Acquire(), 0
		positions := before.Positions()
		queries := append(numbered(5), strange("none", 1<<20, nodes))
		want := answersTo(t, before, queries)
		for i := 0; compacted < 2; i++ {
			var put []live.Record
			for j := range ids {
				put = append(put, strange(fmt.Sprint("u", j), i*ids+j, nodes))
			}
			_, err := c.Apply(background(), live.Change{Put: put})
			must(t, err)
			changed := c.Acquire()
			must(t, c.Maintained())
			after := c.Acquire()
			switch {
			case after.Positions() < positions+ids: // perhaps before changed was taken
				compacted++
				if n := nodeLabels(c); n != ids*nodes+kept {
					t.Errorf("%s: %d node labels are known, %d are used", name, n, ids*nodes+kept)
				}
				queries := append(queries, put[7])
				if got, want := answersTo(t, after, queries), answersTo(t, changed, queries); !slices.Equal(got, want) {
					t.Errorf("%s: answers\n%v, want\n%v", name, got, want)
				}
			case i > 200:
				t.Fatalf("%s: nothing was compacted", name)
			}
			positions = after.Positions()
			for _, s := range []*live.State{changed, after} {
				must(t, s.Release())
			}
		}
		if got := answersTo(t, before, queries); !slices.Equal(got, want) {
			t.Errorf("%s: the first state answers\n%v, want\n%v", name, got, want)
		}
		must(t, before.Release())
	}
}

// TestCompactionByAnotherProcess: the collection takes over the smaller vocabulary, and
// what it writes then has the right labels.
func TestCompactionByAnotherProcess(t *testing.T) {
	dir := filepath.Join(inMemory(t), "index")
	build(t, dir, []*model.Model{small(edit.GED)}, numbered(20))
	c := open(t, dir)
	for i := range 100 {
		_, err := c.Apply(background(), live.Change{Put: []live.Record{strange("a", i, 5)}})
		must(t, err)
	}
	for i := range 3 {
		must(t, rewriteIndex(dir, true))
		if i > 0 { // the first time the next change finds it out
			_, err := c.Refresh(background())
			must(t, err)
		}
		want := strange("a", 1000+i, 5)
		_, err := c.Apply(background(), live.Change{Put: []live.Record{want}})
		must(t, err)
		got, ok, err := c.Get("a")
		must(t, err)
		if !ok || !graph.Equal(graph.In(got.Graph.Vocabulary(), want.Graph), got.Graph) {
			t.Errorf("after compaction %d there is %v", i, got)
		}
		if n := nodeLabels(c); n > 14+2*5 {
			t.Errorf("%d node labels are known after compaction %d", n, i)
		}
		r, err := store.Check(background(), dir)
		must(t, err)
		if len(r.Problems) > 0 {
			t.Error(r.Problems)
		}
	}
}

// TestRefusedChangesLeaveNoLabels: what is not done is not remembered.
func TestRefusedChangesLeaveNoLabels(t *testing.T) {
	for name, c := range places(t, numbered(20)) {
		known := nodeLabels(c)
		for i := range 10 {
			_, err := c.Apply(background(), live.Change{Put: []live.Record{strange("a", i, 5)}, If: "another state"})
			if !errors.Is(err, store.ErrChanged) {
				t.Errorf("%s: another state: %v", name, err)
			}
			_, err = c.Apply(background(), live.Change{Put: []live.Record{strange("a", 100+i, 5), strange("3", 200+i, 5)}, New: true})
			if !errors.Is(err, store.ErrExists) {
				t.Errorf("%s: an id that exists: %v", name, err)
			}
		}
		if n := nodeLabels(c); n != known {
			t.Errorf("%s: %d node labels are known, %d before", name, n, known)
		}
	}
}
