package train_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/nn"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/train"
)

// collection returns random connected graphs with three node labels and two
// edge labels.
func collection(count int) []*graph.Graph {
	rng := rand.New(rand.NewPCG(4, 2))
	vocab := graph.NewVocabulary()
	var graphs []*graph.Graph
	for range count {
		b := graph.NewBuilder(vocab, false)
		n := 5 + rng.IntN(3)
		for v := range n {
			b.AddNode(fmt.Sprint("n", rng.IntN(3)))
			if v > 0 {
				if err := b.AddEdge(rng.IntN(v), v, fmt.Sprint("e", rng.IntN(2))); err != nil {
					panic(err)
				}
			}
		}
		g, err := b.Build()
		if err != nil {
			panic(err)
		}
		graphs = append(graphs, g)
	}
	return graphs
}

// recipe is small enough for tests.
func recipe(task edit.Task, graphs []*graph.Graph) train.Recipe {
	r := train.DefaultRecipe(task, edit.Uniform(), graphs)
	r.Config.Layers, r.Config.Hidden = 3, 16
	r.Config.Norm = norm.Single(norm.L1, 16, task == edit.SED)
	r.Plan.Pairs = 2500
	r.Options.Steps, r.Options.Validate, r.Options.Graphs, r.Options.Average = 120, 30, 24, 0.9
	return r
}

func values(m *model.Model) []float32 { return slices.Clone(m.Params().Flat()) }

func fit(t *testing.T, graphs []*graph.Graph, r train.Recipe) *model.Model {
	t.Helper()
	m, err := train.Fit(context.Background(), graphs, nil, r)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFitLearns(t *testing.T) {
	graphs := collection(40)
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		r := recipe(task, graphs)
		r.Options.Steps = 600
		var first, last train.Metrics
		r.Progress = func(p train.Progress) {
			if p.Step == r.Options.Validate {
				first = p.Valid
			}
			last = p.Best
		}
		m := fit(t, graphs, r)
		if last.RMSE > 0.6*first.RMSE {
			t.Errorf("%v: RMSE %v after %d steps, %v at the end", task, first.RMSE, r.Options.Validate, last.RMSE)
		}
		if got := m.Metadata().Metrics[model.MetricRMSE]; got != last.RMSE {
			t.Errorf("%v: metadata say RMSE %v, training said %v", task, got, last.RMSE)
		}
		if m.Metadata().Config.Conv != model.GINE {
			t.Errorf("%v: convolution %s for graphs with edge labels", task, m.Metadata().Config.Conv)
		}
	}
}

// TestRepeats: the seed decides the model, not the number of workers.
func TestRepeats(t *testing.T) {
	graphs := collection(30)
	r := recipe(edit.GED, graphs)
	r.Options.Workers, r.Plan.Workers = 1, 1
	want := values(fit(t, graphs, r))
	r.Options.Workers, r.Plan.Workers = 3, 2
	if !slices.Equal(want, values(fit(t, graphs, r))) {
		t.Error("another model with other workers")
	}
	r.Options.Seed++
	if slices.Equal(want, values(fit(t, graphs, r))) {
		t.Error("the same model with another seed")
	}
}

// TestResume: a run stopped and resumed ends with the model of one that was
// not.
func TestResume(t *testing.T) {
	graphs := collection(30)
	r := recipe(edit.SED, graphs)
	want := values(fit(t, graphs, r))
	r.Folder = t.TempDir()
	stop := errors.New("stop")
	for _, at := range []int{30, 90} {
		ctx, cancel := context.WithCancelCause(context.Background())
		r.Progress = func(p train.Progress) {
			if p.Step == at {
				cancel(stop)
			}
		}
		if _, err := train.Fit(ctx, graphs, nil, r); !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped at %d: error %v", at, err)
		}
	}
	r.Progress = func(train.Progress) {}
	if !slices.Equal(want, values(fit(t, graphs, r))) {
		t.Error("another model after stops")
	}
	r.Options.Rate /= 2
	if _, err := train.Fit(context.Background(), graphs, nil, r); !errors.Is(err, train.ErrCheckpoint) {
		t.Errorf("other options: error %v", err)
	}
	path := filepath.Join(r.Folder, "checkpoint.safetensors")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := train.Fit(context.Background(), graphs, nil, r); !errors.Is(err, train.ErrCheckpoint) {
		t.Errorf("cut short: error %v", err)
	}
}

