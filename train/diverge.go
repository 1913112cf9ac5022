package train

import (
	"errors"
	"fmt"
	"math"
)

// ErrDiverged is wrapped where the loss stops being a finite number, again after
// training went on at a lower rate. A loss that grows without that ends training
// by the options' patience, with the best numbers kept.
var ErrDiverged = errors.New("training diverged; lower the learning rate")

// slowdown is what the learning rate is lowered to, as a share.
const slowdown = 0.1

// sane returns an error that wraps [ErrDiverged] unless training can go on after
// a batch with this loss. No finite loss is too large: before the first steps,
// that of dense graphs comes to 10¹⁵.
func (t *Trainer) sane(loss float64) error {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return fmt.Errorf("step %d: loss %v: %w", t.state.step, loss, ErrDiverged)
	}
	return nil
}

// recover goes back to the best numbers so far, or to the first if there are no
// best yet, and lowers the learning rate for the steps that are left. It tells
// whether it did: it does so once.
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
