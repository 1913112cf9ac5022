package nn

// LeakyReLU returns x where it is positive and slope·x elsewhere; 0 ≤ slope ≤ 1.
func (t *Tape) LeakyReLU(x *Var, slope float32) *Var {
	out := t.result(x.Rows, x.Cols)
	for i, a := range x.Value {
		out.Value[i] = max(a, slope*a)
	}
	return t.record(record{back: backLeakyReLU, x: x, out: out, number: slope})
}

func backLeakyReLU(_ *Tape, r *record) {
	for i, g := range r.out.Grad {
		if r.x.Value[i] <= 0 {
			g *= r.number
		}
		r.x.Grad[i] += g
	}
}