// TestSharedTruth: models of one plan share ground truth that is kept apart from them.
func TestSharedTruth(t *testing.T) {
	graphs := collection(30)
	r := recipe(edit.SED, graphs)
	r.Plan.Journals, r.Plan.Solver.States = t.TempDir(), 2
	size := func() (n int64) {
		for _, stage := range []string{"training", "validation", "open pairs"} {
			info, err := os.Stat(filepath.Join(r.Plan.Journals, stage+".journal"))
			if err != nil {
				t.Fatal(err)
			}
			n += info.Size()
		}
		return n
	}
	solved := int64(0)
	for _, layers := range []int{3, 1} {
		r.Config.Layers, r.Folder = layers, t.TempDir()
		fit(t, graphs, r)
		if files, err := filepath.Glob(filepath.Join(r.Folder, "*.journal")); err != nil || len(files) > 0 {
			t.Errorf("ground truth %v beside the checkpoint, error %v", files, err)
		}
		if n := size(); solved == 0 {
			solved = n
		} else if n != solved {
			t.Errorf("%d bytes of ground truth after another model, want the same %d", n, solved)
		}
	}
}

// kinds are configurations of every kind.
func kinds() map[string]func(*model.Config) {
	return map[string]func(*model.Config){
		"default": func(*model.Config) {},
		"gin":     func(c *model.Config) { c.Conv = model.GIN },
		"paper": func(c *model.Config) {
			c.Conv, c.Skip, c.Features, c.Norm = model.GIN, false, false, norm.Single(norm.L2, 64, c.Norm.Hinge)
		},
	}
}

// TestEveryKindLearns, for both tasks, and the same whatever the workers.
func TestEveryKindLearns(t *testing.T) {
	graphs := collection(40)
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		r := recipe(task, graphs)
		data, err := r.Plan.Prepare(context.Background(), graphs, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, change := range kinds() {
			t.Run(fmt.Sprintf("%v/%s", task, name), func(t *testing.T) {
				r := r
				r.Options.Steps = 100 + sweep.Trials(300)
				change(&r.Config)
				const same = 40 // a loss differs once a number of the model has
				steps := r.Options.Steps
				if testing.Short() {
					steps = same
				}
				losses := run(t, r, graphs, data, 1, steps)
				if !slices.Equal(losses[:same], run(t, r, graphs, data, 3, same)) {
					t.Error("another model with other workers")
				}
				first, last := mean(losses[:20]), mean(losses[len(losses)-20:])
				if last > 0.6*first && !testing.Short() {
					t.Errorf("loss %v at the start, %v at the end", first, last)
				}
			})
		}
	}
}

// run returns the losses of the first steps of training without validation.
func run(t *testing.T, r train.Recipe, graphs []*graph.Graph, data train.Data, workers, steps int) []float64 {
	t.Helper()
	r.Options.Workers = workers
	trainer, err := train.New(untrained(r, graphs), data, r.Options)
	if err != nil {
		t.Fatal(err)
	}
	var losses []float64
	for range steps {
		loss, err := trainer.Step()
		if err != nil {
			t.Fatal(err)
		}
		losses = append(losses, loss)
	}
	return losses
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

// TestStepAllocatesNothing in the steady state, of every kind.
func TestStepAllocatesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("counts allocations, which other kernels and the race detector do not change")
	}
	graphs := collection(40)
	ids, bounds := make([]int32, len(graphs)), make([]float32, len(graphs)*len(graphs))
	for i := range ids {
		ids[i] = int32(i)
	}
	blocks := []train.Block{{Queries: ids, Targets: ids, Lower: bounds, Upper: bounds}}
	for name, change := range kinds() {
		r := recipe(edit.GED, graphs)
		change(&r.Config)
		for _, workers := range []int{1, 2} {
			r.Options.Workers = workers
			trainer, err := train.New(untrained(r, graphs), train.Data{Graphs: graphs, Train: blocks, Valid: blocks}, r.Options)
			if err != nil {
				t.Fatal(err)
			}
			step := func() {
				if _, err := trainer.Step(); err != nil {
					t.Fatal(err)
				}
			}
			for range 50 { // until the largest batch has been
				step()
			}
			if n := testing.AllocsPerRun(30, step); n > 0 {
				t.Errorf("%s, %d workers: %v allocations a step", name, workers, n)
			}
		}
	}
}

func TestSmallCollections(t *testing.T) {
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		for _, n := range []int{2, 3} {
			graphs := collection(n)
			r := recipe(task, graphs)
			r.Plan.Edits *= n - 2 // two graphs have no copies
			if m := fit(t, graphs, r); !(m.Metadata().Metrics[model.MetricMAE] < 5) {
				t.Errorf("%v, %d graphs: metrics %v", task, n, m.Metadata().Metrics)
			} else if !m.Metadata().Training.ValidatedOnSeen {
				t.Errorf("%v, %d graphs: metrics are said to be for unseen graphs", task, n)
			}
		}
	}
	if _, err := train.Fit(context.Background(), collection(1), nil, recipe(edit.GED, collection(1))); err == nil {
		t.Error("one graph was accepted")
	}
}

