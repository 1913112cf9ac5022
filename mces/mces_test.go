package mces

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// keptEdges returns the most edges that opt lets m keep: all of them or, if they must be
// connected, those of the largest part.
func keptEdges(q, t *graph.Graph, m edit.NodeMap, opt Options) int {
	inQ, inT := q.Ringed(), t.Ringed()
	ringed := func(g *graph.Graph, in func(u, v int) bool, v int) bool {
		if !opt.Rings {
			return false
		}
		for u := range g.N() {
			if _, ok := g.Edge(u, v); ok && in(u, v) {
				return true
			}
			if _, ok := g.Edge(v, u); ok && in(v, u) {
				return true
			}
		}
		return false
	}
	part := make([]int, q.N())
	for v := range part {
		part[v] = v
	}
	kept := make(map[[2]int]bool)
	for e := range q.Edges() {
		x, y := m[e.From], m[e.To]
		if x < 0 || y < 0 || q.Label(e.From) != t.Label(x) || q.Label(e.To) != t.Label(y) ||
			ringed(q, inQ, e.From) != ringed(t, inT, x) || ringed(q, inQ, e.To) != ringed(t, inT, y) {
			continue
		}
		if l, ok := t.Edge(x, y); !ok || l != e.Label && !opt.IgnoreEdgeLabels || opt.Rings && inQ(e.From, e.To) != inT(x, y) {
			continue
		}
		kept[[2]int{e.From, e.To}] = true
		if opt.Connected {
			from, to := part[e.From], part[e.To]
			for v := range part {
				if part[v] == from {
					part[v] = to
				}
			}
		}
	}
	sizes, most := make(map[int]int), 0
	for e := range kept {
		at := 0
		if opt.Connected {
			at = part[e[0]]
		}
		sizes[at]++
		most = max(most, sizes[at])
	}
	return most
}

// TestLargest compares with all node maps, and what limits leave with the truth.
func TestLargest(t *testing.T) {
	r := rand.New(rand.NewPCG(36, 4))
	cut := 0
	for trial := range 3000 {
		vocab := graph.NewVocabulary()
		shape := gedtest.Shape{
			MaxNodes: 6, Density: r.Float64(), NodeLabels: 1 + r.IntN(2), EdgeLabels: 1 + r.IntN(2), Directed: r.IntN(2) == 0,
		}
		g := gedtest.Graph(r, vocab, shape)
		q := gedtest.Subgraph(r, g)
		if r.IntN(2) == 0 {
			q = gedtest.Graph(r, vocab, shape)
		}
		if q.M() > 9 || g.M() > 9 {
			continue
		}
		opt := Options{Connected: r.IntN(2) == 0, IgnoreEdgeLabels: r.IntN(4) == 0, Rings: r.IntN(2) == 0}
		want := 0
		for m := range gedtest.NodeMaps(q.N(), g.N()) {
			want = max(want, keptEdges(q, g, m, opt))
		}
		for _, opt.AtLeast = range []int{0, want, want + 1, want + 3} {
			for _, opt.States = range []int64{0, 1, 5, 20} {
				got, err := Largest(t.Context(), q, g, opt)
				if err != nil {
					t.Fatal(err)
				}
				if got.Size > want || got.Upper < want || got.Map.Check(q, g) != nil || keptEdges(q, g, got.Map, opt) != got.Size || got.Exact != (got.Size == got.Upper) ||
					opt.States == 0 && opt.AtLeast <= want && got.Size < want || opt.States == 0 && got.Upper >= max(want+1, opt.AtLeast) {
					t.Fatalf("trial %d: %+v of %+v, want %d\nquery %v\ntarget %v", trial, got, opt, want, gedtest.Text(q), gedtest.Text(g))
				}
				if !got.Exact {
					cut++
				}
			}
		}
	}
	if cut < 1000 {
		t.Errorf("only %d searches ended early: the test is too easy", cut)
	}
}

// TestLargestOfLargeGraphs: stars, and graphs whose labels all differ, take no more
// memory or time than there is of them.
func TestLargestOfLargeGraphs(t *testing.T) {
	const n = 5000
	vocab := graph.NewVocabulary()
	draw := func(star bool) *graph.Graph {
		b := graph.NewBuilder(vocab, false)
		for v := range n {
			label := "leaf"
			if !star {
				label = strconv.Itoa(v)
			}
			b.AddNode(label)
			if v == 0 {
				continue
			}
			from := v - 1
			if star {
				from = 0
			}
			if err := b.AddEdge(from, v, ""); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, star := range []bool{false, true} {
		g := draw(star)
		for _, connected := range []bool{false, true} {
			const limit, allowed = 200 * time.Millisecond, 4800 * time.Millisecond
			late := gedtest.Late(t, limit, allowed, func() {
				r, err := Largest(t.Context(), g, g, Options{Connected: connected, Rings: true, Time: limit})
				if err != nil || r.Size > n-1 || r.Upper < n-1 {
					t.Fatal(r.Size, r.Upper, err)
				}
			})
			if late > allowed {
				t.Errorf("star %v, connected %v: %v of processor time beyond 200 ms", star, connected, late)
			}
		}
	}
}

// BenchmarkLargest takes pairs of molecules of 12 to 20 and of 22 to 35 atoms.
func BenchmarkLargest(b *testing.B) {
	path := filepath.Join("..", "..", "shared", "data", "nci", "nci5k.smi")
	if _, err := os.Stat(path); err != nil {
		b.Skipf("no data: %v", err)
	}
	records, err := dataset.ReadAll(path, dataset.Options{})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 0))
	for _, size := range []struct{ least, most, pairs int }{{12, 20, 200}, {22, 35, 40}} {
		var fit []*graph.Graph
		for _, r := range records {
			if n := r.Graph.N(); n >= size.least && n <= size.most {
				fit = append(fit, r.Graph)
			}
		}
		var pairs [][2]*graph.Graph
		for range size.pairs {
			pairs = append(pairs, [2]*graph.Graph{fit[r.IntN(len(fit))], fit[r.IntN(len(fit))]})
		}
		for _, connected := range []bool{true, false} {
			for _, rings := range []bool{false, true} {
				b.Run(fmt.Sprintf("atoms=%d-%d/connected=%v/rings=%v", size.least, size.most, connected, rings), func(b *testing.B) {
					exact := 0
					for b.Loop() {
						exact = 0
						for _, p := range pairs {
							r, err := Largest(b.Context(), p[0], p[1], Options{Connected: connected, Rings: rings, Time: 3 * time.Second})
							if err != nil {
								b.Fatal(err)
							}
							if r.Exact {
								exact++
							}
						}
					}
					b.ReportMetric(float64(exact)/float64(len(pairs)), "exact")
				})
			}
		}
	}
}
