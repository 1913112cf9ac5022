package train

import (
	"fmt"
	"math"
)

// Schedule is the course of the learning rate over the steps.
type Schedule string

const (
	// OneCycle rises linearly over the first twentieth of the steps, then falls to zero along
	// a half cosine.
	OneCycle Schedule = "one-cycle"
	// Cyclic is the paper's schedule: triangles from zero to the peak and back, 2,000 steps
	// each way.
	Cyclic Schedule = "cyclic"
)

// Optimizer is the method that updates the weights.
type Optimizer string

const (
	// Muon updates the matrices of linear maps by nn.Muon and the rest by AdamW.
	Muon Optimizer = "muon"
	// AdamW is the paper's optimizer.
	AdamW Optimizer = "adamw"
)

// Options control training. Start from [Defaults].
type Options struct {
	Steps     int       `json:"steps"`  // at most
	Graphs    int       `json:"graphs"` // per batch
	Optimizer Optimizer `json:"optimizer"`
	Rate      float64   `json:"rate"` // peak learning rate
	Schedule  Schedule  `json:"schedule"`
	Decay     float64   `json:"decay"` // weight decay
	Clip      float64   `json:"clip"`  // gradient norm
	Average   float64   `json:"average"`
	Validate  int       `json:"validate"` // steps between validations
	Patience  int       `json:"patience"` // validations without a new best before stopping
	Seed      uint64    `json:"seed"`
	// Near is how much more than all others the nearest pairs weigh in the loss; a pair at
	// distance d weighs 1 + Near/d² ([Near.Goal]). 0 weighs all alike, as in the paper.
	Near    float64 `json:"near,omitempty"`
	Workers int     `json:"-"` // 0: one per core; does not change the result
}

// Defaults returns options that suit collections of small graphs. Average is the decay of the
// running average of the weights, which is what is validated and kept. Patience covers all
// steps, because the error falls most at the end, when the rate does.
func Defaults() Options {
	return Options{
		Steps: 25000, Graphs: 192, Optimizer: Muon, Rate: 1e-3, Schedule: OneCycle, Decay: 1e-3, Clip: 1,
		Average: 0.99, Validate: 500, Patience: 50, Seed: 1,
	}
}

// Check returns an error unless the options are valid.
func (o Options) Check() error {
	switch {
	case o.Steps < 1 || o.Graphs < 2 || o.Validate < 1 || o.Patience < 1:
		return fmt.Errorf("train: steps %d, graphs %d, validate %d and patience %d must be positive, graphs at least 2",
			o.Steps, o.Graphs, o.Validate, o.Patience)
	case !(o.Rate > 0) || o.Decay < 0 || !(o.Clip > 0):
		return fmt.Errorf("train: rate %v and clip %v must be positive, decay %v not negative", o.Rate, o.Clip, o.Decay)
	case o.Average < 0 || o.Average >= 1:
		return fmt.Errorf("train: average %v, want at least 0 and below 1", o.Average)
	case !(o.Near >= 0 && o.Near <= mostNear):
		return fmt.Errorf("train: near pairs weigh %v more, want 0 to %v", o.Near, float64(mostNear))
	case o.Optimizer != Muon && o.Optimizer != AdamW:
		return fmt.Errorf("train: unknown optimizer %q, want %s or %s", o.Optimizer, Muon, AdamW)
	case o.Schedule != OneCycle && o.Schedule != Cyclic:
		return fmt.Errorf("train: unknown schedule %q, want %s or %s", o.Schedule, OneCycle, Cyclic)
	}
	return nil
}

// mostNear keeps the weights of pairs within what float32 adds up well.
const mostNear = 1e4

const (
	warmup     = 0.05 // share of the steps
	cycleSteps = 2000 // up, and as many down
)

// rate returns the learning rate of a step, counted from 0.
func (o Options) rate(step int) float64 {
	if o.Schedule == Cyclic {
		x := float64(step%(2*cycleSteps)) / cycleSteps
		return o.Rate * min(x, 2-x)
	}
	rise := warmup * float64(o.Steps)
	if s := float64(step + 1); s < rise {
		return o.Rate * s / rise
	}
	x := (float64(step) - rise) / (float64(o.Steps) - rise)
	return o.Rate * (1 + math.Cos(math.Pi*min(max(x, 0), 1))) / 2
}
