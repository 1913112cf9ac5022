package sample

import (
	"math/rand/v2"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// draft is a graph that can be changed. It gains no self-loops and no parallel edges.
type draft struct {
	directed bool
	labels   []graph.Label
	edges    []graph.Edge
}

func newDraft(g *graph.Graph) *draft {
	d := &draft{directed: g.Directed(), labels: append([]graph.Label(nil), g.Labels()...)}
	for e := range g.Edges() {
		d.edges = append(d.edges, e)
	}
	return d
}

func (d *draft) graph(vocab *graph.Vocabulary) *graph.Graph {
	b := graph.NewBuilder(vocab, d.directed)
	for _, l := range d.labels {
		b.AddNodeLabel(l)
	}
	for _, e := range d.edges {
		b.MustAdd(e.From, e.To, e.Label)
	}
	return b.MustBuild()
}

// adjacent reports whether an edge joins u and v in either direction.
func (d *draft) adjacent(u, v int) bool {
	return slices.ContainsFunc(d.edges, func(e graph.Edge) bool {
		return e.From == u && e.To == v ||
			e.From == v && e.To == u
	})
}

// join adds an edge between u and v, in a direction chosen at random.
func (d *draft) join(rng *rand.Rand, u, v int, l graph.Label) {
	if d.directed && rng.IntN(2) == 0 {
		u, v = v, u
	}
	d.edges = append(d.edges, graph.Edge{From: u, To: v, Label: l})
}

// deleteEdge deletes an edge chosen at random if its ends stay connected, and
// returns the number of edits made.
func (d *draft) deleteEdge(rng *rand.Rand) int {
	if len(d.edges) == 0 {
		return 0
	}
	i, last := rng.IntN(len(d.edges)), len(d.edges)-1
	removed := d.edges[i]
	d.edges[i], d.edges[last] = d.edges[last], removed
	d.edges = d.edges[:last]
	if !d.connected(removed.From, removed.To) {
		d.edges = append(d.edges, removed)
		return 0
	}
	return 1
}

// deleteNode deletes one of the nodes with at most one edge, with that edge,
// and returns the number of edits made. The last node is kept.
func (d *draft) deleteNode(rng *rand.Rand, limit int) int {
	n := len(d.labels)
	degree, edge := make([]int, n), make([]int, n)
	for i, e := range d.edges {
		degree[e.From]++
		degree[e.To]++
		edge[e.From], edge[e.To] = i, i
	}
	var candidates []int
	for v, k := range degree {
		if k <= 1 && k < limit {
			candidates = append(candidates, v)
		}
	}
	if n < 2 || len(candidates) == 0 {
		return 0
	}
	v, last := candidates[rng.IntN(len(candidates))], n-1
	if degree[v] == 1 {
		d.edges[edge[v]] = d.edges[len(d.edges)-1]
		d.edges = d.edges[:len(d.edges)-1]
	}
	d.labels[v] = d.labels[last]
	d.labels = d.labels[:last]
	for i := range d.edges {
		e := &d.edges[i]
		if e.From == last {
			e.From = v
		}
		if e.To == last {
			e.To = v
		}
	}
	return 1 + degree[v]
}

// connected reports whether a path joins u and v, directions ignored.
func (d *draft) connected(u, v int) bool {
	adjacent := make([][]int, len(d.labels))
	for _, e := range d.edges {
		adjacent[e.From] = append(adjacent[e.From], e.To)
		adjacent[e.To] = append(adjacent[e.To], e.From)
	}
	seen := make([]bool, len(d.labels))
	seen[u] = true
	stack := []int{u}
	for len(stack) > 0 && !seen[v] {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, y := range adjacent[x] {
			if !seen[y] {
				seen[y] = true
				stack = append(stack, y)
			}
		}
	}
	return seen[v]
}
