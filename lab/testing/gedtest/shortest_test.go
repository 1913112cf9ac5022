package gedtest_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// draft is a graph on its way: node labels, and edge labels by pair of nodes,
// -1 where there is no edge.
type draft struct {
	nodes []int
	edges [][]int
}

func draftOf(g *graph.Graph) draft {
	var d draft
	for v := range g.N() {
		d.nodes = append(d.nodes, int(g.Label(v)))
		row := make([]int, g.N())
		for w := range row {
			row[w] = -1
			if l, ok := g.Edge(v, w); ok {
				row[w] = int(l)
			}
		}
		d.edges = append(d.edges, row)
	}
	return d
}

// key is the same for isomorphic drafts: the least text over all numberings.
func (d draft) key() string {
	least := ""
	for m := range gedtest.NodeMaps(len(d.nodes), len(d.nodes)) {
		var b strings.Builder
		for v, w := range m {
			if w < 0 {
				b.Reset()
				break
			}
			fmt.Fprintf(&b, "%d:", d.nodes[w])
			for _, x := range m[:v] {
				if x >= 0 {
					fmt.Fprintf(&b, "%d,%d,", d.edges[w][x], d.edges[x][w])
				}
			}
		}
		if s := b.String(); s != "" && (least == "" || s < least) {
			least = s
		}
	}
	return least
}

func (d draft) clone() draft {
	c := draft{append([]int{}, d.nodes...), nil}
	for _, row := range d.edges {
		c.edges = append(c.edges, append([]int{}, row...))
	}
	return c
}

// neighbours calls visit with all drafts that one edit makes of d.
func (d draft) neighbours(directed bool, c edit.Costs, nodeLabels, edgeLabels []int, most int, visit func(draft, float64)) {
	n := len(d.nodes)
	for v := range n {
		for _, l := range nodeLabels {
			if l != d.nodes[v] {
				e := d.clone()
				e.nodes[v] = l
				visit(e, c.NodeSubstitute)
			}
		}
		alone := true
		for w := range n {
			alone = alone && d.edges[v][w] < 0 && d.edges[w][v] < 0
		}
		if alone {
			e := draft{}
			for w := range n {
				if w == v {
					continue
				}
				e.nodes = append(e.nodes, d.nodes[w])
				row := append([]int{}, d.edges[w][:v]...)
				e.edges = append(e.edges, append(row, d.edges[w][v+1:]...))
			}
			visit(e, c.NodeDelete)
		}
		for w := range n {
			if w == v || !directed && w < v {
				continue
			}
			for _, l := range append([]int{-1}, edgeLabels...) {
				old := d.edges[v][w]
				if l == old {
					continue
				}
				cost := c.EdgeSubstitute
				if l < 0 {
					cost = c.EdgeDelete
				} else if old < 0 {
					cost = c.EdgeInsert
				}
				e := d.clone()
				e.edges[v][w] = l
				if !directed {
					e.edges[w][v] = l
				}
				visit(e, cost)
			}
		}
	}
	if n < most {
		for _, l := range nodeLabels {
			e := d.clone()
			e.nodes = append(e.nodes, l)
			row := make([]int, n+1)
			for w := range row {
				row[w] = -1
			}
			for w := range e.edges {
				e.edges[w] = append(e.edges[w], -1)
			}
			e.edges = append(e.edges, row)
			visit(e, c.NodeInsert)
		}
	}
}

// shortest returns the cost of the cheapest sequence of single edits from q to a
// graph isomorphic to t (Dijkstra's algorithm over all graphs of so many nodes).
func shortest(q, t *graph.Graph, c edit.Costs, nodeLabels, edgeLabels []int) float64 {
	type state struct {
		draft draft
		cost  float64
		done  bool
	}
	goal := draftOf(t).key()
	start := draftOf(q)
	states := map[string]*state{start.key(): {draft: start}}
	for {
		keys := make([]string, 0, len(states))
		for k, s := range states {
			if !s.done {
				keys = append(keys, k)
			}
		}
		sort.Slice(keys, func(i, j int) bool { return states[keys[i]].cost < states[keys[j]].cost })
		s := states[keys[0]]
		if keys[0] == goal {
			return s.cost
		}
		s.done = true
		s.draft.neighbours(q.Directed(), c, nodeLabels, edgeLabels, max(q.N(), t.N())+1, func(d draft, cost float64) {
			k := d.key()
			if old := states[k]; old == nil {
				states[k] = &state{draft: d, cost: s.cost + cost}
			} else {
				old.cost = min(old.cost, s.cost+cost)
			}
		})
	}
}

// TestBruteForceIsShortestSequence: no sequence of edits is cheaper than the best
// node map, whatever the weights, those without the triangle inequality included.
func TestBruteForceIsShortestSequence(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for trial := range sweep.Trials(40) {
		vocab := graph.NewVocabulary()
		shape := gedtest.Shape{MaxNodes: 3, Density: 0.7, NodeLabels: 2, EdgeLabels: 2}
		if trial%3 == 0 {
			shape.MaxNodes, shape.Directed = 2, true
		}
		q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
		w := func() float64 { return float64(1 + r.IntN(5)) }
		c := edit.Costs{NodeInsert: w(), NodeDelete: w(), NodeSubstitute: w(), EdgeInsert: w(), EdgeDelete: w(), EdgeSubstitute: w()}
		if trial%2 == 0 { // dear labels
			c.NodeInsert, c.NodeSubstitute, c.EdgeSubstitute = c.NodeInsert+3, 2*c.NodeSubstitute, 3*c.EdgeSubstitute
		}
		p, err := edit.Price(edit.GED, c, q, g)
		if err != nil {
			t.Fatal(err)
		}
		nodeLabels := []int{int(vocab.Node("0")), int(vocab.Node("1"))}
		edgeLabels := []int{int(vocab.Edge("a")), int(vocab.Edge("b"))}
		want := shortest(q, g, c, nodeLabels, edgeLabels)
		if got, m := gedtest.BruteForce(p, q, g); math.Abs(got-want) > gedtest.Tolerance {
			t.Fatalf("trial %d: node map %v costs %v, the cheapest edits %v; costs %+v\nquery %s\ntarget %s",
				trial, m, got, want, c, gedtest.Text(q), gedtest.Text(g))
		}
	}
}
