package train_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/train"
)

// TestDivergence: a rate that is far too high is lowered once, no more.
func TestDivergence(t *testing.T) {
	graphs := collection(20)
	r := recipe(edit.GED, graphs)
	r.Options.Rate, r.Options.Clip = 1e6, 1e30
	diverged := 0
	r.Progress = func(p train.Progress) {
		if p.Diverged {
			diverged++
		}
	}
	if _, err := train.Fit(context.Background(), graphs, nil, r); !errors.Is(err, train.ErrDiverged) || diverged != 1 {
		t.Errorf("error %v, told %d times", err, diverged)
	}
}

// trainer returns one of a small model, and the model.
func trainer(t *testing.T, graphs []*graph.Graph, steps int) (*train.Trainer, *model.Model) {
	t.Helper()
	r := recipe(edit.GED, graphs)
	r.Options.Steps = steps
	data, err := r.Plan.Prepare(context.Background(), graphs, nil)
	if err != nil {
		t.Fatal(err)
	}
	vocab := graph.NewVocabulary()
	for _, g := range graphs {
		graph.In(vocab, g)
	}
	m := model.New(model.Metadata{Task: edit.GED, Costs: edit.Uniform(), Config: r.Config, Vocabulary: vocab}, rand.New(rand.NewPCG(1, 1)))
	tr, err := train.New(m, data, r.Options)
	if err != nil {
		t.Fatal(err)
	}
	return tr, m
}

// poison makes the next loss no number.
func poison(m *model.Model) {
	for i := range m.Params().Flat() {
		m.Params().Flat()[i] = float32(math.NaN())
	}
}

// TestNaN: training goes on from the best numbers the first time, in the same
// way where it was stopped in between, and ends with the best the second time.
func TestNaN(t *testing.T) {
	graphs := collection(30)
	checkpoint := filepath.Join(t.TempDir(), "c")
	tr, m := trainer(t, graphs, 240)
	diverged := 0
	if _, err := tr.Run(context.Background(), func(p train.Progress) error {
		if p.Step == 90 && !p.Diverged {
			poison(m)
		}
		if p.Diverged {
			diverged = p.Step
			if p.Rate == 0 || math.IsInf(p.Best.RMSE, 1) {
				t.Errorf("progress %+v", p)
			}
			return tr.Save(checkpoint)
		}
		return nil
	}); err != nil || diverged != 90 {
		t.Fatalf("diverged at %d, error %v", diverged, err)
	}

	again, same := trainer(t, graphs, 240)
	if ok, err := again.Resume(checkpoint); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, err := again.Run(context.Background(), func(train.Progress) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(values(m), values(same)) {
		t.Error("another model after a stop")
	}

	twice, last := trainer(t, graphs, 240)
	metrics, err := twice.Run(context.Background(), func(p train.Progress) error {
		if p.Step == 60 || p.Step == 120 {
			poison(last)
		}
		return nil
	})
	if !errors.Is(err, train.ErrDiverged) || math.IsInf(metrics.RMSE, 1) {
		t.Errorf("metrics %v, error %v", metrics, err)
	}
	if slices.ContainsFunc(values(last), func(x float32) bool { return x != x }) {
		t.Error("the numbers that are left are not the best")
	}
}
