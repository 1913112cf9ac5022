package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/truth"
)

// Recipe is everything that decides which model a collection gives.
type Recipe struct {
	Plan    Plan
	Config  model.Config
	Options Options
	// Counts, which [Recipe.Count] sets, is the most counts that Config.Counts is given, by what occurs in the queries
	// to learn from; 0: none. It is for SED. Direct is Config.Direct, where there are some.
	Counts, Direct int
	// Norms are alternatives to Config.Norm. Each is tried in a short training, and
	// the best one is used. If there are none, there are no trials.
	Norms []norm.Norm
	// Passes, if not 0, limits Options.Steps where there are too few graphs to hold some out:
	// every graph and edited copy is learnt from about so many times.
	Passes int
	// Folder keeps checkpoints and, unless Plan.Journals is another, ground truth, so that
	// [Fit] resumes after a stop. Empty: nothing is kept.
	Folder string
	// Progress, if not nil, is called after every validation.
	Progress func(Progress)
	// Prepared, if not nil, is given the ground truth before training begins.
	Prepared func(Data)
}

// DefaultRecipe returns the recipe that suits the graphs. The encoder sees edge
// labels if the costs do and the graphs have several, and it keeps in- and
// out-edges of directed graphs apart. Its embedding has a linear part; nodes have
// features, except for SED. The distance is an ℓ1 norm or a maximum of ℓ1 norms,
// with a hinge for SED. docs/divergence.md compares this with the paper.
func DefaultRecipe(task edit.Task, costs edit.Costs, graphs []*graph.Graph) Recipe {
	r := Recipe{Plan: DefaultPlan(task, costs), Options: Defaults(), Passes: 200}
	r.Config = model.Config{Conv: model.GIN, Layers: 8, Hidden: 64, Norm: norm.Single(norm.L1, 64, task == edit.SED), Skip: true, Features: task.Symmetric()}
	if edgeLabelsMatter(costs, graphs) {
		r.Config.Conv = model.GINE
	}
	r.Config.Apart = len(graphs) > 0 && graphs[0].Directed()
	r.Norms = []norm.Norm{norm.Blocks(norm.L1, norm.Max, 8, 8, task == edit.SED)}
	return r
}

// PaperRecipe returns the configuration of the paper: GIN, an ℓ2 norm, cyclic
// learning rates, gradients clipped at 0.1, no averaging of weights, and
// stopping after 20,000 steps without a new best. Departures that remain are
// listed in docs/divergence.md.
func PaperRecipe(task edit.Task, costs edit.Costs, graphs []*graph.Graph) Recipe {
	r := DefaultRecipe(task, costs, graphs)
	r.Config.Conv, r.Config.Skip, r.Config.Features = model.GIN, false, false
	r.Config.Norm, r.Norms = norm.Single(norm.L2, 64, task == edit.SED), nil
	r.Plan.Edits = 0
	r.Options = Options{
		Steps: 200_000, Graphs: 96, Optimizer: AdamW, Rate: 1e-3, Schedule: Cyclic, Decay: 1e-3, Clip: 0.1,
		Average: 0, Validate: 500, Patience: 40, Seed: 1,
	}
	return r
}

func edgeLabelsMatter(costs edit.Costs, graphs []*graph.Graph) bool {
	if costs.EdgeSubstitute == 0 && costs.Edges == nil {
		return false
	}
	seen := make(map[graph.Label]bool)
	for _, g := range graphs {
		for e := range g.Edges() {
			if seen[e.Label] = true; len(seen) > 1 {
				return true
			}
		}
	}
	return false
}

// Fit computes ground truth for graphs of learn, trains a model on it, and
// validates with graphs of check or, if check is nil, with a part of learn. All
// graphs share a vocabulary. The metrics in the model's metadata are those of
// validation, on unseen graphs if there are enough.
//
// If the context ends during training, or training diverges twice, Fit returns
// the best model so far together with an error: the context's, or one that wraps
// [ErrDiverged].
func Fit(ctx context.Context, learn, check []*graph.Graph, r Recipe) (*model.Model, error) {
	if len(learn) > 0 {
		if err := describe(Data{Learnt: learn}, r).Check(); err != nil {
			return nil, err
		}
	}
	r.Plan.Journals = cmp.Or(r.Plan.Journals, r.Folder)
	data, err := r.Plan.Prepare(ctx, learn, check)
	if err != nil {
		return nil, err
	}
	return chooseAndFit(ctx, data, r)
}

// FitPairs trains like [Fit], but on pairs whose distances are given.
// [Plan.Given] divides them into those to learn from and those to validate with.
func FitPairs(ctx context.Context, graphs []*graph.Graph, pairs []truth.Pair, held []bool, r Recipe) (*model.Model, error) {
	data, err := r.Plan.Given(graphs, pairs, held)
	if err != nil {
		return nil, err
	}
	return FitData(ctx, data, r)
}

// FitData trains like [Fit], on data that [Plan.Prepare] made of the recipe's plan or of
// one that draws the same graphs.
func FitData(ctx context.Context, data Data, r Recipe) (*model.Model, error) {
	if err := data.Check(); err != nil {
		return nil, err
	}
	if err := describe(data, r).Check(); err != nil {
		return nil, err
	}
	return chooseAndFit(ctx, data, r)
}

