package gedtest

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// Answer is what a solver says about one pair.
type Answer struct {
	Lower, Upper float64
	Map          edit.NodeMap
	Exact        bool
}

// Solver is a method under test: it answers for a pair of graphs.
type Solver func(q, t *graph.Graph) (Answer, error)

// Maker returns a solver of one task under one set of costs.
type Maker func(task edit.Task, costs edit.Costs) (Solver, error)

// Costs lists, by name, the kinds of costs that solvers have to cope with, as
// functions of a random source: tables need labels "0" to "2" and "a" to "b",
// and [graph.Wildcard].
func Costs() map[string]func(r *rand.Rand) edit.Costs {
	weights := func(r *rand.Rand, step float64) edit.Costs {
		w := func() float64 { return step * float64(r.IntN(6)) }
		return edit.Costs{
			NodeInsert: w(), NodeDelete: w(), NodeSubstitute: w(),
			EdgeInsert: w(), EdgeDelete: w(), EdgeSubstitute: w(),
		}
	}
	return map[string]func(r *rand.Rand) edit.Costs{
		"uniform":            func(*rand.Rand) edit.Costs { return edit.Uniform() },
		"ignore edge labels": func(*rand.Rand) edit.Costs { return edit.Uniform().IgnoreEdgeLabels() },
		"chem1":              func(*rand.Rand) edit.Costs { return edit.Chem1() },
		"chem2":              func(*rand.Rand) edit.Costs { return edit.Chem2() },
		"free nodes":         func(r *rand.Rand) edit.Costs { return freeNodes(r) },
		"dear edge labels":   func(*rand.Rand) edit.Costs { c := edit.Uniform(); c.EdgeSubstitute = 3; return c },
		"dear labels": func(*rand.Rand) edit.Costs {
			c := edit.Uniform()
			c.NodeSubstitute, c.EdgeSubstitute = 3, 2.5
			return c
		},
		"integer weights": func(r *rand.Rand) edit.Costs { return weights(r, 1) },
		"decimal weights": func(r *rand.Rand) edit.Costs { return weights(r, 0.1) },
		"incommensurable": func(r *rand.Rand) edit.Costs { return irrational(r, weights(r, 1)) },
		"node table":      func(r *rand.Rand) edit.Costs { c := weights(r, 1); c.Nodes = NodeTable(r, 3, 1); return c },
		"edge table":      func(r *rand.Rand) edit.Costs { c := weights(r, 1); c.Edges = EdgeTable(r, 2, 1); return c },
		"tables":          func(r *rand.Rand) edit.Costs { return tables(r, 0.25) },
		"tables with default": func(r *rand.Rand) edit.Costs {
			c := tables(r, 0.25)
			withDefault(r, c.Nodes)
			withDefault(r, c.Edges)
			return c
		},
		"rings": func(*rand.Rand) edit.Costs { return edit.Rings() },
		"table with rings": func(r *rand.Rand) edit.Costs {
			c := tables(r, 0.5)
			c.Edges.Ring = float64(1+r.IntN(4)) / 2
			return c
		},
		"tables without unit": func(r *rand.Rand) edit.Costs { return tables(r, math.Pi/3) },
	}
}

// irrational adds fractions to costs. None is so small that a cost which was 0 would be too far from the largest.
func irrational(r *rand.Rand, c edit.Costs) edit.Costs {
	for _, cost := range []*float64{&c.NodeInsert, &c.NodeDelete, &c.NodeSubstitute, &c.EdgeInsert, &c.EdgeDelete, &c.EdgeSubstitute} {
		*cost += max(1e-3, r.Float64())
	}
	return c
}

func tables(r *rand.Rand, step float64) edit.Costs {
	c := edit.Uniform()
	c.Nodes, c.Edges = NodeTable(r, 3, step), EdgeTable(r, 2, step)
	return c
}

// freeNodes returns costs like those of maximum common edge subgraphs: only edges
// cost, and a node cannot become one of another label.
func freeNodes(r *rand.Rand) edit.Costs {
	a, b := 1+float64(r.IntN(3))/2, 1+float64(r.IntN(3))/2
	weights := map[string]float64{"a": a, "b": b, "*": 1}
	change := map[string]map[string]float64{
		"a": {"b": math.Abs(a - b), "*": a - 1}, "b": {"a": math.Abs(a - b), "*": b - 1}, "*": {"a": a - 1, "b": b - 1},
	}
	return edit.Costs{
		Nodes: &edit.Table{Default: &edit.Default{Substitute: 1000}},
		Edges: &edit.Table{Insert: weights, Delete: weights, Substitute: change},
	}
}

// withDefault takes some labels and pairs out of t and gives it a default.
func withDefault(r *rand.Rand, t *edit.Table) {
	t.Default = &edit.Default{
		Insert: float64(r.IntN(4)), Delete: float64(r.IntN(4)), Substitute: float64(r.IntN(4)), Equal: float64(r.IntN(2)),
	}
	thin(r, t.Insert, 2)
	thin(r, t.Delete, 2)
	thin(r, t.Substitute, 3)
	for _, label := range slices.Sorted(maps.Keys(t.Substitute)) {
		thin(r, t.Substitute[label], 2)
	}
}

