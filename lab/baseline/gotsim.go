package baseline

import (
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/lab/ops"
	"github.com/greedgraph/greed/nn"
)

// gotsimDesign is GOTSim: Doan, Manchanda, Mahapatra and Reddy, "Interpretable Graph
// Similarity Computation via Differentiable Optimal Alignment of Node Embeddings", SIGIR
// 2021. Its distance is symmetric, so the paper leaves it out for SED.
func gotsimDesign() design {
	return design{
		Info: Info{
			Name: "gotsim", Title: "GOTSim", Paper: "Doan et al. 2021",
			About:  "optimal matchings of the states of nodes, one of each layer",
			Tasks:  []edit.Task{edit.GED},
			Cached: "states of nodes of each layer",
		},
		build: func(b *builder, s shape) network {
			n := &gotsim{conv: b.gcn("conv", s, gotsimWidths()...)}
			for i, w := range gotsimWidths() {
				n.del = append(n.del, b.bias(fmt.Sprintf("del.%d", i), w, 0))
				n.ins = append(n.ins, b.bias(fmt.Sprintf("ins.%d", i), w, 1))
			}
			n.last = b.dense("last", uniform, 1, len(gotsimWidths()))
			return n
		},
		goal:  similarity{},
		steps: 16_000, batch: 128, rate: 3e-3, decay: 5e-4,
		degrees: whereUnlabelled,
	}
}

func gotsimWidths() []int { return []int{128, 64, 32} }

type gotsim struct {
	conv     *gcn
	del, ins []*nn.Param // what nodes are matched with that have no partner
	last     dense
}

func (n *gotsim) embed(t *nn.Tape, b *nn.Batch) []kept {
	var all []kept
	for _, x := range n.conv.layers(t, b) {
		all = append(all, kept{x, b.Segment})
	}
	return all
}

// score matches nodes by the negative product of their states, in every layer, and maps
// the costs to a logit.
func (n *gotsim) score(t *nn.Tape, z []kept, p *pairs) *nn.Var {
	perNode := t.Input(len(p.q), 1)
	for i := range p.q {
		qb, qe := z[0].of(p.q[i])
		tb, te := z[0].of(p.t[i])
		perNode.Value[i] = 2 / float32(max(1, qe-qb+te-tb))
	}
	costs := make([]*nn.Var, len(z))
	for k, states := range z {
		blocks := p.cross(states, states)
		// Dots are gains: the cost of a cell is its negative. Match finds the least, so
		// states of one side change their sign.
		minus := ops.Sub(t, t.Input(states.x.Rows, states.x.Cols), states.x)
		cost := ops.Match(t,
			ops.CellDots(t, minus, states.x, blocks),
			ops.Dot(t, ops.BlockRows(t, minus, blocks), n.del[k], nil),
			ops.Dot(t, ops.BlockCols(t, minus, blocks), n.ins[k], nil), blocks)
		costs[k] = ops.MulColumn(t, cost, perNode)
	}
	pad := t.Input(len(p.q), 16-len(costs))
	return n.last.apply(t, t.Concat(append(costs, pad)...), false)
}
