package baseline

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
)

// ending is a context that ends when it was asked so many times.
type ending struct {
	context.Context
	left int
}

func (c *ending) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestStoppedTrainingContinues: a training that is stopped wherever, and continues, ends with the same numbers.
func TestStoppedTrainingContinues(t *testing.T) {
	data, _ := tenPairs(edit.GED, false, true)
	for _, d := range []design{simgnnDesign(), astarDesign()} {
		opt := Options{Steps: 30, Seed: 3, Validations: 5}
		whole := newLearner(d, edit.GED, edit.Uniform().IgnoreEdgeLabels())
		must(whole.Fit(t.Context(), data, opt))
		opt.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
		stops := 0
		for _, left := range []int{3, 9, 10, 11, 17, 25, 1 << 30, 1 << 30} {
			part := newLearner(d, edit.GED, edit.Uniform().IgnoreEdgeLabels())
			err := part.Fit(&ending{t.Context(), left}, data, opt)
			if errors.Is(err, context.Canceled) {
				stops++
				continue
			}
			must(err)
			if !slices.Equal(part.ps.Flat(), whole.ps.Flat()) || part.fitted.Steps != 30 || part.fitted.Valid != whole.fitted.Valid {
				t.Errorf("%s: stopped %d times, it ends otherwise: %+v, not %+v", d.Name, stops, part.fitted, whole.fitted)
			}
		}
		if stops < 3 {
			t.Errorf("%s was stopped %d times", d.Name, stops)
		}
		other := opt
		other.Seed = 4
		if err := newLearner(d, edit.GED, edit.Uniform().IgnoreEdgeLabels()).Fit(t.Context(), data, other); err == nil || !strings.Contains(err.Error(), "remove it to start over") {
			t.Errorf("%s: another seed continues: %v", d.Name, err)
		}
		must(os.WriteFile(opt.Checkpoint, []byte("nothing"), 0o666))
		if err := newLearner(d, edit.GED, edit.Uniform().IgnoreEdgeLabels()).Fit(t.Context(), data, opt); !errors.Is(err, errCheckpoint) {
			t.Errorf("%s: damaged: %v", d.Name, err)
		}
	}
}
