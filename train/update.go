package train

import "github.com/greedgraph/greed/nn"

// update takes one step of all weights.
func (t *Trainer) update() {
	t.crew.each(t.state.muon.Len(), t.crew.turn)
	t.state.adam.Begin(t.ops, t.grad, t.rate(), t.opt.Clip)
	t.state.step++
	t.crew.each(parts, t.crew.move)
}

// matrices returns the parameters that Muon updates.
func (t *Trainer) matrices() []*nn.Param {
	if t.opt.Optimizer != Muon {
		return nil
	}
	return t.model.Matrices()
}

// turn updates block i by Muon.
func (t *Trainer) turn(i int) {
	t.state.muon.Update(t.ops, i, t.model.Params().Flat(), t.grad, t.rate())
}

// share returns the range of share i of the weights.
func (t *Trainer) share(i int) (from, to int) {
	const line = 64 // numbers: no two workers write to the same cache line
	n := len(t.grad)
	size := (n/parts + line) / line * line
	return min(i*size, n), min((i+1)*size, n)
}

// sum adds up share i of the gradients of all parts.
func (t *Trainer) sum(i int) {
	from, to := t.share(i)
	grad := t.grad[from:to]
	copy(grad, t.parts[0].tape.Grads()[from:to])
	for k := 1; k < parts; k++ {
		t.ops.Add(grad, t.parts[k].tape.Grads()[from:to])
	}
}

// move updates share i of the weights other than Muon's, and the running average of all.
// Early on the average forgets faster, so that the initial weights have no influence.
func (t *Trainer) move(i int) {
	from, to := t.share(i)
	values := t.model.Params().Flat()
	t.state.adam.Move(t.ops, values, t.grad, from, to)
	keep := float32(min(t.opt.Average, float64(t.state.step)/float64(t.state.step+10)))
	t.model.Params().Clamp(from, to)
	average := t.state.average[from:to]
	for k, w := range values[from:to] {
		average[k] += (1 - keep) * (w - average[k])
	}
}
