package train_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/train"
)

// choice is a recipe with trials of 250 steps, cheap ones.
func choice() train.Recipe {
	r := recipe(edit.GED, collection(30))
	r.Norms = []norm.Norm{norm.Single(norm.L2, 16, false), norm.Blocks(norm.L1, norm.Max, 2, 8, false)}
	r.Config.Layers, r.Options.Steps, r.Options.Validate, r.Options.Graphs = 1, 5000, 100, 4
	r.Options.Optimizer = train.AdamW // a step takes a quarter of Muon's time; TestResume has the latter
	return r
}

// TestNormsAreTried: the norm of a model is the one that does best in trials,
// wherever it stands among them.
func TestNormsAreTried(t *testing.T) {
	if testing.Short() {
		t.Skip("trains five models")
	}
	graphs, r := collection(30), choice()
	all := append([]norm.Norm{r.Config.Norm}, r.Norms...)
	best, least := norm.Norm{}, 0.0
	for i, n := range all {
		alone := r
		alone.Config.Norm, alone.Norms, alone.Options.Steps = n, nil, 250
		mae := fit(t, graphs, alone).Metadata().Metrics[model.MetricMAE]
		if i == 0 || mae < least {
			best, least = n, mae
		}
	}
	for first := range all {
		order := append(slices.Clone(all[first:]), all[:first]...)
		r.Config.Norm, r.Norms = order[0], order[1:]
		ctx, cancel := context.WithCancel(t.Context())
		var tried []string
		var notes []string
		r.Plan.Note = func(text string) { notes = append(notes, text) }
		r.Progress = func(p train.Progress) {
			if p.Trial != "" && !slices.Contains(tried, p.Trial) {
				tried = append(tried, p.Trial)
			}
			if first > 0 && p.Trial == "" { // one training to its end is enough
				cancel()
			}
		}
		m, err := train.Fit(ctx, graphs, nil, r)
		cancel()
		if err != nil && first == 0 {
			t.Fatal(err)
		}
		if got := m.Norm(); !got.Equal(best) {
			t.Errorf("%v, want %v", got, best)
		}
		if len(tried) != len(all) || len(notes) != 1 || !strings.Contains(notes[0], best.String()) {
			t.Errorf("tried %v, noted %q", tried, notes)
		}
	}
}

// TestChoiceIsResumed: stopped in the trials or after them, a run goes on to the
// same model, and a stop leaves the best so far.
func TestChoiceIsResumed(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for long; TestResume stops a short training")
	}
	graphs, r := collection(30), choice()
	want := values(fit(t, graphs, r))
	r.Folder = t.TempDir()
	trials := 0
	for _, stop := range []func(train.Progress) bool{
		func(p train.Progress) bool { return p.Trial != "" },
		func(p train.Progress) bool { return p.Trial == "" && p.Step == 200 },
	} {
		ctx, cancel := context.WithCancel(context.Background())
		r.Progress = func(p train.Progress) {
			if p.Trial != "" {
				trials++
			}
			if stop(p) {
				cancel()
			}
		}
		if m, err := train.Fit(ctx, graphs, nil, r); m == nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped: model %v, error %v", m, err)
		}
	}
	trials = 0
	r.Progress = func(p train.Progress) {
		if p.Trial != "" {
			trials++
		}
	}
	if !slices.Equal(want, values(fit(t, graphs, r))) {
		t.Error("another model after stops")
	}
	if trials > 0 {
		t.Errorf("%d reports of trials after they were done", trials)
	}
}

// TestStopsNeverMakeItWorse: however early a resumed run is stopped again, in trials or
// after them, its model is at least as good as that of the stop before.
func TestStopsNeverMakeItWorse(t *testing.T) {
	graphs, r := collection(30), choice()
	r.Folder = t.TempDir()
	before := math.Inf(1)
	var notes []string
	r.Plan.Note = func(text string) { notes = append(notes, text) }
	for stop, when := range []func(train.Progress) bool{
		func(p train.Progress) bool { return p.Trial == "l1" && p.Step == 250 },
		func(p train.Progress) bool { return true },
		func(p train.Progress) bool { return p.Trial == "" },
		func(p train.Progress) bool { return true },
	} {
		ctx, cancel := context.WithCancel(context.Background())
		r.Progress = func(p train.Progress) {
			if when(p) {
				cancel()
			}
		}
		m, err := train.Fit(ctx, graphs, nil, r)
		cancel()
		if m == nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("stop %d: model %v, error %v", stop, m, err)
		}
		after := m.Metadata().Metrics[model.MetricMAE]
		if after > before {
			t.Errorf("stop %d: MAE %v after %v", stop, after, before)
		}
		before = after
	}
	if !slices.ContainsFunc(notes, func(text string) bool {
		return strings.Contains(text, "continues after step 100 of 5000")
	}) {
		t.Errorf("nothing says where training goes on: %q", notes)
	}
}
