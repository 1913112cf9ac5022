package search_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
)

// countingSegment counts the graphs that are read.
type countingSegment struct {
	records []dataset.Record
	signed  bound.Signatures
	sheet   screen.Sheet
	read    int
	looked  int // that it was told of
}

func (s *countingSegment) Len() int { return len(s.records) }
func (s *countingSegment) Record(i int) dataset.Record {
	s.read++
	return s.records[i]
}
func (s *countingSegment) About(i int) dataset.Record { return s.records[i] }
func (s *countingSegment) ID(i int) string            { return s.records[i].ID }
func (s *countingSegment) AttributeText(int) []byte   { return nil }
func (s *countingSegment) Graph(i int, _ *graph.Scratch) *graph.Graph {
	return s.Record(i).Graph
}
func (s *countingSegment) Form(i int) graph.Form         { return s.Record(i).Graph }
func (s *countingSegment) Vocabulary() *graph.Vocabulary { return s.records[0].Graph.Vocabulary() }
func (s *countingSegment) Signatures() *bound.Signatures { return &s.signed }
func (s *countingSegment) Sheet() *screen.Sheet          { return &s.sheet }
func (s *countingSegment) Rest(looked int)               { s.looked += looked }
func (s *countingSegment) Err() error                    { return nil }

// TestLateAnswersReadNoGraphs: when time is up, answers that were not reached get bounds
// without their graphs being read, and the bounds are what their node maps cost.
func TestLateAnswersReadNoGraphs(t *testing.T) {
	const graphs = 300
	for _, directed := range []bool{false, true} {
		vocab, segment := graph.NewVocabulary(), &countingSegment{}
		for i := range graphs {
			b := graph.NewBuilder(vocab, directed)
			for v := range i % 40 {
				b.AddNode(fmt.Sprint(v * i % 7))
				if v > 0 {
					if err := b.AddEdge(v/2, v, fmt.Sprint(i%3)); err != nil {
						t.Fatal(err)
					}
				}
			}
			g, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			segment.records = append(segment.records, dataset.Record{ID: fmt.Sprint(i), Graph: g})
			segment.signed.Append(g)
			segment.sheet.Append(g)
		}
		c := search.NewSegmented(vocab, segment, nil)
		q := segment.records[39].Graph
		uneven := edit.Uniform()
		uneven.NodeInsert, uneven.NodeDelete, uneven.EdgeInsert, uneven.EdgeDelete = 0.1, 0.7, 0.3, 1.3
		for _, costs := range []edit.Costs{edit.Uniform(), uneven} {
			for _, task := range []edit.Task{edit.GED, edit.SED} {
				segment.read, segment.looked = 0, 0
				r, err := c.Search(t.Context(), q, search.Options{Task: task, K: graphs, Costs: &costs, Time: 1})
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Answers) != graphs || segment.read > graphs/10 {
					t.Errorf("directed %v, %v: %d answers, for which %d graphs were read after the time", directed, task, len(r.Answers), segment.read)
				}
				if segment.looked < graphs {
					t.Errorf("directed %v, %v: the segment was told of %d graphs of %d", directed, task, segment.looked, graphs)
				}
				for _, a := range r.Answers {
					if cost := r.Pricing.Unit(0).Sum(edit.InducedCost(r.Pricing, q, segment.records[a.Position].Graph, a.Map)); cost != a.Upper {
						t.Errorf("directed %v, %v: the map costs %v, the bound is %v", directed, task, cost, a.Upper)
					}
				}
			}
		}
	}
}

// paths returns so many paths of few lengths.
func paths(n int) (*search.Collection, []dataset.Record) {
	vocab := graph.NewVocabulary()
	var list []dataset.Record
	for i := range n {
		b := graph.NewBuilder(vocab, false)
		for v := range 1 + i%50 {
			b.AddNode(fmt.Sprint(i % 3))
			if v > 0 {
				b.MustAdd(v-1, v, vocab.Edge(""))
			}
		}
		list = append(list, dataset.Record{ID: fmt.Sprint(i), Graph: b.MustBuild()})
	}
	return search.NewCollection(vocab, list), list
}

// TestUnreachedAreCounted: when time is up before a search for the nearest, or within a radius, has come to
// most graphs, all are accounted for, but only the nearest by their counts are told one by one.
func TestUnreachedAreCounted(t *testing.T) {
	c, list := paths(500)
	huge := 1e9
	for _, at := range []int{0, 24, 49} {
		q := list[at].Graph
		for _, k := range []int{0, 1, 10, 400} {
			opt := search.Options{K: k, Time: 1}
			if k == 0 {
				opt.Radius = &huge
			}
			r, err := c.Search(t.Context(), q, opt)
			if err != nil {
				t.Fatal(err)
			}
			told := len(r.Answers) + len(r.Missing) + r.Unreached
			for _, e := range r.Stats.Excluded {
				told += e.Graphs
			}
			if len(r.Answers) != k || r.Proven() || told > len(list) || r.Unreached > 0 && told < len(list) || len(r.Missing) > 200 || at > 0 && k < 400 && r.Unreached == 0 {
				t.Errorf("%d nodes, k = %d: %d answers, %d missing, %d not reached, %d told of %d", q.N(), k, len(r.Answers), len(r.Missing), r.Unreached, told, len(list))
			}
			if !slices.IsSortedFunc(r.Missing, func(a, b search.Answer) int { return cmp.Compare(a.Lower, b.Lower) }) {
				t.Errorf("%d nodes, k = %d: those missing are not in the order of lower bounds", q.N(), k)
			}
		}
		r, err := c.Search(t.Context(), q, search.Options{Radius: &huge, Time: 1, AllMissing: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Missing) != len(list) || r.Unreached != 0 {
			t.Errorf("%d nodes: of %d graphs %d are missing and %d not reached", q.N(), len(list), len(r.Missing), r.Unreached)
		}
	}
}

// TestManyWithinRadius: a search within a radius that holds many graphs takes them one part after the other
// if its time is limited, and finds what it finds without a limit.
func TestManyWithinRadius(t *testing.T) {
	c, list := paths(10_000)
	radius := 1e9
	var answers [2]string
	synctest.Test(t, func(t *testing.T) { // its clock stands still
		for i, limit := range []time.Duration{search.NoLimit, 10 * time.Millisecond} {
			r, err := c.Search(t.Context(), list[3].Graph, search.Options{Radius: &radius, Time: limit})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Proven() || len(r.Answers) != len(list) || r.Unreached != 0 || r.Stats.Graphs != len(list) {
				t.Errorf("%d answers, proven %v, %d not reached, %+v", len(r.Answers), r.Proven(), r.Unreached, r.Stats)
			}
			for _, a := range r.Answers {
				answers[i] += fmt.Sprint(" ", a.Position, a.Upper)
			}
		}
	})
	if answers[0] != answers[1] {
		t.Error("the answers differ")
	}
	synctest.Test(t, func(t *testing.T) { // time is up when half the graphs are solved
		opt := search.Options{Radius: &radius, Time: 10 * time.Millisecond, Workers: 1}
		opt.Progress = func(search.Progress) { time.Sleep(2 * time.Microsecond) }
		r, err := c.Search(t.Context(), list[3].Graph, opt)
		if err != nil {
			t.Fatal(err)
		}
		if told := len(r.Answers) + len(r.Missing) + r.Unreached; r.Proven() || len(r.Answers) < 4000 || r.Unreached < 1000 || told != len(list) {
			t.Errorf("%d answers, proven %v, %d missing, %d not reached", len(r.Answers), r.Proven(), len(r.Missing), r.Unreached)
		}
	})
}
