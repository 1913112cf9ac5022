package screen_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// lowers returns the bounds of all graphs by counts, +Inf where none was visited.
func lowers(x *screen.Query, n int, radius float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = math.Inf(1)
	}
	x.Range(radius, func(p int, lower float64) { list[p] = lower })
	return list
}

// TestBoundsNeverExceed compares both bounds with the brute force, under all kinds
// of costs and for graphs of all shapes.
func TestBoundsNeverExceed(t *testing.T) {
	shapes := map[string]gedtest.Shape{
		"plain":     {MaxNodes: 5, Density: 0.5, NodeLabels: 1, EdgeLabels: 1},
		"labelled":  {MaxNodes: 5, Density: 0.5, NodeLabels: 3, EdgeLabels: 2},
		"sparse":    {MaxNodes: 5, Density: 0.2, NodeLabels: 2, EdgeLabels: 2},
		"directed":  {MaxNodes: 4, Density: 0.4, NodeLabels: 2, EdgeLabels: 2, Directed: true},
		"wildcards": {MaxNodes: 5, Density: 0.5, NodeLabels: 2, EdgeLabels: 2, Wildcards: 0.3},
		"wild arcs": {MaxNodes: 4, Density: 0.4, NodeLabels: 2, EdgeLabels: 2, Directed: true, Wildcards: 0.3},
	}
	tight := 0
	for name, shape := range shapes {
		for costName, costs := range gedtest.Costs() {
			for _, task := range []edit.Task{edit.GED, edit.SED} {
				rng := rand.New(rand.NewPCG(8, uint64(task)))
				vocab := graph.NewVocabulary()
				var sheet screen.Sheet
				var graphs []*graph.Graph
				for range 12 {
					graphs = append(graphs, gedtest.Graph(rng, vocab, shape))
				}
				sheet.Append(graphs...)
				for range 3 {
					q := gedtest.Graph(rng, vocab, shape)
					c := costs(rng)
					p, err := edit.Price(task, c, append([]*graph.Graph{q}, graphs...)...)
					if err != nil {
						t.Fatal(err)
					}
					x := sheet.Query(p, q)
					for i, lower := range lowers(x, len(graphs), math.Inf(1)) {
						want, _ := gedtest.BruteForce(p, q, graphs[i])
						branches := x.Branches(i, math.Inf(1))
						if lower > want+gedtest.Tolerance || branches > want+gedtest.Tolerance {
							t.Fatalf("%s, %v, %s: counts give %v, branches %v, the distance is %v\nquery %s\ntarget %s", name, task, costName, lower, branches, want, gedtest.Text(q), gedtest.Text(graphs[i]))
						}
						if missing := x.Missing(i); missing > want+gedtest.Tolerance || missing > branches+gedtest.Tolerance {
							t.Fatalf("%s, %v, %s: branches that are missing give %v, all of them %v, the distance is %v", name, task, costName, missing, branches, want)
						}
						if want > 0 && max(lower, branches) == want {
							tight++
						}
						if cut := x.Branches(i, want/2); cut > want+gedtest.Tolerance || cut <= want/2 && math.Abs(cut-branches) > gedtest.Tolerance {
							t.Fatalf("%s, %v, %s: with a limit branches give %v, without %v", name, task, costName, cut, branches)
						}
					}
				}
			}
		}
	}
	if tight < 500 {
		t.Errorf("bounds are tight for %d pairs only", tight)
	}
}

// random returns a sheet of random graphs, appended in several goes, and them.
func random(rng *rand.Rand, vocab *graph.Vocabulary, n int, directed bool) (*screen.Sheet, []*graph.Graph) {
	var sheet screen.Sheet
	graphs := make([]*graph.Graph, n)
	for i := range graphs {
		graphs[i] = gedtest.Graph(rng, vocab, gedtest.Shape{MaxNodes: 12, Density: 0.2, NodeLabels: 20, EdgeLabels: 10, Directed: directed})
	}
	for rest := graphs; len(rest) > 0; {
		k := min(1+rng.IntN(n/2+1), len(rest))
		sheet.Append(rest[:k]...)
		rest = rest[k:]
	}
	return &sheet, graphs
}

