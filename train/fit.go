package train

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
)

// Recipe is everything that decides how a model comes out of a collection.
type Recipe struct {
	Plan    Plan
	Config  model.Config
	Options Options
	// Folder keeps labels and checkpoints so that [Fit] can be run again after
	// a stop and go on; empty: none.
	Folder   string
	Progress func(Progress)
}

// DefaultRecipe returns a recipe for the graphs: the encoder sees edge labels
// if the costs do and the graphs have several, keeps in- and out-edges of
// directed graphs apart, and the distance is an ℓ1 norm, with a hinge for SED,
// of an embedding with a linear part
// (docs/divergence.md says why not as in the paper).
func DefaultRecipe(task edit.Task, costs edit.Costs, graphs []*graph.Graph) Recipe {
	r := Recipe{Plan: DefaultPlan(task, costs), Options: Defaults(), Progress: func(Progress) {}}
	r.Config = model.Config{Conv: model.GIN, Layers: 8, Hidden: 64, Norm: norm.Single(norm.L1, 64, task == edit.SED), Skip: true}
	if edgeLabelsMatter(costs, graphs) {
		r.Config.Conv = model.GINE
	}
	r.Config.Apart = len(graphs) > 0 && graphs[0].Directed()
	return r
}

// PaperRecipe returns the configuration of the paper: GIN, an ℓ2 norm, cyclic
// learning rates, gradients clipped at 0.1, no averaging of weights, and
// stopping after 20,000 steps without a new best. Departures that remain are
// listed in docs/divergence.md.
func PaperRecipe(task edit.Task, costs edit.Costs, graphs []*graph.Graph) Recipe {
	r := DefaultRecipe(task, costs, graphs)
	r.Config.Conv, r.Config.Skip = model.GIN, false
	r.Config.Norm = norm.Single(norm.L2, 64, task == edit.SED)
	r.Plan.Edits = 0
	r.Options = Options{
		Steps: 200_000, Graphs: 96, Rate: 1e-3, Schedule: Cyclic, Decay: 1e-3, Clip: 0.1,
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

// Fit makes ground truth from graphs and trains a model on it: from those of
// learn, validated with those of check or, if check is nil, with a part of
// learn. All graphs share a vocabulary. The metrics in the model's metadata
// are those of validation, with graphs it has not seen. When the context ends during training, the best
// model so far is returned together with the context's error.
func Fit(ctx context.Context, learn, check []*graph.Graph, r Recipe) (*model.Model, error) {
	if r.Folder != "" {
		r.Plan.Journals = r.Folder
	}
	if len(learn) > 0 {
		if err := describe(learn, Data{}, r).Check(); err != nil {
			return nil, err
		}
	}
	data, err := r.Plan.Prepare(ctx, learn, check)
	if err != nil {
		return nil, err
	}
	meta := describe(learn, data, r)
	m := model.New(meta, rand.New(rand.NewPCG(r.Options.Seed, 0x3c6ef372fe94f82b)))
	t, err := New(m, data, r.Options)
	if err != nil {
		return nil, err
	}
	save := func() error { return nil }
	if r.Folder != "" {
		path := filepath.Join(r.Folder, "checkpoint.safetensors")
		save = func() error { return t.Save(path) }
		if _, err := t.Resume(path); err != nil {
			return nil, err
		}
	}
	metrics, err := t.Run(ctx, func(p Progress) error {
		r.Progress(p)
		return save()
	})
	if err != nil {
		return nil, err
	}
	m.AverageUnknown(learn)
	meta.Training.Steps = t.state.step
	meta.Metrics = map[string]float64{model.MetricRMSE: metrics.RMSE, model.MetricMAE: metrics.MAE}
	m.SetMetadata(meta)
	if t.state.best == nil {
		return nil, errors.Join(ctx.Err(), errors.New("train: stopped before the first validation"))
	}
	return m, ctx.Err()
}

// describe returns the metadata of a model to be.
func describe(graphs []*graph.Graph, data Data, r Recipe) model.Metadata {
	// A vocabulary of the labels that occur, in the order of their texts'
	// first use, so that it does not depend on what else was read.
	vocab := graph.NewVocabulary()
	for _, g := range graphs {
		graph.In(vocab, g)
	}
	info := model.Training{
		Graphs: len(graphs), Seed: r.Options.Seed, Fingerprint: data.Fingerprint(), Directed: graphs[0].Directed(),
		ValidatedOnSeen: data.Seen,
	}
	for _, b := range data.Train {
		if r.Plan.Task == edit.GED && &b.Queries[0] == &b.Targets[0] {
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
