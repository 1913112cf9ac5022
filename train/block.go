// Package train fits a model to ground truth: pairs of graphs with lower and
// upper bounds of their edit distance.
package train

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Data is the ground truth to fit: graphs and the blocks of labelled pairs
// among them. Graphs share one vocabulary.
type Data struct {
	Graphs []*graph.Graph
	Train  []Block
	Valid  []Block
	// Seen tells that the graphs of Valid are those of Train, of which there
	// are too few to hold some out.
	Seen bool
}

// Block holds the bounds of every query of a set against every target of a
// set, query-major: pair (i, j) is number i*len(Targets)+j. Blocks are how a
// few embeddings give many labelled pairs. A pair without bounds has a Lower
// that is not a number.
type Block struct {
	Queries, Targets []int32 // positions in Data.Graphs
	Lower, Upper     []float32
}

// Pairs returns how many pairs of the block have bounds.
func (b Block) Pairs() int {
	n := 0
	for _, l := range b.Lower {
		if !math.IsNaN(float64(l)) {
			n++
		}
	}
	return n
}

// Check returns an error unless the data can be trained on.
func (d Data) Check() error {
	for i, g := range d.Graphs {
		if g.Directed() != d.Graphs[0].Directed() {
			return fmt.Errorf("train: of graphs 0 and %d one is directed and one is not", i)
		}
	}
	for _, set := range [][]Block{d.Train, d.Valid} {
		pairs := 0
		for i, b := range set {
			if n := len(b.Queries) * len(b.Targets); len(b.Lower) != n || len(b.Upper) != n {
				return fmt.Errorf("train: block %d has %d pairs and %d, %d bounds", i, n, len(b.Lower), len(b.Upper))
			}
			for k, l := range b.Lower {
				if u := b.Upper[k]; l < 0 || u < l || math.IsInf(float64(u), 0) {
					return fmt.Errorf("train: block %d, pair %d has bounds [%v, %v]", i, k, l, u)
				}
			}
			for _, ids := range [][]int32{b.Queries, b.Targets} {
				for _, id := range ids {
					if id < 0 || int(id) >= len(d.Graphs) {
						return fmt.Errorf("train: block %d names graph %d of %d", i, id, len(d.Graphs))
					}
				}
			}
			pairs += b.Pairs()
		}
		if pairs == 0 {
			return fmt.Errorf("train: no labelled pairs to learn from or to validate with")
		}
	}
	return nil
}

// pair is one labelled pair of a batch: positions among the batch's graphs.
type pair struct {
	q, t         int32
	lower, upper float32
}

// draw is a batch before it is embedded: distinct graphs and pairs of them.
type draw struct {
	graphs []int32
	pairs  []pair

	place map[int32]int32
	rows  []int32
	cols  []int32
}

// sampler draws batches: blocks with probability proportional to their number
// of pairs, from each block as many queries and targets as fit.
type sampler struct {
	blocks []Block
	cum    []float64
	task   edit.Task
}

func newSampler(task edit.Task, blocks []Block) *sampler {
	s := &sampler{blocks: blocks, task: task}
	total := 0.0
	for _, b := range blocks {
		total += float64(b.Pairs())
		s.cum = append(s.cum, total)
	}
	return s
}

// next fills d with at least budget graphs, if there are as many.
func (s *sampler) next(rng *rand.Rand, budget int, d *draw) {
	d.graphs, d.pairs = d.graphs[:0], d.pairs[:0]
	if d.place == nil {
		d.place = make(map[int32]int32)
	}
	clear(d.place)
	// A block drawn twice gives other pairs the second time; the limit keeps
	// collections of few graphs from looping.
	for tries := 0; len(d.graphs) < budget && tries < budget; tries++ {
		x := rng.Float64() * s.cum[len(s.cum)-1]
		i := 0
		for i < len(s.cum)-1 && s.cum[i] <= x {
			i++
		}
		s.take(rng, s.blocks[i], budget-len(d.graphs), d)
		if len(s.blocks) == 1 {
			break
		}
	}
}

// take adds the pairs of a random part of b with about budget graphs.
func (s *sampler) take(rng *rand.Rand, b Block, budget int, d *draw) {
	same := len(b.Queries) > 0 && &b.Queries[0] == &b.Targets[0]
	nq, nt := share(len(b.Queries), len(b.Targets), budget, same)
	d.rows = subset(rng, d.rows, len(b.Queries), nq)
	if same {
		d.cols = append(d.cols[:0], d.rows...)
	} else {
		d.cols = subset(rng, d.cols, len(b.Targets), nt)
	}
	for x, i := range d.rows {
		q := d.add(b.Queries[i])
		for y, j := range d.cols {
			// GED is symmetric: of a set against itself, half will do.
			if same && s.task == edit.GED && y <= x {
				continue
			}
			k := int(i)*len(b.Targets) + int(j)
			if l := b.Lower[k]; l == l {
				d.pairs = append(d.pairs, pair{q, d.add(b.Targets[j]), l, b.Upper[k]})
			}
		}
	}
}

// share splits a budget of graphs between queries and targets.
func share(queries, targets, budget int, same bool) (q, t int) {
	if same {
		q = max(2, min(queries, budget))
		return q, q
	}
	q = max(1, min(queries, max(budget/2, budget-targets)))
	return q, max(1, min(targets, budget-q))
}

func (d *draw) add(g int32) int32 {
	if p, ok := d.place[g]; ok {
		return p
	}
	p := int32(len(d.graphs))
	d.place[g] = p
	d.graphs = append(d.graphs, g)
	return p
}

// subset returns k distinct numbers below n, in random order, reusing dst.
func subset(rng *rand.Rand, dst []int32, n, k int) []int32 {
	dst = dst[:0]
	if 4*k < n {
		for len(dst) < k {
			x := int32(rng.IntN(n))
			if !contains(dst, x) {
				dst = append(dst, x)
			}
		}
		return dst
	}
	for i := range n {
		dst = append(dst, int32(i))
	}
	for i := range min(k, n) {
		j := i + rng.IntN(n-i)
		dst[i], dst[j] = dst[j], dst[i]
	}
	return dst[:min(k, n)]
}

func contains(list []int32, x int32) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}
