package train_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/train"
)

// TestFitOfCounts: a model counts what the queries have, no weight of its direct
// coordinates is negative, and a stop changes nothing.
func TestFitOfCounts(t *testing.T) {
	graphs := collection(40)
	r := recipe(edit.SED, graphs)
	r.Count(60, 16)
	r.Config.Norm.Widths = []int{16, 16}
	r.Options.Steps = 100 // with three validations
	m := fit(t, graphs, r)
	c := m.Metadata().Config
	counts := 0
	for _, x := range c.Counts {
		counts += len(x.Caps)
	}
	if counts != 60 || c.Direct != 16 {
		t.Errorf("%d counts, %d direct coordinates", counts, c.Direct)
	}
	if err := m.Params().Check(); err != nil {
		t.Error(err)
	}
	r.Folder = t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	r.Progress = func(p train.Progress) { cancel() }
	if _, err := train.Fit(ctx, graphs, nil, r); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	r.Progress = nil
	if !slices.Equal(values(m), values(fit(t, graphs, r))) {
		t.Error("another model after a stop")
	}
}
