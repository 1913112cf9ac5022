package nn_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/nn"
)

// counted returns the counts of a graph. They are the same where nothing else is seen, and
// where they were kept.
func counted(g *graph.Graph, rows nn.Rows) []float32 {
	var b nn.Batch
	b.Reset()
	b.Add(g, rows)
	rows.Alone = true
	b.Add(g, rows)
	b.AddCounted(g, b.Last(), rows)
	all := nn.NewTape(new(nn.Params), kernel.Best(), false).Counts(&b)
	if all.Rows != 3 || all.Cols != rows.Counts.Width() {
		panic("other numbers of graphs and counts")
	}
	first := all.Value[:all.Cols]
	for i := range all.Rows {
		if !slices.Equal(first, all.Value[i*all.Cols:][:all.Cols]) {
			panic("other counts alone, or where they were kept")
		}
	}
	return first
}

// countRows returns rows that see edge labels, directions alone, or neither, with tallies
// of the graphs. The table has no row for the last node label.
func countRows(graphs []*graph.Graph, kind int) (nn.Rows, []nn.Tally) {
	vocab := graphs[0].Vocabulary()
	rows := rowsOf(vocab)
	rows.Node[len(rows.Node)-1] = 0
	switch kind {
	case 1:
		rows.Edge = []int32{}
	case 2:
		rows.Edge = nil
	}
	tallies := nn.Tallies(graphs, rows, nn.MostCounts)
	rows.Counts = nn.NewCounts(tallies)
	return rows, tallies
}

// TestCounts compares counts with those found the slow way, for all tallies of some
// graphs, and of other graphs with more.
func TestCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	for kind := range 3 {
		for _, directed := range []bool{false, true} {
			vocab := graph.NewVocabulary()
			var graphs []*graph.Graph
			for range 40 {
				graphs = append(graphs, graphtest.Random(rng, vocab, rng.IntN(9), 0.3, directed))
			}
			rows, tallies := countRows(graphs[:20], kind)
			if err := nn.CheckTallies(tallies, vocab.Nodes(), 2*vocab.Edges()); err != nil {
				t.Fatal(err)
			}
			seen := make(map[nn.Statistic]bool)
			greatest := make([]int32, rows.Counts.Width())
			for i, g := range graphs {
				have, at := counted(g, rows), 0
				for _, x := range tallies {
					seen[x.Statistic] = true
					values := slowly(g, x, rows, directed)
					for k, most := range x.Caps {
						count := int32(0)
						for _, v := range values {
							if v > k {
								count++
							}
						}
						if want := float32(min(count, most)); have[at] != want {
							t.Fatalf("graph %d, %+v: %v reach %d, want %v", i, x, have[at], k+1, want)
						}
						if i < 20 {
							greatest[at] = max(greatest[at], count)
							if count > most {
								t.Fatalf("graph %d, %+v: the cap cuts %d", i, x, count)
							}
						}
						at++
					}
				}
			}
			at := 0
			for _, x := range tallies {
				if !slices.Equal(x.Caps, greatest[at:at+len(x.Caps)]) {
					t.Errorf("%+v: no graph reaches the caps", x)
				}
				at += len(x.Caps)
			}
			if len(seen) != len(nn.Statistics()) {
				t.Errorf("statistics %v, want all", seen)
			}
		}
	}
}

// slowly returns the values of a tally's statistic for all of its nodes or edges.
func slowly(g *graph.Graph, x nn.Tally, rows nn.Rows, directed bool) (values []int) {
	row := func(v int) int32 { return rows.Node[g.Label(v)] }
	edge := func(l graph.Label, against int32) int32 {
		r := int32(0)
		if len(rows.Edge) > 0 {
			r = rows.Edge[l]
		}
		if directed && rows.Edge != nil {
			return 2*r + against
		}
		return r
	}
	if x.Statistic == nn.StatEdge {
		for e := range g.Edges() {
			from, to := row(e.From), row(e.To)
			if edge(e.Label, 0) != x.Edge {
				continue
			}
			same := from == x.Label && to == x.Other
			if !directed || rows.Edge == nil {
				same = same || to == x.Label && from == x.Other
			}
			if x.Other == 0 || same {
				values = append(values, 1)
			}
		}
		return values
	}
	all := make([]int, g.N())
	if x.Statistic != nn.StatTowards {
		all = graphtest.Statistic(g, string(x.Statistic))
	} else {
		for e := range g.Edges() {
			if row(e.To) == x.Other && edge(e.Label, 0) == x.Edge {
				all[e.From]++
			}
			if row(e.From) == x.Other && edge(e.Label, 1) == x.Edge {
				all[e.To]++
			}
		}
	}
	for v, value := range all {
		if x.Label == 0 || row(v) == x.Label {
			values = append(values, value)
		}
	}
	return values
}

