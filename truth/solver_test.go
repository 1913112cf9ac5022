package truth

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
)

func solve(t *testing.T, s Solver, q, x *graph.Graph, limits ged.Options) ged.Result {
	t.Helper()
	r, err := s.Distance(t.Context(), q, x, limits)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCommonSubgraphsAreAMetric: the distance says the size of the largest
// common subgraph, and is a metric.
func TestCommonSubgraphsAreAMetric(t *testing.T) {
	vocab := graph.NewVocabulary()
	graphs := collection(vocab, 3, 12)
	s, err := NewSolver(edit.MCS, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	d := make([][]float64, len(graphs))
	for i, q := range graphs {
		for j, x := range graphs {
			r := solve(t, s, q, x, ged.Options{})
			size, err := mcs.Largest(t.Context(), q, x, mcs.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if want := float64(max(q.N(), x.N()) - size.Size); !r.Exact || r.Lower != want || r.Upper != want {
				t.Fatalf("graphs %d and %d: %+v, want distance %v", i, j, r, want)
			}
			d[i] = append(d[i], r.Upper)
		}
	}
	for i := range d {
		for j := range d {
			if d[i][j] != d[j][i] || (d[i][j] == 0) != graph.Isomorphic(graphs[i], graphs[j]) {
				t.Errorf("graphs %d and %d: distances %v and %v", i, j, d[i][j], d[j][i])
			}
			for k := range d {
				if d[i][k] > d[i][j]+d[j][k] {
					t.Errorf("triangle: %v > %v + %v", d[i][k], d[i][j], d[j][k])
				}
			}
		}
	}
}

// TestCommonSubgraphLimits: bounds hold however early a search is cut short.
func TestCommonSubgraphLimits(t *testing.T) {
	graphs := collection(graph.NewVocabulary(), 5, 10)
	s, err := NewSolver(edit.MCS, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	open := 0
	for _, q := range graphs {
		for _, x := range graphs {
			exact := solve(t, s, q, x, ged.Options{})
			for _, states := range []int64{1, 3, 10} {
				r := solve(t, s, q, x, ged.Options{States: states})
				if r.Lower > exact.Lower || r.Upper < exact.Upper || r.Exact != (r.Lower == r.Upper) {
					t.Fatalf("%d states: %+v, the distance is %v", states, r, exact.Upper)
				}
				if !r.Exact {
					open++
				}
			}
		}
	}
	if open == 0 {
		t.Error("no search was cut short")
	}
}

// TestCommonSubgraphsIgnoreFreeLabels: where changing an edge label is free, it
// is not seen.
func TestCommonSubgraphsIgnoreFreeLabels(t *testing.T) {
	vocab := graph.NewVocabulary()
	bond := func(label string) *graph.Graph {
		b := graph.NewBuilder(vocab, false)
		b.AddNode("C")
		b.AddNode("C")
		if err := b.AddEdge(0, 1, label); err != nil {
			t.Fatal(err)
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	var got []float64
	for _, costs := range []edit.Costs{edit.Uniform(), edit.Uniform().IgnoreEdgeLabels()} {
		s, err := NewSolver(edit.MCS, costs)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, solve(t, s, bond("1"), bond("2"), ged.Options{}).Upper)
	}
	if diff := cmp.Diff([]float64{1, 0}, got); diff != "" {
		t.Error(diff)
	}
}
