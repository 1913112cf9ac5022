package nn

import "math"

// Mul returns the products of the elements of x and y, both [R, C].
func (t *Tape) Mul(x, y *Var) *Var {
	mustMatch("number of rows", y.Rows, x.Rows)
	mustMatch("number of columns", y.Cols, x.Cols)
	out := t.result(x.Rows, x.Cols)
	for i, a := range x.Value {
		out.Value[i] = a * y.Value[i]
	}
	return t.record(record{back: backMul, x: x, y: y, out: out})
}

func backMul(_ *Tape, r *record) {
	for i, g := range r.out.Grad {
		r.x.Grad[i] += g * r.y.Value[i]
		r.y.Grad[i] += g * r.x.Value[i]
	}
}

// LeakyReLU returns x where it is positive, and slope·x, of a slope from 0 to
// 1, where not.
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

// Sigmoid returns 1/(1+e^−x) of every element.
func (t *Tape) Sigmoid(x *Var) *Var {
	out := t.result(x.Rows, x.Cols)
	for i, a := range x.Value {
		out.Value[i] = float32(1 / (1 + math.Exp(-float64(a))))
	}
	return t.record(record{back: backSigmoid, x: x, out: out})
}

func backSigmoid(_ *Tape, r *record) {
	for i, g := range r.out.Grad {
		y := r.out.Value[i]
		r.x.Grad[i] += g * y * (1 - y)
	}
}

// Tanh returns the hyperbolic tangent of every element.
func (t *Tape) Tanh(x *Var) *Var {
	out := t.result(x.Rows, x.Cols)
	for i, a := range x.Value {
		out.Value[i] = float32(math.Tanh(float64(a)))
	}
	return t.record(record{back: backTanh, x: x, out: out})
}

func backTanh(_ *Tape, r *record) {
	for i, g := range r.out.Grad {
		y := r.out.Value[i]
		r.x.Grad[i] += g * (1 - y*y)
	}
}

// Dropout sets elements of x to zero with probability rate, below 1, and
// multiplies the others with 1/(1−rate) (Srivastava et al., 2014). On a tape
// that is not for training it returns x. The seed and the place alone decide
// which elements; every layer and step wants another seed.
func (t *Tape) Dropout(x *Var, rate float64, seed uint64) *Var {
	if !t.train || rate <= 0 {
		return x
	}
	out := t.result(x.Rows, x.Cols)
	mask := t.result(x.Rows, x.Cols)
	least := uint64(rate * (1 << 53))
	keep := float32(1 / (1 - rate))
	for i, a := range x.Value {
		mask.Value[i] = 0
		if scramble(seed+uint64(i)*0x9e3779b97f4a7c15)>>11 >= least {
			mask.Value[i] = keep
		}
		out.Value[i] = a * mask.Value[i]
	}
	return t.record(record{back: backDropout, x: x, y: mask, out: out})
}

func backDropout(_ *Tape, r *record) {
	for i, g := range r.out.Grad {
		r.x.Grad[i] += g * r.y.Value[i]
	}
}

// normEpsilon is added to the variance, as in PyTorch.
const normEpsilon = 1e-5

// LayerNorm shifts and scales every row of x, [R, C], to mean 0 and variance 1,
// then multiplies with w and adds b, both [1, C] (Ba et al., 2016).
func (t *Tape) LayerNorm(x *Var, w, b *Param) *Var {
	mustMatch("width of the weight", w.Cols, x.Cols)
	mustMatch("width of the bias", b.Cols, x.Cols)
	out := t.result(x.Rows, x.Cols)
	weight, bias := t.value(w), t.value(b)
	for i := range x.Rows {
		row, dst := x.Value[i*x.Cols:][:x.Cols], out.Value[i*x.Cols:][:x.Cols]
		mean, scale := moments(row)
		for j, a := range row {
			dst[j] = (a-mean)*scale*weight[j] + bias[j]
		}
	}
	return t.record(record{back: backLayerNorm, x: x, out: out, w: w, b: b})
}

// moments returns the mean of row and one over its standard deviation.
func moments(row []float32) (mean, scale float32) {
	sum := 0.0
	for _, a := range row {
		sum += float64(a)
	}
	middle := sum / float64(len(row))
	sum = 0
	for _, a := range row {
		d := float64(a) - middle
		sum += d * d
	}
	return float32(middle), float32(1 / math.Sqrt(sum/float64(len(row))+normEpsilon))
}

func backLayerNorm(t *Tape, r *record) {
	c := r.x.Cols
	weight, dw, db := t.value(r.w), t.grad(r.w), t.grad(r.b)
	for i := range r.x.Rows {
		row, dx, dy := r.x.Value[i*c:][:c], r.x.Grad[i*c:][:c], r.out.Grad[i*c:][:c]
		mean, scale := moments(row)
		var sum, moment float32
		for j, g := range dy {
			unit := (row[j] - mean) * scale
			dw[j] += g * unit
			db[j] += g
			sum += g * weight[j]
			moment += g * weight[j] * unit
		}
		sum /= float32(c)
		moment /= float32(c)
		for j, g := range dy {
			dx[j] += scale * (g*weight[j] - sum - (row[j]-mean)*scale*moment)
		}
	}
}