// TestCountsGrow: no count of a subgraph is greater than that of the graph, nor does the
// numbering of its nodes matter.
func TestCountsGrow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	less := 0
	for i := range 300 {
		vocab := graph.NewVocabulary()
		g := graphtest.Random(rng, vocab, 1+rng.IntN(40), 0.3, i%2 == 0)
		rows, _ := countRows([]*graph.Graph{g}, i%3)
		whole := counted(g, rows)
		if !slices.Equal(whole, counted(g.Permute(rng.Perm(g.N())), rows)) {
			t.Fatal("another numbering, other counts")
		}
		part := counted(subgraph(rng, g), rows)
		for k := range part {
			if part[k] > whole[k] {
				t.Fatalf("graph %d, count %d: %v of a subgraph, %v of the graph", i, k, part[k], whole[k])
			}
			if part[k] < whole[k] {
				less++
			}
		}
	}
	if less < 1000 {
		t.Errorf("only %d counts were less", less)
	}
}

// subgraph leaves out some nodes and edges.
func subgraph(rng *rand.Rand, g *graph.Graph) *graph.Graph {
	nodes := rng.Perm(g.N())[:rng.IntN(g.N()+1)]
	h := g.Induced(nodes)
	b := graph.NewBuilder(g.Vocabulary(), g.Directed())
	for v := range h.N() {
		b.AddNode(h.LabelText(v))
	}
	for e := range h.Edges() {
		if rng.IntN(4) > 0 {
			if err := b.AddEdge(e.From, e.To, g.Vocabulary().EdgeText(e.Label)); err != nil {
				panic(err)
			}
		}
	}
	return graphtest.Must(b.Build())
}

// TestTalliesOfFew: of too many counts those of most graphs are kept, the lowest
// thresholds first.
func TestTalliesOfFew(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	vocab := graph.NewVocabulary()
	var graphs []*graph.Graph
	for range 20 {
		graphs = append(graphs, graphtest.Random(rng, vocab, 1+rng.IntN(12), 0.3, false))
	}
	all := nn.Tallies(graphs, rowsOf(vocab), nn.MostCounts)
	few := nn.Tallies(graphs, rowsOf(vocab), 30)
	total := 0
	for _, x := range few {
		total += len(x.Caps)
		if !slices.ContainsFunc(all, func(y nn.Tally) bool {
			return y.Statistic == x.Statistic && y.Label == x.Label && y.Other == x.Other && y.Edge == x.Edge &&
				len(y.Caps) >= len(x.Caps) && slices.Equal(y.Caps[:len(x.Caps)], x.Caps)
		}) {
			t.Errorf("%+v is not the beginning of one of all", x)
		}
	}
	if total != 30 {
		t.Errorf("%d counts, want 30", total)
	}
}

func TestCheckTallies(t *testing.T) {
	ok := nn.Tally{Statistic: nn.StatDegree, Label: 2, Caps: []int32{3, 3, 1}}
	if err := nn.CheckTallies([]nn.Tally{ok}, 3, 1); err != nil {
		t.Error(err)
	}
	for name, list := range map[string][]nn.Tally{
		"statistic": {{Statistic: "size", Caps: []int32{1}}},
		"label":     {{Statistic: nn.StatNode, Label: 3, Caps: []int32{1}}},
		"negative":  {{Statistic: nn.StatEdge, Edge: -1, Caps: []int32{1}}},
		"other":     {{Statistic: nn.StatCore, Other: 1, Caps: []int32{1}}},
		"no caps":   {{Statistic: nn.StatNode}},
		"many caps": {{Statistic: nn.StatBall2, Caps: slices.Repeat([]int32{1}, 33)}},
		"rise":      {{Statistic: nn.StatBall2, Caps: []int32{1, 2}}},
		"zero":      {{Statistic: nn.StatBall2, Caps: []int32{0}}},
		"twice":     {ok, ok},
	} {
		if nn.CheckTallies(list, 3, 1) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