// TestRangeVisitsAll: the tree visits the graphs that a look at every one of them
// finds, with the same bounds, and looks at fewer.
func TestRangeVisitsAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{0, 1, 63, 64, 65, 500, 4200, 9000} {
		for _, directed := range []bool{false, true} {
			vocab := graph.NewVocabulary()
			sheet, graphs := random(rng, vocab, n, directed)
			if sheet.Len() != n {
				t.Fatalf("%d graphs of %d", sheet.Len(), n)
			}
			q := gedtest.Graph(rng, vocab, gedtest.Shape{MinNodes: 6, MaxNodes: 9, Density: 0.2, NodeLabels: 20, EdgeLabels: 10, Directed: directed})
			for _, task := range []edit.Task{edit.GED, edit.SED} {
				p, err := edit.Price(task, edit.Uniform())
				if err != nil {
					t.Fatal(err)
				}
				all := lowers(sheet.Query(p, q), n, math.Inf(1))
				for i := 0; i < n; i += 1 + n/500 {
					var one screen.Sheet
					one.Append(graphs[i])
					if alone := lowers(one.Query(p, q), 1, math.Inf(1))[0]; alone != all[i] {
						t.Fatalf("graph %d of %d: %v, alone %v", i, n, all[i], alone)
					}
				}
				for _, radius := range []float64{0, 3, 8} {
					x := sheet.Query(p, q)
					for i, lower := range lowers(x, n, radius) {
						if all[i] <= radius && lower != all[i] || all[i] > radius && !math.IsInf(lower, 1) {
							t.Fatalf("radius %v, graph %d of %d: %v, want %v", radius, i, n, lower, all[i])
						}
					}
					if task == edit.GED && n > 8000 && radius == 0 && x.Touched() > n/2 {
						t.Errorf("%d of %d graphs touched", x.Touched(), n)
					}
				}
			}
		}
	}
}

// TestCopies: a copy of a sheet stays what it is while the sheet grows.
func TestCopies(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 2))
	vocab := graph.NewVocabulary()
	p, err := edit.Price(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	q := gedtest.Graph(rng, vocab, gedtest.Shape{MinNodes: 6, MaxNodes: 9, Density: 0.2, NodeLabels: 3, EdgeLabels: 3})
	var sheet screen.Sheet
	var copies []screen.Sheet
	var want [][]float64
	for sheet.Len() < 9000 {
		copies = append(copies, sheet)
		want = append(want, lowers(sheet.Query(p, q), sheet.Len(), 5))
		var more []*graph.Graph
		for range 1 + rng.IntN(1000) {
			more = append(more, gedtest.Graph(rng, vocab, gedtest.Shape{MaxNodes: 9, Density: 0.3, NodeLabels: 3, EdgeLabels: 3}))
		}
		sheet.Append(more...)
	}
	for i := range copies {
		for g, lower := range lowers(copies[i].Query(p, q), copies[i].Len(), 5) {
			if lower != want[i][g] {
				t.Fatalf("copy of %d: graph %d has %v, had %v", copies[i].Len(), g, lower, want[i][g])
			}
		}
	}
}

