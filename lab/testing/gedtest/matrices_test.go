package gedtest_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// costByElement adds up what a node map costs by matrices, from their definition. An
// edge between mapped nodes becomes the edge between their images, or is deleted and the
// other one inserted.
func costByElement(x *edit.Matrices, task edit.Task, q, t *graph.Graph, m edit.NodeMap) float64 {
	insert := func(c *edit.ElementCosts, j int) float64 {
		if task == edit.SED {
			return 0
		}
		return c.Insert[j]
	}
	total := 0.0
	from := make(map[int]int)
	for v, w := range m {
		if w == edit.Deleted {
			total += x.Nodes.Delete[v]
			continue
		}
		from[w] = v
		total += x.Nodes.Substitute[v*t.N()+w]
	}
	for w := range t.N() {
		if _, mapped := from[w]; !mapped {
			total += insert(x.Nodes, w)
		}
	}
	number := make(map[[2]int]int)
	for e := range t.Edges() {
		number[[2]int{e.From, e.To}] = len(number)
	}
	kept := make(map[int]bool)
	i := 0
	for e := range q.Edges() {
		a, b := m[e.From], m[e.To]
		if !t.Directed() && a > b {
			a, b = b, a
		}
		j, there := number[[2]int{a, b}]
		if there {
			kept[j] = true
			total += min(x.Edges.Substitute[i*t.M()+j], x.Edges.Delete[i]+insert(x.Edges, j))
		} else {
			total += x.Edges.Delete[i]
		}
		i++
	}
	for j := range t.M() {
		if !kept[j] {
			total += insert(x.Edges, j)
		}
	}
	return total
}

// TestMatrices: the solver has the distance under any costs by element.
func TestMatrices(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for trial := range 600 {
		task := edit.Task(r.IntN(2))
		shape := gedtest.Shape{MaxNodes: 4, Density: r.Float64(), NodeLabels: 2, EdgeLabels: 2, Directed: r.IntN(2) == 0, Wildcards: 0.1}
		// The graphs need no common vocabulary.
		q, g := gedtest.Graph(r, graph.NewVocabulary(), shape), gedtest.Graph(r, graph.NewVocabulary(), shape)
		cost := r.Float64
		switch trial % 3 {
		case 0:
			cost = func() float64 { return float64(r.IntN(4)) }
		case 1: // weights will do
			del, sub := float64(r.IntN(4)), float64(r.IntN(2))
			cost = func() float64 { return del + sub }
		}
		matrix := func(n, m int) *edit.ElementCosts {
			return edit.ElementCostsOf(n, m, func(int, int) float64 { return cost() },
				func(int) float64 { return cost() }, func(int) float64 { return cost() })
		}
		x := &edit.Matrices{Nodes: matrix(q.N(), g.N()), Edges: matrix(q.M(), g.M())}
		want := math.Inf(1)
		for m := range gedtest.NodeMaps(q.N(), g.N()) {
			want = min(want, costByElement(x, task, q, g, m))
		}
		a, b, costs, err := x.Label(q, g, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		s, err := ged.NewSolver(task, costs)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Distance(context.Background(), a, b, ged.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !got.Exact || math.Abs(got.Upper-want) > gedtest.Tolerance {
			t.Fatalf("trial %d, %v: [%v, %v], want %v\nnodes %+v\nedges %+v\nquery %s\ntarget %s",
				trial, task, got.Lower, got.Upper, want, x.Nodes, x.Edges, gedtest.Text(q), gedtest.Text(g))
		}
		if again := costByElement(x, task, q, g, got.Map); math.Abs(again-got.Upper) > gedtest.Tolerance {
			t.Fatalf("trial %d: the map costs %v, not %v", trial, again, got.Upper)
		}
	}
}

// TestMatricesOfNodesAlone: edges keep their labels and their costs by label.
func TestMatricesOfNodesAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	for trial := range 200 {
		vocab := graph.NewVocabulary()
		shape := gedtest.Shape{MaxNodes: 4, Density: 0.6, NodeLabels: 2, EdgeLabels: 2, Directed: trial%2 == 0, Wildcards: 0.1}
		q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
		base := edit.Uniform()
		base.Edges = gedtest.EdgeTable(r, 2, 0.5)
		base.Nodes = gedtest.NodeTable(r, 2, 0.5)
		task := edit.Task(trial / 2 % 2)
		p, err := edit.Price(task, base, q, g)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := gedtest.BruteForce(p, q, g)
		x := &edit.Matrices{Nodes: edit.ElementCostsOf(q.N(), g.N(),
			func(i, j int) float64 { return p.NodeSubstitute(q.Label(i), g.Label(j)) },
			func(i int) float64 { return p.NodeDelete(q.Label(i)) },
			func(j int) float64 { return base.Nodes.Insert[g.LabelText(j)] })}
		a, b, costs, err := x.Label(q, g, base)
		if err != nil {
			t.Fatal(err)
		}
		s, err := ged.NewSolver(task, costs)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Distance(context.Background(), a, b, ged.Options{})
		if err != nil || !got.Exact || math.Abs(got.Upper-want) > gedtest.Tolerance {
			t.Fatalf("trial %d: [%v, %v], %v, want %v", trial, got.Lower, got.Upper, err, want)
		}
	}
}
