package train

import (
	"errors"
	"fmt"
	"math"
)

// ErrDiverged is wrapped where the loss stops being a number or explodes, again
// after training went on at a lower rate.
var ErrDiverged = errors.New("training diverged; lower the learning rate")

const (
	// explosion is how many times the square of the greatest distance a loss is
	// when training counts as diverged.
	explosion = 1e4
	// slowdown is what the learning rate is lowered to, as a share.
	slowdown = 0.1
)

// sane returns an error that wraps [ErrDiverged] unless training can go on after
// a batch with this loss.
func (t *Trainer) sane(loss float64) error {
	if !(loss <= explosion*t.greatest*t.greatest) {
		return fmt.Errorf("step %d: loss %v: %w", t.state.step, loss, ErrDiverged)
	}
	return nil
}

// greatest returns the greatest bound of a distance, at least 1.
func greatest(blocks []Block) float64 {
	most := float32(1)
	for _, b := range blocks {
		for k, l := range b.Lower {
			if u := b.Upper[k]; l == l && !math.IsInf(float64(u), 1) {
				most = max(most, u)
			} else if l == l {
				most = max(most, l)
			}
		}
	}
	return float64(most)
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