// TestReal compares with distances of real molecules, and with the bounds of package
// bound: counts are those of labels and degrees where nothing is folded, and
// branches are BRANCH-FAST.
func TestReal(t *testing.T) {
	const path = "../../../shared/data/aids700nef/test.txt"
	if _, err := os.Stat(path); err != nil {
		t.Skip("there is no shared data: ", err)
	}
	vocab := graph.NewVocabulary()
	records, err := dataset.ReadAll(path, dataset.Options{Vocabulary: vocab})
	if err != nil {
		t.Fatal(err)
	}
	var sheet screen.Sheet
	for _, r := range records {
		sheet.Append(r.Graph)
	}
	for _, costs := range []edit.Costs{edit.Uniform(), edit.Uniform().IgnoreEdgeLabels()} {
		p, err := edit.Price(edit.GED, costs)
		if err != nil {
			t.Fatal(err)
		}
		s, err := ged.NewSolver(edit.GED, costs)
		if err != nil {
			t.Fatal(err)
		}
		f := bound.NewFilter(p)
		for _, q := range records[:12] {
			x := sheet.Query(p, q.Graph)
			for i, lower := range lowers(x, len(records), math.Inf(1)) {
				r, err := s.Distance(t.Context(), q.Graph, records[i].Graph, ged.Options{})
				if err != nil || !r.Exact {
					t.Fatal(r, err)
				}
				branches := x.Branches(i, math.Inf(1))
				if lower > r.Upper || branches > r.Upper {
					t.Fatalf("counts %v, branches %v, distance %v", lower, branches, r.Upper)
				}
				if all := f.Lower(bound.Sign(q.Graph), bound.Sign(records[i].Graph)); lower > all || lower < all-1 {
					t.Fatalf("counts %v, labels and degrees %v", lower, all)
				}
			}
		}
	}
}

