package train

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
)

const (
	// trialShare is the ratio of the length of training to that of a trial.
	trialShare = 20
	// leastTrial is the number of steps below which trials do not separate norms.
	leastTrial = 250
)

// choose trains briefly with the norm of r and with each of r.Norms, and sets the norm of r
// to the one with the least validation error. It returns the best model of the trials, if
// any. If the context ends, it returns the context's error.
func choose(ctx context.Context, data Data, r *Recipe) (*model.Model, error) {
	if len(r.Norms) == 0 || r.Options.Steps < trialShare*leastTrial {
		return nil, nil
	}
	var best *model.Model
	for _, n := range append([]norm.Norm{r.Config.Norm}, r.Norms...) {
		m, err := try(ctx, data, *r, n)
		best = better(best, m)
		switch {
		case ctx.Err() != nil && best != nil:
			return best, ctx.Err()
		case err != nil && !errors.Is(err, ErrDiverged):
			return nil, err
		}
	}
	if best == nil {
		return nil, nil // all diverged: training will say so
	}
	r.Config.Norm = best.Norm()
	r.Plan.Note(fmt.Sprintf("distance: %v, which did best in short trials", r.Config.Norm))
	return best, nil
}

// try trains a model with the norm in a short trial.
func try(ctx context.Context, data Data, r Recipe, n norm.Norm) (*model.Model, error) {
	r.Config.Norm = n
	r.Options.Steps /= trialShare
	r.Options.Validate = min(r.Options.Validate, r.Options.Steps)
	progress := r.Progress
	r.Progress = func(p Progress) {
		p.Trial = n.String()
		progress(p)
	}
	return fit(ctx, data, r, "trial-"+strings.ReplaceAll(n.String(), ":", "-")+"."+checkpointFile)
}

// better returns the model with the smaller error, or the first if they are equal. Either may
// be nil.
func better(m, other *model.Model) *model.Model {
	if m == nil || other != nil && errorOf(other) < errorOf(m) {
		return other
	}
	return m
}

// errorOf returns the validation score, by which norms and checkpoints are chosen: the MAE, near
// pairs weighing as in the loss. The RMSE depends too much on a few pairs that are still far off:
// on LINUX the maximum of blocks had RMSE 0.62 and MAE 0.32 in a trial, ℓ1 0.54 and 0.38; after full
// training their MAEs were 0.02 and 0.19. Between checkpoints of one training the choice hardly
// matters: in 4,000 steps on AIDS700nef both errors are least at the last checkpoint, on LINUX at the
// last and the last but one, 0.5 % apart.
func errorOf(m *model.Model) float64 { return m.Metadata().Metrics[model.MetricScore] }
