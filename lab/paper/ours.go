package paper

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/lab/baseline"
	"github.com/greedgraph/greed/lab/bench"
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/train"
)

// Our two systems: the paper's configuration, and what greed train does by default.
const (
	ourPaper   = published.GREED
	ourDefault = "greed"
)

// largerQueries is a variant of a job: it learns from larger queries. The other variants are
// [baseline.Ablations] of our model.
const largerQueries = "queries to 50 nodes"

// ours is our model as a system among the others.
type ours struct {
	info    baseline.Info
	recipe  train.Recipe
	workers int // for training
	model   *model.Model
	fitted  baseline.Fitted
}

// newSystem returns the system that a job evaluates.
func newSystem(x *bench.Exam, j job) (baseline.System, error) {
	if j.System != ourPaper && j.System != ourDefault {
		return baseline.New(j.System, x.Task, x.Costs)
	}
	if j.Variant != "" && j.Variant != largerQueries {
		return baseline.NewAblation(j.Variant, x.Task, x.Costs)
	}
	if x.Task == edit.MCS && j.System == ourPaper { // as in the paper
		return baseline.NewAblation(baseline.MLP, x.Task, x.Costs)
	}
	s := &ours{info: baseline.Info{
		Name: j.System, Title: "GREED", Paper: "Ranjan et al. 2022", Tasks: []edit.Task{edit.GED, edit.SED, edit.MCS},
		Learns: true, Indexable: true, Cached: "a vector",
	}}
	if j.System == ourDefault {
		s.info.Title = "greed's default"
		s.recipe = train.DefaultRecipe(x.Task, x.Costs, x.Learn)
		// A trial of norms would be as long as a short training.
		s.recipe.Norms = []norm.Norm{}
	} else {
		s.recipe = train.PaperRecipe(x.Task, x.Costs, x.Learn)
	}
	return s, s.recipe.Config.Check()
}

func (s *ours) Info() baseline.Info     { return s.info }
func (s *ours) Fitted() baseline.Fitted { return s.fitted }
func (s *ours) Save(path string) error  { return s.model.Save(path) }

func (s *ours) Parameters() int {
	if s.model == nil {
		return 0
	}
	return len(s.model.Params().Flat())
}

func (s *ours) Fit(ctx context.Context, data train.Data, opt baseline.Options) error {
	r := s.recipe
	r.Options.Seed, r.Options.Workers = opt.Seed, s.workers
	if opt.Steps > 0 {
		// A cycle of the paper's rates is 4,000 steps: a short training needs rates that
		// fall to its end.
		r.Options.Steps, r.Options.Schedule = opt.Steps, train.OneCycle
		r.Options.Validate = max(1, min(r.Options.Validate, opt.Steps/4))
	}
	r.Progress = func(p train.Progress) {
		opt.Progress(baseline.Progress{System: s.info.Name, Stage: "training", Done: p.Step, Total: p.Steps, Loss: p.Loss, Valid: p.Valid, Best: p.Best})
	}
	begin := opt.Clock()
	m, err := train.FitData(ctx, data, r)
	if err != nil {
		return err
	}
	s.model = m
	s.fitted = baseline.Fitted{Steps: m.Metadata().Training.Steps, Time: opt.Clock() - begin, Valid: train.Metrics{
		RMSE: m.Metadata().Metrics[model.MetricRMSE], MAE: m.Metadata().Metrics[model.MetricMAE],
	}}
	return nil
}

func (s *ours) Predict(ctx context.Context, in *eval.Input, opt baseline.Options) (baseline.Work, error) {
	begin := opt.Clock()
	zq, err := s.model.Embed(ctx, in.Queries, 1)
	if err != nil {
		return baseline.Work{}, err
	}
	zt, err := s.model.Embed(ctx, in.Targets, 1)
	if err != nil {
		return baseline.Work{}, err
	}
	embedded := opt.Clock()
	n, dim := s.model.Norm(), s.model.Norm().Dim()
	in.Predicted = make([]float64, len(in.Pairs))
	for i, p := range in.Pairs {
		in.Predicted[i] = n.Distance(zq[int(p.Query)*dim:][:dim], zt[int(p.Target)*dim:][:dim])
	}
	return baseline.Work{Graphs: len(in.Queries) + len(in.Targets), Pairs: len(in.Pairs), Embed: embedded - begin, Score: opt.Clock() - embedded}, nil
}

// keepModel saves what was learnt in the folder and removes what unfinished training kept.
func (w *worker) keepModel(j job, s baseline.System, out *outcome) error {
	out.File = filepath.Join("models", j.key(w.Scale)+".safetensors")
	err := s.Save(filepath.Join(w.Folder, out.File))
	if errors.Is(err, baseline.ErrNothingLearnt) {
		out.File, err = "", nil
	}
	if o, ok := s.(*ours); ok {
		out.Model = o.model.Fingerprint()
	}
	if err == nil {
		err = os.RemoveAll(w.unfinished(j))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errFolder, err)
	}
	return nil
}

// unfinished is where a training keeps its work, so that the same command continues it.
func (w *worker) unfinished(j job) string { return w.folder("models", j.key(w.Scale)+".train") }

// fitted returns our model of a collection, which a job of that system has trained. The job is done if its model is
// not in the folder: its outcome may be of another machine.
func (w *worker) fitted(ctx context.Context, exam, system string) (*model.Model, error) {
	j := job{Exam: exam, System: system}
	out, err := w.read(j)
	if err == nil && out.File != "" {
		m, err := model.Load(filepath.Join(w.Folder, out.File))
		if !errors.Is(err, fs.ErrNotExist) {
			return m, err
		}
	}
	if out, err = w.do(ctx, j); err != nil {
		return nil, err
	}
	if out.Failed != "" {
		return nil, errors.New(out.Failed)
	}
	return model.Load(filepath.Join(w.Folder, out.File))
}

func (o *Options) folder(parts ...string) string {
	return filepath.Join(append([]string{o.Folder}, parts...)...)
}

func makeFolder(path string) error {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return fmt.Errorf("%w: %w", errFolder, err)
	}
	return nil
}

// processor returns the processor time that f takes.
func processor(f func() error) (time.Duration, error) {
	begin := bench.ProcessorTime()
	err := f()
	return bench.ProcessorTime() - begin, err
}