// TestHostile: large graphs and many labels only make bounds weaker.
func TestHostile(t *testing.T) {
	vocab := graph.NewVocabulary()
	b := graph.NewBuilder(vocab, false)
	rng := rand.New(rand.NewPCG(1, 1))
	for v := range 5000 {
		b.AddNode(string(rune('a' + v%5000)))
		if v > 0 {
			if err := b.AddEdge(rng.IntN(v), v, string(rune('a'+rng.IntN(5000)))); err != nil {
				t.Fatal(err)
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var sheet screen.Sheet
	sheet.Append(g, gedtest.Graph(rng, vocab, gedtest.Shape{}), g.Permute(rng.Perm(g.N())))
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		p, err := edit.Price(task, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		x := sheet.Query(p, g)
		list := lowers(x, 3, 1e6)
		if list[0] != 0 || list[1] == 0 || list[2] != 0 || x.Branches(0, 1) != 0 || x.Branches(1, 1) < 5000 || x.Branches(2, 1) != 0 {
			t.Errorf("%v: counts %v, branches %v, %v, %v", task, list, x.Branches(0, 1), x.Branches(1, 1), x.Branches(2, 1))
		}
	}
}

// TestManyLeft: where thousands of branches of few kinds are left on both sides, the
// counts alone bound.
func TestManyLeft(t *testing.T) {
	vocab := graph.NewVocabulary()
	path, apart := graph.NewBuilder(vocab, false), graph.NewBuilder(vocab, false)
	for v := range 5000 {
		path.AddNode("a")
		apart.AddNode("a")
		if v > 0 {
			if err := path.AddEdge(v-1, v, "b"); err != nil {
				t.Fatal(err)
			}
		}
	}
	g, err := path.Build()
	if err != nil {
		t.Fatal(err)
	}
	h, err := apart.Build()
	if err != nil {
		t.Fatal(err)
	}
	var sheet screen.Sheet
	sheet.Append(h, g)
	p, err := edit.Price(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	x := sheet.Query(p, g)
	if list := lowers(x, 2, 1e6); list[0] < 250 || x.Branches(0, 1e6) != 0 || x.Branches(1, 1) != 0 {
		t.Errorf("counts %v, branches %v and %v", list, x.Branches(0, 1e6), x.Branches(1, 1))
	}
}

// TestParts: a sheet that was taken apart and put together gives the same bounds,
// and parts that cannot be of a sheet are refused.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	for _, n := range []int{0, 1, 70, 4500} {
		for _, directed := range []bool{false, true} {
			vocab := graph.NewVocabulary()
			sheet, _ := random(rng, vocab, n, directed)
			more := gedtest.Graph(rng, vocab, gedtest.Shape{MinNodes: 5, MaxNodes: 8, Density: 0.2, NodeLabels: 20, EdgeLabels: 10, Directed: directed})
			p, err := edit.Price(edit.GED, edit.Uniform())
			if err != nil {
				t.Fatal(err)
			}
			again, err := sheet.Parts().Open(nil)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				a, b := sheet.Query(p, more), again.Query(p, more)
				want := lowers(a, sheet.Len(), 6)
				for i, lower := range lowers(b, again.Len(), 6) {
					if lower != want[i] || a.Branches(i, 9) != b.Branches(i, 9) {
						t.Fatalf("graph %d of %d: %v and %v, want %v and %v", i, n, lower, b.Branches(i, 9), want[i], a.Branches(i, 9))
					}
				}
				sheet.Append(more)
				again.Append(more)
			}
		}
	}
	sheet, _ := random(rng, graph.NewVocabulary(), 70, true)
	for name, spoil := range map[string]func(p *screen.Parts){
		"an order too short":  func(p *screen.Parts) { p.Order = p.Order[1:] },
		"a position twice":    func(p *screen.Parts) { p.Order = append([]int32{p.Order[1]}, p.Order[1:]...) },
		"a position beyond":   func(p *screen.Parts) { p.Order = append([]int32{70}, p.Order[1:]...) },
		"counts too few":      func(p *screen.Parts) { p.Counts = p.Counts[64:] },
		"no starts":           func(p *screen.Parts) { p.Starts = nil },
		"starts that fall":    func(p *screen.Parts) { p.Starts = append([]int64{0, 1 << 40}, p.Starts[2:]...) },
		"branches too few":    func(p *screen.Parts) { p.Lists = p.Lists[1:] },
		"a branch of no kind": func(p *screen.Parts) { p.Lists = append([]uint16{60000}, p.Lists[1:]...) },
		"kinds cut short":     func(p *screen.Parts) { p.Kinds = p.Kinds[:len(p.Kinds)-1] },
		"no kinds":            func(p *screen.Parts) { p.Kinds = nil },
	} {
		p := sheet.Parts()
		spoil(&p)
		if _, err := p.Open(nil); err == nil {
			t.Errorf("%s: it is opened", name)
		}
	}
}

// TestCountsByHand pins the bound by counts where it is plain to see, since a weaker one would be as right.
func TestCountsByHand(t *testing.T) {
	vocab := graph.NewVocabulary()
	build := func(nodes string, edges ...string) *graph.Graph {
		b := graph.NewBuilder(vocab, false)
		for _, l := range nodes {
			b.AddNode(string(l))
		}
		for i, l := range edges {
			b.MustAdd(i, i+1, vocab.Edge(l))
		}
		return b.MustBuild()
	}
	costs := edit.Costs{NodeInsert: 3, NodeDelete: 5, NodeSubstitute: 2, EdgeInsert: 0.5, EdgeDelete: 0.75, EdgeSubstitute: 0.25}
	for _, c := range []struct {
		name          string
		query, target *graph.Graph
		ged, sed      float64
	}{
		{"a node more", build("A"), build("AA"), 3, 0},
		{"a node less", build("AA"), build("A"), 5, 5},
		{"another label", build("A"), build("B"), 2, 2},
		{"an edge more", build("AA"), build("AA", "x"), 0.5, 0},
		{"an edge less", build("AA", "x"), build("AA"), 0.75, 0.75},
		{"another label of an edge", build("AA", "x"), build("AA", "y"), 0.25, 0.25},
	} {
		for task, want := range map[edit.Task]float64{edit.GED: c.ged, edit.SED: c.sed} {
			var sheet screen.Sheet
			sheet.Append(c.target)
			p, err := edit.Price(task, costs, c.query, c.target)
			if err != nil {
				t.Fatal(err)
			}
			if got := lowers(sheet.Query(p, c.query), 1, math.Inf(1))[0]; got != want {
				t.Errorf("%v, %s: %v, want %v", task, c.name, got, want)
			}
		}
	}
}
