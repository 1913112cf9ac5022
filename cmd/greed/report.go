package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/report"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// refuseReport refuses the name of a report before any work is done for it.
func refuseReport(name string) error {
	if name == "" {
		return nil
	}
	if err := report.CheckName(name); err != nil {
		return usageError("--report " + err.Error())
	}
	return nil
}

// mapper returns what finds node maps to draw pairs with.
func mapper(ctx context.Context, task edit.Task, costs edit.Costs) (func(q, t *graph.Graph) (edit.NodeMap, error),
	error) {
	solver, err := truth.NewSolver(task, costs)
	return func(q, t *graph.Graph) (edit.NodeMap, error) {
		r, err := solver.Distance(ctx, q, t, ged.Options{Time: time.Second})
		return r.Map, err
	}, err
}

// namesOf names graphs by their records; those of no record, which were drawn, by their
// position.
func namesOf(records []dataset.Record, graphs []*graph.Graph, drawn string) func(int) string {
	ids := make(map[*graph.Graph]string, len(records))
	for _, rec := range records {
		ids[rec.Graph] = rec.ID
	}
	return func(i int) string {
		if id, ok := ids[graphs[i]]; ok {
			return field(id)
		}
		return fmt.Sprintf("%s %d", drawn, i)
	}
}

// edgeLabels reports whether labels of edges count.
func edgeLabels(costs edit.Costs) bool { return costs.EdgeSubstitute != 0 || costs.Edges != nil }

// modelFacts says what a model is and how it was trained.
func modelFacts(m *model.Model) []report.Fact {
	meta := m.Metadata()
	return []report.Fact{
		{Name: "Model", Value: m.Fingerprint()},
		{Name: "Task", Value: meta.Task.String()},
		{Name: "Encoder", Value: fmt.Sprintf("%s, %d layers of %d, %d numbers per graph", meta.Config.Encoder(),
			meta.Config.Layers, meta.Config.Hidden, meta.Config.Norm.Dim())},
		{Name: "Distance", Value: meta.Config.Norm.String()},
		{Name: "Learnt from", Value: fmt.Sprintf("%d graphs, %d pairs", meta.Training.Graphs, meta.Training.Pairs)},
		{Name: "Steps", Value: fmt.Sprint(meta.Training.Steps)},
		{Name: "Seed", Value: fmt.Sprint(meta.Training.Seed)},
		{Name: "Training data", Value: meta.Training.Fingerprint},
	}
}

// writeReport writes what eval found as a page.
func (c *evalCommand) writeReport(s *session, t *trial, r *eval.Report) error {
	names := make([]string, len(c.Files))
	for i, f := range c.Files {
		names[i] = filepath.Base(f)
	}
	d := &report.Document{
		Title: fmt.Sprintf("Predictions of %v, evaluated", t.in.Task),
		Lead: fmt.Sprintf("%d pairs of %d queries and %d targets: %s.", len(t.in.Pairs), r.Queries, r.Targets,
			strings.Join(names, ", ")),
	}
	if t.model != nil {
		d.Facts = modelFacts(t.model)
	} else {
		d.Facts = []report.Fact{{Name: "Predictions", Value: filepath.Base(c.Predictions)}}
	}
	d.Facts = append(d.Facts, report.Fact{Name: "Seed of the pairs", Value: fmt.Sprint(c.Seed)},
		report.Fact{Name: "Ground truth, SHA-256", Value: t.in.Hash()})
	d.Facts = append(d.Facts, report.Machine()...)
	find, err := mapper(s.ctx, t.in.Task, t.costs)
	if err != nil {
		return err
	}
	d.Sections, err = r.Sections(*t.in, eval.Shown{
		QueryName: namesOf(t.queries, t.in.Queries, "query"), TargetName: namesOf(t.targets, t.in.Targets, "target"),
		Map: find, EdgeLabels: edgeLabels(t.costs),
	})
	if err != nil {
		return err
	}
	return d.WriteFile(c.Report)
}

// curveFile is where the folder of a run keeps its validations.
const curveFile = "curve.ndjson"

// trainRecord gathers what a report on training shows.
type trainRecord struct {
	path  string // of the validations, in the folder of the run
	curve *train.Curve
	data  train.Data
}

// watch makes the recipe report to the record what happens. The validations before a stop are
// read from the folder.
func (t *trainRecord) watch(r *train.Recipe) error {
	t.path = filepath.Join(r.Folder, curveFile)
	var err error
	if t.curve, err = train.ReadCurve(t.path); err != nil {
		return err
	}
	r.Prepared = func(d train.Data) { t.data = d }
	return nil
}

// add takes up a validation and keeps it in the folder.
func (t *trainRecord) add(p train.Progress) error {
	if p.Diverged {
		return nil
	}
	return t.curve.Add(p).Append(t.path)
}

// write writes the report of a model: its learning curve, and how well it predicts the
// pairs that it was validated with.
func (t *trainRecord) write(s *session, c *trainCommand, records []dataset.Record, m *model.Model,
	took time.Duration) error {
	meta := m.Metadata()
	in := eval.Input{Task: meta.Task, Queries: t.data.Graphs, Targets: t.data.Graphs}
	t.data.ValidPairs(func(q, target int, lower, upper float64) {
		if q != target || !meta.Task.Symmetric() {
			in.Pairs = append(in.Pairs, truth.Pair{Query: int32(q), Target: int32(target), Lower: lower, Upper: upper})
		}
	})
	ctx := context.WithoutCancel(s.ctx) // what was trained until Ctrl-C is reported, too
	if err := in.Predict(ctx, m, s.workers); err != nil {
		return err
	}
	r, err := eval.Evaluate(in)
	if err != nil {
		return err
	}
	held := fmt.Sprintf("Evaluated on pairs of %s held out of training, with graphs both seen and not seen in "+
		"training.", count(meta.Training.HeldOut, "graph"))
	switch {
	case meta.Training.HeldPairs:
		held = "Evaluated on unseen pairs of training graphs: there are too few graphs to hold any out."
	case meta.Training.ValidatedOnSeen:
		held = "Evaluated on the training graphs: there are too few to hold any out."
	}
	d := &report.Document{
		Title: fmt.Sprintf("A model for %v of %s", meta.Task, filepath.Base(c.Graphs)),
		Lead: fmt.Sprintf("Trained in %s, ground truth included. %s These pairs also chose the best step, so "+
			"predictions "+
			"for other graphs are a little worse.", took.Round(time.Second), held),
		Facts: append(append(modelFacts(m), report.Fact{Name: "Ground truth of the evaluation, SHA-256",
			Value: in.Hash()}),
			report.Machine()...),
	}
	find, err := mapper(ctx, meta.Task, meta.Costs)
	if err != nil {
		return err
	}
	names := namesOf(records, t.data.Graphs, "drawn graph")
	sections, err := r.Sections(in, eval.Shown{QueryName: names, TargetName: names, Map: find,
		EdgeLabels: edgeLabels(meta.Costs)})
	if err != nil {
		return err
	}
	d.Sections = append([]report.Section{t.curve.Section()}, sections...)
	return d.WriteFile(c.Report)
}