func chooseAndFit(ctx context.Context, data Data, r Recipe) (*model.Model, error) {
	r.Plan = r.Plan.heard()
	if r.Prepared != nil {
		r.Prepared(data)
	}
	if r.Progress == nil {
		r.Progress = func(Progress) {}
	}
	if r.Counts > 0 {
		r.Config.Counts, r.Config.Direct = tallies(data, r), r.Direct
		if err := describe(data, r).Check(); err != nil {
			return nil, err
		}
	}
	r.shorten(data)
	tried, err := choose(ctx, data, &r)
	if err != nil {
		return tried, err
	}
	m, err := fit(ctx, data, r, checkpointFile)
	switch {
	case errors.Is(err, ErrTooEarly) && tried != nil:
		return tried, ctx.Err()
	case m == nil:
		return nil, err
	}
	// Training that was cut short may be behind the trials.
	return better(m, tried), err
}

// shorten lowers the number of steps to what the passes allow.
func (r *Recipe) shorten(data Data) {
	if r.Passes == 0 || data.Held != HeldNothing {
		return
	}
	graphs := make(map[int32]bool)
	for _, b := range data.Train {
		for _, id := range b.graphs() {
			graphs[id] = true
		}
	}
	steps := max(1, r.Passes*len(graphs)/r.Options.Graphs)
	if steps < r.Options.Steps {
		r.Plan.Note(fmt.Sprintf("there are too few graphs to hold any out, so errors are measured on the training graphs; %d steps visit each of them, and each edited copy, %d times", steps, r.Passes))
		r.Options.Steps = steps
		r.Options.Validate = min(r.Options.Validate, steps)
	}
}

// forget removes the files in the folder whose names end so.
func forget(folder, ending string) error {
	if folder == "" {
		return nil
	}
	files, err := os.ReadDir(folder)
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ending) {
			err = errors.Join(err, os.Remove(filepath.Join(folder, f.Name())))
		}
	}
	return err
}

// checkpointFile is the checkpoint in [Recipe.Folder]. The names of those of trials end so.
const checkpointFile = "checkpoint.safetensors"

// fit trains a model, or goes on from the checkpoint of that name.
func fit(ctx context.Context, data Data, r Recipe, checkpoint string) (*model.Model, error) {
	meta := describe(data, r)
	m := model.New(meta, rand.New(rand.NewPCG(r.Options.Seed, 0x3c6ef372fe94f82b)))
	t, err := New(m, data, r.Options)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(r.Folder, checkpoint)
	save := func() error { return nil }
	if r.Folder != "" {
		save = func() error { return t.Save(path) }
		if _, err := t.Resume(path); err != nil {
			return nil, err
		}
		if step := t.state.step; step > 0 && step < r.Options.Steps {
			r.Plan.Note(fmt.Sprintf("training with %v continues after step %d of %d, at a validation MAE of %.4f", m.Norm(), step, r.Options.Steps, t.state.metrics.MAE))
		}
	}
	metrics, err := t.Run(ctx, func(p Progress) error {
		r.Progress(p)
		return save()
	})
	switch {
	case errors.Is(err, ErrDiverged):
		// Resumed from this checkpoint, training would diverge again, and at another rate
		// no trial goes on either. The ground truth is kept.
		if e := forget(r.Folder, checkpoint); e != nil {
			return nil, errors.Join(err, e)
		}
	case err != nil:
		return nil, err
	}
	if t.state.best == nil {
		if err == nil {
			err = fmt.Errorf("train: %w at step %d: %w", ErrTooEarly, t.state.step, ctx.Err())
		}
		return nil, err
	}
	m.AverageUnknown(data.Learnt)
	meta.Training.Steps = t.state.step
	meta.Metrics = map[string]float64{model.MetricRMSE: metrics.RMSE, model.MetricMAE: metrics.MAE}
	m.SetMetadata(meta)
	if err == nil {
		err = ctx.Err()
	}
	return m, err
}

// ErrTooEarly is wrapped if training stopped before there was a model.
var ErrTooEarly = errors.New("stopped before the first validation")

// describe returns the metadata of a model to be.
func describe(data Data, r Recipe) model.Metadata {
	// The model's vocabulary holds the labels that are learnt, in the order of
	// their first use, so that it does not depend on what else was read. Labels
	// that only held-out graphs have are left out: their rows would never be
	// trained.
	vocab := graph.NewVocabulary()
	for _, g := range data.Learnt {
		graph.In(vocab, g)
	}
	info := model.Training{
		Graphs: len(data.Learnt), HeldOut: data.HeldOut, Seed: r.Options.Seed, Fingerprint: data.Fingerprint(),
		Directed:        data.Learnt[0].Directed(),
		ValidatedOnSeen: data.Held != HeldGraphs, HeldPairs: data.Held == HeldPairs,
		Hops: data.Hops,
	}
	if bfs, ok := data.Sampler.(sample.BFS); ok {
		info.QueryDepth, info.QueryKeep = bfs.Depth, bfs.Keep
	}
	for _, b := range data.Train {
		if r.Plan.Task.Symmetric() && &b.Queries[0] == &b.Targets[0] {
			info.Pairs += len(b.Queries) * (len(b.Queries) - 1) / 2
		} else {
			info.Pairs += b.Pairs()
		}
		for _, q := range b.Queries {
			widen(&info.MinQueryNodes, &info.MaxQueryNodes, data.Graphs[q].N())
		}
		for _, t := range b.Targets {
			widen(&info.MinNodes, &info.MaxNodes, data.Graphs[t].N())
		}
	}
	return model.Metadata{
		Task: r.Plan.Task, Costs: r.Plan.Costs, Config: r.Config, Vocabulary: vocab, Training: info,
	}
}

func widen(low, high *int, n int) {
	if *low == 0 || n < *low {
		*low = n
	}
	*high = max(*high, n)
}