func TestRefusesMixedDirections(t *testing.T) {
	graphs := collection(20)
	vocab := graphs[0].Vocabulary()
	b := graph.NewBuilder(vocab, true)
	b.AddNode("n0")
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	_, err = train.Fit(context.Background(), append(graphs, g), nil, recipe(edit.GED, graphs))
	if err == nil || !strings.Contains(err.Error(), "directed") {
		t.Errorf("error %v", err)
	}
}

// TestFewGraphsGiveFewPairs: two graphs have no two million pairs to learn from.
func TestFewGraphsGiveFewPairs(t *testing.T) {
	graphs := collection(2)
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		r := recipe(task, graphs)
		r.Plan.Pairs = train.DefaultPlan(task, edit.Uniform()).Pairs
		data, err := r.Plan.Prepare(context.Background(), graphs, nil)
		if err != nil {
			t.Fatal(err)
		}
		pairs := 0
		for _, b := range data.Train {
			pairs += b.Pairs()
		}
		if pairs < 1000 || pairs > 20_000 || data.Held == train.HeldGraphs {
			t.Errorf("%v: %d pairs, held %v", task, pairs, data.Held)
		}
	}
}

// TestFewGraphs: training on two graphs is short, unless its length is given, and says that
// it has no unseen graphs.
func TestFewGraphs(t *testing.T) {
	tasks := []edit.Task{edit.GED, edit.SED}
	if testing.Short() {
		tasks = tasks[:1] // the length of a training does not depend on it
	}
	for _, task := range tasks {
		graphs := collection(2)
		r := recipe(task, graphs)
		var notes []string
		r.Plan.Note = func(text string) { notes = append(notes, text) }
		r.Options.Steps, r.Options.Validate, r.Options.Graphs, r.Passes = 25_000, 25_000, 192, 20
		m := fit(t, graphs, r)
		info := m.Metadata().Training
		if info.Steps > 200 || !info.ValidatedOnSeen || !strings.Contains(strings.Join(notes, "\n"), "too few graphs to hold any out") {
			t.Errorf("%v: %d steps, %+v, notes %q", task, info.Steps, info, notes)
		}
		r.Passes, r.Options.Steps, r.Options.Validate = 0, 210, 210
		if m := fit(t, graphs, r); m.Metadata().Training.Steps != 210 {
			t.Errorf("%v: %d steps where 210 are asked for", task, m.Metadata().Training.Steps)
		}
	}
}

// TestAllWeightsDecayAlike: in the first step, whose direction does not depend on it, decay takes
// the same share of every number, whichever optimiser moves it.
func TestAllWeightsDecayAlike(t *testing.T) {
	graphs := collection(20)
	r := recipe(edit.GED, graphs)
	data, err := r.Plan.Prepare(context.Background(), graphs, nil)
	if err != nil {
		t.Fatal(err)
	}
	vocab := graph.NewVocabulary()
	for _, g := range graphs {
		graph.In(vocab, g)
	}
	const decay = 300
	var first [2]*nn.Params
	var begin []float32
	for i := range first {
		m := model.New(model.Metadata{Task: edit.GED, Costs: edit.Uniform(), Config: r.Config, Vocabulary: vocab}, rand.New(rand.NewPCG(1, 1)))
		r.Options.Decay = float64(i * decay)
		tr, err := train.New(m, data, r.Options)
		if err != nil {
			t.Fatal(err)
		}
		begin = slices.Clone(m.Params().Flat())
		if _, err := tr.Step(); err != nil {
			t.Fatal(err)
		}
		first[i] = m.Params()
	}
	share := 0.0
	for k, p := range first[0].All() {
		lost, all := 0.0, 0.0
		with := first[1].Value(first[1].All()[k])
		for j, w := range p.Of(begin) {
			lost += float64(first[0].Value(p)[j]-with[j]) * float64(w)
			all += float64(w) * float64(w)
		}
		if all == 0 {
			continue
		}
		if share == 0 {
			share = lost / all
		}
		if !(share > 0) || math.Abs(lost/all/share-1) > 1e-3 {
			t.Errorf("%s loses %.4f of itself, others %.4f", p.Name, lost/all, share)
		}
	}
}
