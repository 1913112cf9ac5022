package gedtest

import (
	"math/rand/v2"
	"strconv"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Shape describes random graphs.
type Shape struct {
	MinNodes, MaxNodes     int
	Density                float64 // probability of each edge, of either direction
	NodeLabels, EdgeLabels int     // how many there are, at least 1
	Directed               bool
	Wildcards              float64 // probability of each label to be [graph.Wildcard]
	Multi                  float64 // probability of one more edge, again and again up to 3, where there is one and at every node
}

// Graph returns a random graph of the given shape. Its node labels are "0",
// "1" and so on, its edge labels "a", "b" and so on.
func Graph(r *rand.Rand, vocab *graph.Vocabulary, s Shape) *graph.Graph {
	b := graph.NewBuilder(vocab, s.Directed)
	n := s.MinNodes + r.IntN(s.MaxNodes-s.MinNodes+1)
	for range n {
		if r.Float64() < s.Wildcards {
			b.AddNodeLabel(graph.Wildcard)
			continue
		}
		b.AddNode(nodeLabel(r.IntN(s.NodeLabels)))
	}
	s.pairs(r, n, func(u, v int) {
		l := graph.Wildcard
		if r.Float64() >= s.Wildcards {
			l = vocab.Edge(edgeLabel(r.IntN(s.EdgeLabels)))
		}
		b.MustAdd(u, v, l)
	})
	return b.MustBuild()
}

// pairs calls add with the ends of random edges of n nodes.
func (s *Shape) pairs(r *rand.Rand, n int, add func(u, v int)) {
	for u := range n {
		for v := range n {
			switch {
			case u == v:
			case !s.Directed && u > v || r.Float64() >= s.Density:
				continue
			default:
				add(u, v)
			}
			for more := 0; s.Multi > 0 && more < 3 && r.Float64() < s.Multi; more++ {
				add(u, v)
			}
		}
	}
}

func nodeLabel(i int) string { return strconv.Itoa(i) }
func edgeLabel(i int) string { return string(rune('a' + i)) }

// Shuffle returns g with its nodes renumbered at random.
func Shuffle(r *rand.Rand, g *graph.Graph) *graph.Graph { return g.Permute(r.Perm(g.N())) }

// Subgraph returns g less some random nodes and edges, renumbered at random.
func Subgraph(r *rand.Rand, g *graph.Graph) *graph.Graph {
	nodes := r.Perm(g.N())
	nodes = nodes[:r.IntN(len(nodes)+1)]
	part := g.Induced(nodes)
	b := graph.NewBuilder(g.Vocabulary(), g.Directed())
	for v := range part.N() {
		b.AddNodeLabel(part.Label(v))
	}
	for e := range part.Edges() {
		if r.IntN(4) == 0 {
			continue
		}
		b.MustAdd(e.From, e.To, e.Label)
	}
	return b.MustBuild()
}

// Table returns random costs for the labels that [Graph] gives, for nodes or
// edges: multiples of step, of which none needs to be metric.
func Table(r *rand.Rand, text func(int) string, labels int, step float64) *edit.Table {
	cost := func() float64 { return step * float64(r.IntN(7)) }
	t := &edit.Table{
		Insert:     map[string]float64{"*": cost()},
		Delete:     map[string]float64{"*": cost()},
		Substitute: map[string]map[string]float64{"*": {}},
	}
	for a := range labels {
		t.Insert[text(a)], t.Delete[text(a)] = cost(), cost()
		t.Substitute["*"][text(a)] = cost()
		row := map[string]float64{"*": cost()}
		for b := range labels {
			if a != b {
				row[text(b)] = cost()
			}
		}
		t.Substitute[text(a)] = row
	}
	return t
}

// NodeTable and EdgeTable are [Table] for the node and edge labels of [Graph].
func NodeTable(r *rand.Rand, labels int, step float64) *edit.Table {
	return Table(r, nodeLabel, labels, step)
}

// EdgeTable is like [NodeTable].
func EdgeTable(r *rand.Rand, labels int, step float64) *edit.Table {
	return Table(r, edgeLabel, labels, step)
}
