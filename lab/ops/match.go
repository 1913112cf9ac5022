package ops

import (
	"github.com/greedgraph/greed/internal/assign"
	"github.com/greedgraph/greed/nn"
)

// Match returns, for every block, the least cost of matching its rows with its columns:
// a row and a column matched cost their cell of cost, [cells, 1], a row left over its
// number of del, [Rows, 1], and a column left over its number of ins, [Cols, 1]. The
// result is [Len, 1]. Its gradient is that of the costs in the matching found.
func Match(t *nn.Tape, cost, del, ins *nn.Var, b *Blocks) *nn.Var {
	mustMatch("number of cells", cost.Rows, b.Cells())
	mustMatch("number of rows", del.Rows, b.Rows())
	mustMatch("number of columns", ins.Rows, b.Cols())
	out := t.Output(b.Len(), 1)
	chosen := make([]int32, 0, b.Rows()) // the column of every row of a block, or none
	var solver assign.Solver
	for k := range b.Len() {
		rows, cols := b.Of[k], b.Col[k]
		n, w := b.Of[k+1]-rows, b.Col[k+1]-cols
		out.Value[k] = float32(solver.Solve(widened(cost.Value[b.Row[rows]:][:n*w]), widened(del.Value[rows:][:n]), widened(ins.Value[cols:][:w])))
		chosen = append(chosen, solver.Row...)
	}
	return t.Then(out, func() {
		for k, g := range out.Grad {
			for j := b.Col[k]; j < b.Col[k+1]; j++ {
				ins.Grad[j] += g
			}
			for i := b.Of[k]; i < b.Of[k+1]; i++ {
				j := chosen[i]
				if j == assign.None {
					del.Grad[i] += g
					continue
				}
				cost.Grad[b.Row[i]+j] += g
				ins.Grad[b.Col[k]+j] -= g
			}
		}
	})
}

func widened(src []float32) []float64 {
	dst := make([]float64, len(src))
	for i, x := range src {
		dst[i] = float64(x)
	}
	return dst
}
