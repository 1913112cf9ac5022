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

// Recipe is everything that determines the model trained on a collection.
type Recipe struct {
	Plan    Plan
	Config  model.Config
	Options Options
	// Counts, set by [Recipe.Count], is the greatest number of counts in Config.Counts, which
	// are chosen by what occurs in the training queries; 0 means none. It is for SED. Direct
	// is Config.Direct if there are counts.
	Counts, Direct int
	// Norms are alternatives to Config.Norm. Each is tried in a short training, and the best
	// is used. Without any there are no trials.
	Norms []norm.Norm
	// Passes, if not 0, limits Options.Steps if there are too few graphs to hold some out, so
	// that every graph and edited copy is seen about so many times.
	Passes int
	// Folder holds checkpoints and, unless Plan.Journals names another folder, ground truth,
	// so that [Fit] can resume. If it is empty, nothing is kept.
	Folder string
	// Progress, if not nil, is called after every validation.
	Progress func(Progress)
	// Prepared, if not nil, is called with the ground truth before training begins.
	Prepared func(Data)
}

// DefaultRecipe returns a recipe that suits the graphs. The encoder sees edge labels if the
// costs do and the graphs have more than one, and aggregates in- and out-edges of directed
// graphs separately. Its embedding has a linear part. Nodes have features, except for SED.
// The distance is an ℓ1 norm or a maximum of ℓ1 norms, with a hinge for SED, for which near pairs
// weigh more.
// docs/divergence.md compares it with the paper.
func DefaultRecipe(task edit.Task, costs edit.Costs, graphs []*graph.Graph) Recipe {
	r := Recipe{Plan: DefaultPlan(task, costs), Options: Defaults(), Passes: 200}
	r.Config = model.Config{Conv: model.GIN, Layers: 8, Hidden: 64, Norm: norm.Single(norm.L1, 64, task == edit.SED),
		Skip: true, Features: task.Symmetric()}
	if edgeLabelsMatter(costs, graphs) {
		r.Config.Conv = model.GINE
	}
	r.Config.Apart = len(graphs) > 0 && graphs[0].Directed()
	r.Norms = []norm.Norm{norm.Blocks(norm.L1, norm.Max, 8, 8, task == edit.SED)}
	if task == edit.SED {
		r.Options.Near = nearSED
	}
	return r
}

// nearSED is [Options].Near of SED. Searches within 0 and 1 then find half as much again for 1 to 2 % of
// accuracy over all pairs; under GED they gain nothing where graphs are large (docs/tried-learning.md).
const nearSED = 4

// PaperRecipe returns the paper's configuration: GIN, an ℓ2 norm, cyclic learning rates,
// gradients clipped at 0.1, no averaging of weights, and stopping after 20,000 steps without
// improvement. docs/divergence.md lists the remaining departures.
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

// Fit computes ground truth for the graphs of learn, trains a model on it, and validates it
// with the graphs of check, or with a part of learn if check is nil. All graphs share a
// vocabulary. The metrics in the model's metadata are those of validation, on unseen graphs
// if there are enough.
//
// If the context ends during training, or training diverges twice, Fit returns the best model
// so far and an error: the context's, or one that wraps [ErrDiverged].
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

// FitPairs trains like [Fit], on pairs whose distances are given. [Plan.Given] divides them
// into those for training and those for validation.
func FitPairs(ctx context.Context, graphs []*graph.Graph, pairs []truth.Pair, held []bool,
	r Recipe) (*model.Model, error) {
	data, err := r.Plan.Given(graphs, pairs, held)
	if err != nil {
		return nil, err
	}
	return FitData(ctx, data, r)
}

// FitData trains like [Fit], on data that [Plan.Prepare] made with the recipe's plan or with
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
	if err := data.checkDistances(); err != nil {
		return nil, err
	}
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
	// Training that was stopped early may be worse than the trials.
	return better(m, tried), err
}

// shorten reduces the number of steps to what Passes allows.
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
		r.Plan.Note(fmt.Sprintf("there are too few graphs to hold any out, so errors are measured on the training "+
			"graphs; "+
			"%d steps visit each of them, and each edited copy, %d times", steps, r.Passes))
		r.Options.Steps = steps
		r.Options.Validate = min(r.Options.Validate, steps)
	}
}

// forget removes the files in the folder whose names have that suffix.
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

// checkpointFile is the name of the checkpoint in [Recipe.Folder], and the suffix of those of
// trials.
const checkpointFile = "checkpoint.safetensors"

// fit trains a model, or resumes from the checkpoint of that name.
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
			r.Plan.Note(fmt.Sprintf("training with %v continues after step %d of %d, at a validation MAE of %.4f",
				m.Norm(), step, r.Options.Steps, t.state.metrics.MAE))
		}
	}
	metrics, err := t.Run(ctx, func(p Progress) error {
		r.Progress(p)
		return save()
	})
	switch {
	case errors.Is(err, ErrDiverged):
		// Resumed from this checkpoint, training would diverge again, and at another rate the
		// trials would not resume, either. The ground truth is kept.
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
	m.HoldOut(data.Unseen)
	meta.Training.Steps = t.state.step
	meta.Metrics = map[string]float64{model.MetricRMSE: metrics.RMSE, model.MetricMAE: metrics.MAE,
		model.MetricScore: metrics.Score}
	m.SetMetadata(meta)
	if err == nil {
		err = ctx.Err()
	}
	return m, err
}

// ErrTooEarly means that training stopped before there was a model.
var ErrTooEarly = errors.New("stopped before the first validation")

// describe returns the metadata of a model to train.
func describe(data Data, r Recipe) model.Metadata {
	// The model's vocabulary holds the labels of the training graphs in order of first use,
	// so that it does not depend on what else was read. Labels of held-out graphs alone are
	// omitted, because their rows would never be trained.
	vocab := graph.NewVocabulary()
	for _, g := range data.Learnt {
		graph.In(vocab, g)
	}
	info := model.Training{
		Graphs: len(data.Learnt), HeldOut: len(data.Unseen), Seed: r.Options.Seed, Fingerprint: data.Fingerprint(),
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
