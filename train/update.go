package train

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/greedgraph/greed/nn"
)

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

// balance scales the model's initial weights to the graphs of a batch and to the mean of the
// batch's distances.
func (t *Trainer) balance() {
	var d draw
	t.sampler.next(rand.New(rand.NewPCG(t.opt.Seed, 0x510e527fade682d1)), t.opt.Graphs, &d)
	var b nn.Batch
	b.Reset()
	for _, g := range d.graphs {
		b.Add(t.data.Graphs[g], t.rows)
	}
	t.model.Balance(&b)
	tape := nn.NewTape(t.model.Params(), t.ops, false)
	z := t.model.Encoder().Forward(tape, &b).Value
	n, dim := t.model.Norm(), t.model.Norm().Dim()
	predicted, labelled := 0.0, 0.0
	for _, p := range d.pairs {
		middle := float64(p.lower+p.upper) / 2
		if math.IsInf(middle, 0) {
			continue
		}
		predicted += n.Distance(z[int(p.q)*dim:][:dim], z[int(p.t)*dim:][:dim])
		labelled += middle
	}
	if predicted > 0 && labelled > 0 {
		t.model.Scale(float32(labelled / predicted))
	}
}

// ErrDiverged means that the loss became infinite or NaN for the second time, after training
// had resumed at a lower rate. A loss that grows but stays finite ends training by the
// options' patience instead, and the best weights are kept.
var ErrDiverged = errors.New("training diverged; lower the learning rate")

// slowdown is the factor by which the learning rate is lowered.
const slowdown = 0.1

// sane returns an error that wraps [ErrDiverged] if the loss is not finite. A
// large loss is not an error: dense graphs start at 10¹⁵.
func (t *Trainer) sane(loss float64) error {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return fmt.Errorf("step %d: loss %v: %w", t.state.step, loss, ErrDiverged)
	}
	return nil
}

// recover restores the best weights so far, or the initial ones, and lowers the learning rate
// for the remaining steps. It does so only once, and reports whether it did.
func (t *Trainer) recover() bool {
	if t.state.slow {
		return false
	}
	t.state.slow = true
	flat := t.model.Params().Flat()
	if t.state.best != nil {
		copy(flat, t.state.best)
	} else {
		copy(flat, t.start)
	}
	copy(t.state.average, flat)
	t.state.since = 0
	adam := t.state.adam
	clear(adam.First)
	clear(adam.Second)
	clear(t.state.muon.Momentum)
	adam.Step = 0
	return true
}

// rate returns the learning rate of the next step.
func (t *Trainer) rate() float64 {
	rate := t.opt.rate(t.state.step)
	if t.state.slow {
		rate *= slowdown
	}
	return rate
}

// crew runs the tasks of a step on the workers. Its functions are created once, so that a
// step does not allocate.
type crew struct {
	embed, pairs, back, sum, turn, move func(task int)

	work    func(task int)
	tasks   int
	next    atomic.Int64
	workers []func()
	done    sync.WaitGroup
}

func (c *crew) hire(t *Trainer, workers int) {
	c.embed, c.pairs, c.back = t.embed, t.pairGradients, t.back
	c.sum, c.turn, c.move = t.sum, t.turn, t.move
	for range workers {
		c.workers = append(c.workers, func() {
			for i := c.take(); i < c.tasks; i = c.take() {
				c.work(i)
			}
			c.done.Done()
		})
	}
}

func (c *crew) take() int { return int(c.next.Add(1)) - 1 }

// each calls work once per task. A worker takes the next task when it has finished one.
func (c *crew) each(tasks int, work func(task int)) {
	c.work, c.tasks = work, tasks
	c.next.Store(0)
	c.done.Add(len(c.workers))
	for _, worker := range c.workers[1:] {
		go worker()
	}
	c.workers[0]()
	c.done.Wait()
}
