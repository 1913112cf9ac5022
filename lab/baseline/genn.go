package baseline

import (
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/lab/ops"
	"github.com/greedgraph/greed/nn"
)

// gennDesign is GENN, the network of Wang, Zhang, Yu, Yan and Yang, "Combinatorial
// Learning of Graph Edit Distance via Dynamic Embedding", CVPR 2021, which predicts
// distances by itself: SimGNN without its histogram, narrower, with degrees.
func gennDesign() design {
	return design{
		Info: Info{
			Name: "genn", Title: "GENN", Paper: "Wang et al. 2021",
			About:  "GCN, attention pooling and a neural tensor layer; the network of GENN-A* alone",
			Tasks:  []edit.Task{edit.GED},
			Cached: "the pooled vector",
		},
		build: func(b *builder, s shape) network { return newGENN(b, s) },
		goal:  similarity{},
		steps: 10_000, batch: 128, rate: 3e-3, decay: 5e-5,
		degrees: alwaysDegrees,
	}
}

type genn struct {
	conv *gcn
	pool attention
	ntn  tensor
	fc   tower
}

func newGENN(b *builder, s shape) *genn {
	return &genn{
		conv: b.gcn("conv", s, 64, 32, 16), pool: b.attention("pool", 16),
		ntn: b.tensor("ntn", 16, 16), fc: b.tower("fc", uniform, []int{16}, 16),
	}
}

func (n *genn) states(t *nn.Tape, b *nn.Batch) *nn.Var {
	return n.conv.last(t, b)
}

func (n *genn) embed(t *nn.Tape, b *nn.Batch) []kept {
	return []kept{{n.pool.pool(t, n.states(t, b), b.Segment), upTo(b.Graphs())}}
}

func (n *genn) score(t *nn.Tape, z []kept, p *pairs) *nn.Var {
	return n.compare(t, ops.Gather(t, z[0].x, p.q), ops.Gather(t, z[0].x, p.t))
}

// compare returns the logits of pairs of pooled vectors.
func (n *genn) compare(t *nn.Tape, q, target *nn.Var) *nn.Var {
	return n.fc.apply(t, n.ntn.apply(t, q, target))
}

// partial is GENN where some nodes are mapped: it keeps the states of nodes, of the
// whole graphs, and pools those that are left.
type partial struct{ *genn }

func (n partial) embed(t *nn.Tape, b *nn.Batch) []kept {
	return []kept{{n.states(t, b), b.Segment}}
}

// score pools, of pair i, the rows left.q[i] and left.t[i] of the states, or all.
func (n partial) score(t *nn.Tape, z []kept, p *pairs) *nn.Var {
	pool := func(graphs []int32, left [][]int32) *nn.Var {
		var rows []int32
		start := []int32{0}
		for i, g := range graphs {
			begin, end := z[0].of(g)
			if left != nil {
				for _, v := range left[i] {
					rows = append(rows, begin+v)
				}
			} else {
				for v := begin; v < end; v++ {
					rows = append(rows, v)
				}
			}
			start = append(start, int32(len(rows)))
		}
		return n.pool.pool(t, ops.Gather(t, z[0].x, rows), start)
	}
	return n.compare(t, pool(p.q, p.leftQ), pool(p.t, p.leftT))
}
