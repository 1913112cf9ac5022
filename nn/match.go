package nn

import "github.com/greedgraph/greed/internal/assign"

// matcher is the memory of [Tape.Match].
type matcher struct {
	solver         assign.Solver
	cost, del, ins []float64
}

// Match returns, for every block, the least cost of matching its rows with its columns:
// a row and a column matched cost their cell of cost, [cells, 1], a row left over its
// number of del, [Rows, 1], and a column left over its number of ins, [Cols, 1]. The
// result is [Len, 1]. Its gradient is that of the costs in the matching found.
func (t *Tape) Match(cost, del, ins *Var, b *Blocks) *Var {
	mustMatch("number of cells", cost.Rows, b.Cells())
	mustMatch("number of rows", del.Rows, b.Rows())
	mustMatch("number of columns", ins.Rows, b.Cols())
	out := t.result(b.Len(), 1)
	chosen := t.arena.take(b.Rows()) // the column of every row of a block, or none
	m := &t.matcher
	for k := range b.Len() {
		rows, cols := b.Of[k], b.Col[k]
		n, w := b.Of[k+1]-rows, b.Col[k+1]-cols
		m.cost = widen(m.cost, cost.Value[b.Row[rows]:][:n*w])
		m.del, m.ins = widen(m.del, del.Value[rows:][:n]), widen(m.ins, ins.Value[cols:][:w])
		out.Value[k] = float32(m.solver.Solve(m.cost, m.del, m.ins))
		for i, j := range m.solver.Row {
			chosen[int(rows)+i] = float32(j)
		}
	}
	return t.record(record{back: backMatch, x: cost, y: del, z: ins, out: out, blocks: b, picked: chosen})
}

func backMatch(_ *Tape, r *record) {
	b := r.blocks
	for k, g := range r.out.Grad {
		for j := b.Col[k]; j < b.Col[k+1]; j++ {
			r.z.Grad[j] += g
		}
		for i := b.Of[k]; i < b.Of[k+1]; i++ {
			j := int32(r.picked[i])
			if j == assign.None {
				r.y.Grad[i] += g
				continue
			}
			r.x.Grad[b.Row[i]+j] += g
			r.z.Grad[b.Col[k]+j] -= g
		}
	}
}

func widen(dst []float64, src []float32) []float64 {
	dst = dst[:0]
	for _, x := range src {
		dst = append(dst, float64(x))
	}
	return dst
}
