package baseline

import (
	"github.com/greedgraph/greed/lab/ops"
	"github.com/greedgraph/greed/nn"
)

// network is what is learnt, without its numbers. It keeps no memory of its own, so
// that several goroutines may use it, each with its tape.
type network interface {
	// embed returns what is kept of each graph of a batch before its partner is known.
	embed(t *nn.Tape, b *nn.Batch) []kept
	// score returns a number for every pair, in column 0 of [P, C].
	score(t *nn.Tape, z []kept, p *pairs) *nn.Var
}

// kept is a matrix of which each graph g has the rows start[g]:start[g+1].
type kept struct {
	x     *nn.Var
	start []int32
}

// of returns the run of rows of a graph.
func (k kept) of(g int32) (begin, end int32) { return k.start[g], k.start[g+1] }

// pairs are pairs of graphs of a batch.
type pairs struct {
	q, t   []int32 // [P]
	blocks []*ops.Blocks
	used   int
	// leftQ and leftT list the nodes of each pair that are not mapped yet; nil: all.
	leftQ, leftT [][]int32
}

func (p *pairs) reset() { p.q, p.t, p.used, p.leftQ, p.leftT = p.q[:0], p.t[:0], 0, nil, nil }

// spare returns empty blocks that last until reset.
func (p *pairs) spare() *ops.Blocks {
	if p.used == len(p.blocks) {
		p.blocks = append(p.blocks, new(ops.Blocks))
	}
	b := p.blocks[p.used]
	p.used++
	b.Reset()
	return b
}

// cross returns the rows of the queries against those of the targets.
func (p *pairs) cross(x, y kept) *ops.Blocks {
	b := p.spare()
	for i, q := range p.q {
		xb, xe := x.of(q)
		yb, ye := y.of(p.t[i])
		b.Add(xb, xe, yb, ye)
	}
	return b
}

// upTo returns 0, 1, ..., n: segments of one row each.
func upTo(n int) []int32 {
	s := make([]int32, n+1)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// goal turns outputs of a network into losses and distances.
type goal interface {
	// loss returns the loss of an output and its derivative.
	loss(x float32, p sized) (loss, grad float32)
	// distance returns what the output predicts.
	distance(x float32, p sized) float64
}

// sized is a pair with the bounds of its distance.
type sized struct {
	size         int // the scale of similarities, by [learner.size]
	lower, upper float32
}
