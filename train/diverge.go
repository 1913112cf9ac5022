package train

import (
	"errors"
	"fmt"
	"math"
)

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
