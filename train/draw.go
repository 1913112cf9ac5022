package train

import (
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// pair is a pair of a batch with its bounds; its graphs are positions in the batch.
type pair struct {
	q, t                 int32
	lower, upper, weight float32
}

// draw is a batch before embedding: distinct graphs and pairs of them.
type draw struct {
	graphs []int32
	pairs  []pair
	nodes  int     // of all graphs
	weight float64 // of all pairs

	row  map[int32]int32
	rows []int32
	cols []int32
}

// sampler samples batches. It chooses blocks with probability proportional to their number of
// pairs, and takes as many queries and targets as fit.
type sampler struct {
	graphs []*graph.Graph
	blocks []Block
	cum    []float64
	task   edit.Task
	near   Near
	fit    int // graphs of mean size that batchNodes hold
}

// batchNodes limits the nodes of a batch, except that a single pair may exceed it. It bounds
// the memory and time of a step on large graphs. Batches of molecules stay well below: 192
// molecules have a fifth of it.
const batchNodes = 8192

func newSampler(task edit.Task, graphs []*graph.Graph, blocks []Block, near Near) *sampler {
	s := &sampler{graphs: graphs, blocks: blocks, task: task, near: near}
	total, nodes, count := 0.0, 0, 0
	for _, b := range blocks {
		total += float64(b.Pairs())
		s.cum = append(s.cum, total)
		for _, g := range b.graphs() {
			nodes += graphs[g].N()
			count++
		}
	}
	s.fit = max(2, batchNodes*count/max(1, nodes))
	return s
}

// next fills d with at least budget graphs, or with all there are.
func (s *sampler) next(rng *rand.Rand, budget int, d *draw) {
	budget = min(budget, s.fit)
	d.graphs, d.pairs, d.nodes, d.weight = d.graphs[:0], d.pairs[:0], 0, 0
	if d.row == nil {
		d.row = make(map[int32]int32)
	}
	clear(d.row)
	// A block that is drawn again usually gives other pairs. After several draws in a row
	// that add no graph, the whole of a small collection is in the batch.
	for idle := 0; len(d.graphs) < budget && idle < idleDraws && d.nodes < batchNodes; idle++ {
		before := len(d.graphs)
		x := rng.Float64() * s.cum[len(s.cum)-1]
		i := sort.Search(len(s.cum)-1, func(i int) bool { return s.cum[i] > x })
		s.take(rng, s.blocks[i], budget-len(d.graphs), d)
		if len(s.blocks) == 1 {
			break
		}
		if len(d.graphs) > before {
			idle = 0
		}
	}
}

// idleDraws is the number of draws in a row that may add no graph.
const idleDraws = 8

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
		for y, j := range d.cols {
			if len(d.pairs) > 0 && d.nodes >= batchNodes {
				return
			}
			// The distance is symmetric: of the pairs of a set with itself, half suffice.
			if same && s.task.Symmetric() && y <= x {
				continue
			}
			k := int(i)*len(b.Targets) + int(j)
			if l := b.Lower[k]; l == l {
				q := s.add(d, b.Queries[i])
				low, high, w := s.near.Goal(l, b.Upper[k])
				d.pairs = append(d.pairs, pair{q, s.add(d, b.Targets[j]), low, high, w})
				d.weight += float64(w)
			}
		}
	}
}

// share divides a budget of graphs between queries and targets.
func share(queries, targets, budget int, same bool) (q, t int) {
	if same {
		q = max(2, min(queries, budget))
		return q, q
	}
	q = max(1, min(queries, max(budget/2, budget-targets)))
	return q, max(1, min(targets, budget-q))
}

// add adds a graph to d, unless it is there, and returns its row.
func (s *sampler) add(d *draw, g int32) int32 {
	if p, ok := d.row[g]; ok {
		return p
	}
	p := int32(len(d.graphs))
	d.row[g] = p
	d.graphs = append(d.graphs, g)
	d.nodes += s.graphs[g].N()
	return p
}

// subset returns k distinct numbers below n in random order. It reuses dst.
func subset(rng *rand.Rand, dst []int32, n, k int) []int32 {
	dst = dst[:0]
	if 4*k < n {
		for len(dst) < k {
			x := int32(rng.IntN(n))
			if !slices.Contains(dst, x) {
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
