package sampler

import (
	"math/rand/v2"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/sample"
)

// Walk is the RW sampler of the paper's appendix: a random walk from the start
// that ends when the subgraph of the edges walked has the given diameter, the
// mean diameter of the BFS queries trained on ([Diameter]).
type Walk struct {
	Diameter int
}

// maxSteps ends a walk in a graph that is too small for the diameter asked for.
const maxSteps = 1000

// Draw returns the subgraph of one walk.
func (s Walk) Draw(rng *rand.Rand, g *graph.Graph, start int) *graph.Graph {
	t := sample.NewTrace(g, start)
	at, crossed := start, false
	drawn := t.Graph()
	for range maxSteps {
		if Diameter(drawn) >= s.Diameter || g.Degree(at) == 0 {
			break
		}
		if at, crossed = cross(rng, t, g, at); crossed {
			drawn = t.Graph()
		}
	}
	return drawn
}

// Restarts is the RWR sampler of the paper's appendix: random walks of a fixed
// length, each from the start, merged. The paper sets Length to the mean
// diameter of the BFS queries trained on and does not say how many Walks.
type Restarts struct {
	Length int
	Walks  int
}

// Draw returns the subgraph of all walks.
func (s Restarts) Draw(rng *rand.Rand, g *graph.Graph, start int) *graph.Graph {
	t := sample.NewTrace(g, start)
	for range s.Walks {
		at := start
		for range s.Length {
			if g.Degree(at) == 0 {
				break
			}
			at, _ = cross(rng, t, g, at)
		}
	}
	return t.Graph()
}

// cross crosses an edge at v chosen uniformly, and returns its other end and whether the
// edge is new.
func cross(rng *rand.Rand, t *sample.Trace, g *graph.Graph, v int) (to int, fresh bool) {
	s := sample.StepAt(g, v, rng.IntN(g.Degree(v)))
	return s.To, t.Cross(s)
}

// Shadow is the sampler of shaDow-GNN (Zeng et al., NeurIPS 2021) that the
// paper's appendix refers to: Depth times, every node reached last chooses up
// to Neighbours of its neighbours, without replacement; the result is the
// subgraph induced on the nodes reached.
type Shadow struct {
	Depth      int
	Neighbours int
}

// Draw returns the subgraph of one search.
func (s Shadow) Draw(rng *rand.Rand, g *graph.Graph, start int) *graph.Graph {
	t := sample.NewTrace(g, start)
	begin := 0
	for range s.Depth {
		end := len(t.Nodes)
		for _, v := range t.Nodes[begin:end] {
			for _, i := range choose(rng, g.Degree(v), s.Neighbours) {
				t.Visit(sample.StepAt(g, v, i).To)
			}
		}
		begin = end
	}
	return g.Induced(t.Nodes)
}

// choose returns min(k, n) distinct numbers below n (Floyd's algorithm).
func choose(rng *rand.Rand, n, k int) []int {
	k = min(k, n)
	chosen := make([]int, 0, k)
	taken := make(map[int]bool, k)
	for i := n - k; i < n; i++ {
		x := rng.IntN(i + 1)
		if taken[x] {
			x = i
		}
		taken[x] = true
		chosen = append(chosen, x)
	}
	return chosen
}

// Diameter returns the greatest distance between two nodes of g that a path
// joins, directions ignored; 0 for a graph without edges. It takes time
// O(n(n+m)).
func Diameter(g *graph.Graph) int {
	greatest := 0
	dist := make([]int, g.N())
	var queue []int
	for s := range g.N() {
		for v := range dist {
			dist[v] = -1
		}
		dist[s] = 0
		queue = append(queue[:0], s)
		for head := 0; head < len(queue); head++ {
			v := queue[head]
			greatest = max(greatest, dist[v])
			for i := range g.Degree(v) {
				if w := sample.StepAt(g, v, i).To; dist[w] < 0 {
					dist[w] = dist[v] + 1
					queue = append(queue, w)
				}
			}
		}
	}
	return greatest
}
