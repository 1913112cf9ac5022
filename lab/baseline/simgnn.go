package baseline

import (
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/lab/ops"
	"github.com/greedgraph/greed/nn"
)

// simgnnDesign is SimGNN: Bai, Ding, Bian, Chen, Sun and Wang, "SimGNN: A Neural
// Network Approach to Fast Graph Similarity Computation", WSDM 2019.
func simgnnDesign() design {
	return design{
		Info: Info{
			Name: "simgnn", Title: "SimGNN", Paper: "Bai et al. 2019",
			About:  "GCN, attention pooling, a neural tensor layer and a histogram of node similarities",
			Tasks:  []edit.Task{edit.GED, edit.SED},
			Cached: "states of nodes and the pooled vector",
		},
		build: func(b *builder, s shape) network {
			return &simgnn{
				conv: b.gcn("conv", s, 128, 64, 32),
				pool: b.attention("pool", 32),
				ntn:  b.tensor("ntn", 32, 16),
				fc:   b.tower("fc", uniform, []int{16, 8, 4}, 16, histogramBins),
			}
		},
		goal:  similarity{},
		steps: 10_000, batch: 128, rate: 3e-3,
		degrees: whereUnlabelled,
	}
}

type simgnn struct {
	conv *gcn
	pool attention
	ntn  tensor
	fc   tower
}

func (n *simgnn) embed(t *nn.Tape, b *nn.Batch) []kept {
	x := n.conv.last(t, b)
	return []kept{{x, b.Segment}, {n.pool.pool(t, x, b.Segment), upTo(b.Graphs())}}
}

func (n *simgnn) score(t *nn.Tape, z []kept, p *pairs) *nn.Var {
	both := n.ntn.apply(t, ops.Gather(t, z[1].x, p.q), ops.Gather(t, z[1].x, p.t))
	return n.fc.apply(t, t.Concat(both, histogram(t, z[0], p)))
}

const histogramBins = 16

// histogram returns the shares of the pairs of nodes whose similarity, the sigmoid of
// the product of their states, falls into each of 16 equal bins of [0, 1]: [P, 16]. The
// smaller graph is filled up with nodes of zeros (SimGNN, section 3.2.2). It has no
// gradient, as in the paper.
func histogram(t *nn.Tape, states kept, p *pairs) *nn.Var {
	out := t.Input(len(p.q), histogramBins)
	x, c := states.x.Value, states.x.Cols
	for i, q := range p.q {
		row := out.Value[i*histogramBins:][:histogramBins]
		qb, qe := states.of(q)
		tb, te := states.of(p.t[i])
		for a := qb; a < qe; a++ {
			for b := tb; b < te; b++ {
				dot := float32(0)
				y := x[int(b)*c:][:c]
				for k, v := range x[int(a)*c:][:c] {
					dot += v * y[k]
				}
				s := 1 / (1 + math.Exp(-float64(dot)))
				row[min(histogramBins-1, int(s*histogramBins))]++
			}
		}
		most := int(max(qe-qb, te-tb))
		cells := most * most
		row[histogramBins/2] += float32(cells - int(qe-qb)*int(te-tb))
		for k := range row {
			row[k] /= float32(max(1, cells))
		}
	}
	return out
}
