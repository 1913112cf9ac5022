package nn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/nn"
)

// sparse draws a graph whose nodes have labels of their own: rings, trees and
// some more edges.
func sparse(rng *rand.Rand, directed bool) *graph.Graph {
	b := graph.NewBuilder(graph.NewVocabulary(), directed)
	n := 1 + rng.IntN(24)
	for v := range n {
		b.AddNode(fmt.Sprint(v))
	}
	has := make(map[[2]int]bool)
	join := func(u, v int) {
		if u != v && !has[[2]int{u, v}] && (directed || !has[[2]int{v, u}]) {
			has[[2]int{u, v}] = true
			if err := b.AddEdge(u, v, "e"); err != nil {
				panic(err)
			}
		}
	}
	for v := 1; v < n; v++ {
		if rng.IntN(10) > 0 {
			join(v, max(0, v-1-rng.IntN(2)*rng.IntN(4)))
		}
	}
	for range rng.IntN(4) * rng.IntN(4) {
		join(rng.IntN(n), rng.IntN(n))
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}

// TestFeatures compares features with what removing one edge after the other
// tells.
func TestFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	lengths := make(map[int]int)
	trials := sweep.Trials(4000)
	for i := range trials {
		g := sparse(rng, i%2 == 0)
		shortest, edges := graphtest.Cycles(g)
		rows := rowsOf(g.Vocabulary())
		rows.Features = true
		var b nn.Batch
		b.Reset()
		b.Add(g, rows)
		for at, row := range b.Node {
			v := int(row) - 1 // row 0 is that of unknown labels
			lengths[shortest[v]]++
			want := [3]int{len(g.Out(v)), min(max(0, shortest[v]-2), 7), min(edges[v], 7)}
			if g.Directed() {
				want[0] += len(g.In(v))
			}
			have := [3]int{int(b.Local[nn.Degree][at]), int(b.Local[nn.ShortestCycle][at]), int(b.Local[nn.CycleEdges][at])}
			if want[0] < 16 && have != want {
				t.Fatalf("graph %d, node %d: rows %v of degree, cycle and edges on cycles, want %v", i, v, have, want)
			}
		}
	}
	for _, l := range []int{0, 3, 4, 5, 6, 7, 8, 9, 12} {
		if lengths[l] < trials/100 {
			t.Errorf("only %d nodes whose shortest cycle has %d nodes", lengths[l], l)
		}
	}
}

// TestFeaturesOfHubs: rows stay within tables, and features of renumbered dense
// graphs, where the search for cycles is cut short, are the same.
func TestFeaturesOfHubs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	degree := map[int]int32{3: 1, 40: 17, 300: 20, 3000: 23}
	cycle := map[int]int32{3: 0, 40: 2, 300: 2, 3000: 7}
	for _, n := range []int{3, 40, 300, 3000} {
		b := graph.NewBuilder(graph.NewVocabulary(), false)
		for v := range n {
			b.AddNode(fmt.Sprint(v))
		}
		// Two hubs with all others: cycles of four nodes alone, and tails.
		for v := 2; v < n; v++ {
			for hub := range 2 {
				if v%5 > 0 || hub == 0 {
					if err := b.AddEdge(hub, v, "e"); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		rows := rowsOf(g.Vocabulary())
		rows.Features = true
		var want map[int32][3]int32
		for range 3 {
			var batch nn.Batch
			batch.Reset()
			batch.Add(g.Permute(rng.Perm(n)), rows)
			have := make(map[int32][3]int32)
			for _, f := range nn.Features() {
				for at, row := range batch.Local[f] {
					if row < 0 || int(row) >= f.Rows() {
						t.Fatalf("%v has row %d of %d", f, row, f.Rows())
					}
					l := have[batch.Node[at]]
					l[f] = row
					have[batch.Node[at]] = l
				}
			}
			if hub, leaf := have[1], have[3]; hub[nn.Degree] != degree[n] || leaf[nn.ShortestCycle] != cycle[n] {
				t.Errorf("%d nodes: rows %v of a hub, %v of a leaf", n, hub, leaf)
			}
			if want == nil {
				want = have
			}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Fatal(diff)
			}
		}
	}
}