// thin deletes one entry in oneIn, in an order that does not change from run to run.
func thin[V any](r *rand.Rand, m map[string]V, oneIn int) {
	for _, label := range slices.Sorted(maps.Keys(m)) {
		if r.IntN(oneIn) == 0 {
			delete(m, label)
		}
	}
}

// Tolerance is by how much costs may differ that add up the same edits in
// another order.
const Tolerance = 1e-7

// Conform runs m on thousands of pairs of tiny graphs, with labels or without,
// directed or not, disconnected, empty, under all [Costs], for both tasks, and
// compares with [BruteForce].
func Conform(t *testing.T, m Maker) {
	shapes := map[string]Shape{
		"plain":      {0, 5, 0.5, 1, 1, false, 0, 0},
		"labelled":   {0, 5, 0.5, 3, 2, false, 0, 0},
		"sparse":     {0, 5, 0.2, 2, 2, false, 0, 0},
		"dense":      {2, 5, 0.9, 2, 2, false, 0, 0},
		"directed":   {0, 4, 0.4, 2, 2, true, 0, 0},
		"wildcards":  {0, 5, 0.5, 2, 2, false, 0.3, 0},
		"wild arcs":  {0, 4, 0.4, 2, 2, true, 0.3, 0},
		"multigraph": {0, 4, 0.4, 2, 2, false, 0.1, 0.4},
		"multi arcs": {0, 4, 0.3, 2, 2, true, 0.1, 0.3},
	}
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		for costName, costs := range Costs() {
			for shapeName, shape := range shapes {
				t.Run(fmt.Sprintf("%v/%s/%s", task, costName, shapeName), func(t *testing.T) {
					t.Parallel()
					r := rand.New(rand.NewPCG(1, 2))
					conform(t, r, m, task, costs, shape)
				})
			}
		}
	}
}

// ConformMeasured is [Conform] for costs that are differences of numbers in labels.
func ConformMeasured(t *testing.T, m Maker) {
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		for _, directed := range []bool{false, true} {
			for name, most := range map[string]float64{"capped": 0, "uncapped": 1000} {
				t.Run(fmt.Sprintf("%v/%s/directed %v", task, name, directed), func(t *testing.T) {
					t.Parallel()
					r := rand.New(rand.NewPCG(5, 6))
					for trial := range 5 * conformPairs() {
						vocab := graph.NewVocabulary()
						shape := Shape{MaxNodes: 5, Density: 0.2 + 0.6*r.Float64(), Directed: directed}
						if directed {
							shape.MaxNodes = 4
						}
						c := MeasuredCosts(r, most)
						judgePair(t, trial, m, task, c, Measured(r, vocab, shape), Measured(r, vocab, shape))
					}
				})
			}
		}
	}
}

// conformPairs returns how many pairs Conform tries of every kind.
func conformPairs() int { return sweep.Trials(20) }

func conform(t *testing.T, r *rand.Rand, m Maker, task edit.Task, costs func(*rand.Rand) edit.Costs, shape Shape) {
	for trial := range conformPairs() {
		vocab := graph.NewVocabulary()
		judgePair(t, trial, m, task, costs(r), Graph(r, vocab, shape), Graph(r, vocab, shape))
	}
}

// judgePair fails the test unless a solver agrees with [BruteForce] on a pair.
func judgePair(t *testing.T, trial int, m Maker, task edit.Task, c edit.Costs, q, g *graph.Graph) {
	t.Helper()
	solve, err := m(task, c)
	if err != nil {
		t.Fatal(err)
	}
	p, err := edit.Price(task, c, q, g)
	if err != nil {
		t.Fatal(err)
	}
	want, best := BruteForce(p, q, g)
	got, err := solve(q, g)
	if err != nil {
		t.Fatal(err)
	}
	if err := Judge(p, q, g, got, want); err != nil {
		t.Fatalf("pair %d: %v\nbest map %v, costs %+v\nquery %v\ntarget %v", trial, err, best, c, Text(q), Text(g))
	}
}

// Judge returns what is wrong with an answer for a pair of known distance.
func Judge(p *edit.Pricing, q, t *graph.Graph, got Answer, want float64) error {
	if err := got.Map.Check(q, t); err != nil {
		return err
	}
	if cost := edit.InducedCost(p, q, t, got.Map); math.Abs(cost-got.Upper) > Tolerance {
		return fmt.Errorf("upper bound %v, but the map costs %v", got.Upper, cost)
	}
	if got.Lower > want+Tolerance || got.Upper < want-Tolerance || got.Lower > got.Upper {
		return fmt.Errorf("bounds [%v, %v] of distance %v", got.Lower, got.Upper, want)
	}
	if got.Exact && math.Abs(got.Upper-want) > Tolerance {
		return fmt.Errorf("%v called exact, want %v", got.Upper, want)
	}
	return nil
}

// Text writes a graph in one line, for messages.
func Text(g *graph.Graph) string {
	s := fmt.Sprintf("%d nodes", g.N())
	for v := range g.N() {
		s += " " + g.LabelText(v)
	}
	for e := range g.Edges() {
		s += fmt.Sprintf(", %d-%d %s", e.From, e.To, g.Vocabulary().EdgeText(e.Label))
	}
	return s
}
