package baseline

import (
	"context"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/train"
)

// Result is what one system does on one split.
type Result struct {
	System     Info
	Parameters int
	Fitted     Fitted
	Sets       []Evaluated // in the order of the sets of pairs
}

// Evaluated is a system evaluated on one set of pairs.
type Evaluated struct {
	Work   Work
	Report *eval.Report
	Input  eval.Input // with the predictions
}

// Run fits the system, unless data has no pairs or it has been fitted, and evaluates it
// by each set of pairs, whose bounds must be known, with the figures of
// [eval.Evaluate].
func Run(ctx context.Context, s System, data train.Data, sets []eval.Input, opt Options) (*Result, error) {
	if s.Info().Learns && s.Parameters() == 0 {
		if err := s.Fit(ctx, data, opt); err != nil {
			return nil, err
		}
	}
	r := &Result{System: s.Info(), Parameters: s.Parameters(), Fitted: s.Fitted()}
	for _, in := range sets {
		w, err := s.Predict(ctx, &in, opt)
		if err != nil {
			return nil, err
		}
		report, err := eval.Evaluate(in)
		if err != nil {
			return nil, err
		}
		r.Sets = append(r.Sets, Evaluated{w, report, in})
	}
	return r, nil
}
