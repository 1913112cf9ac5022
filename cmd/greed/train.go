package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/greedgraph/greed/internal/progress"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// trainCommand makes a model of a collection.
type trainCommand struct {
	Graphs string `arg:"" help:"The collection: a file, a folder or - for standard input."`

	Out    string `short:"o" placeholder:"FILE" help:"Where to write the model (default TASK.safetensors)."`
	Split  string `placeholder:"FILE" help:"${train_split}"`
	Pairs  string `placeholder:"FILE" help:"${train_pairs}"`
	Report string `writes:"" placeholder:"FILE" help:"${train_report}"`
	Resume bool   `help:"Continue a stopped run that had the same flags."`

	operation.Train
	readFlags
}

func (c *trainCommand) Run(s *session) error {
	if c.Out == "" {
		c.Out = cmp.Or(c.Task, "ged") + ".safetensors"
	}
	if err := refuseReport(c.Report); err != nil {
		return err
	}
	measure, err := c.Resolve()
	if err != nil {
		return usage(err)
	}
	src := c.source(s)
	src.Compare(measure.Costs)
	read, err := s.read(src, c.Graphs)
	if err != nil {
		return err
	}
	records, rules := read.Records, read.Rules
	given, err := c.given(measure.Task, records)
	if err != nil {
		return err
	}
	r, err := c.Recipe(measure, given.graphs)
	if err != nil {
		return usageError(usage(err).Error())
	}
	if r.Folder, err = c.folder(s); err != nil {
		return err
	}
	r.Plan.Workers, r.Options.Workers = s.workers, s.workers
	report := &trainReport{s: s, begin: time.Now()}
	r.Plan.Progress, r.Progress = report.truth, report.step
	if c.Report != "" {
		if err := report.record.watch(&r); err != nil {
			return err
		}
	}
	r.Plan.Note = func(text string) { report.finish(); s.note("%s", text) }
	m, err := given.fit(s.ctx, r)
	report.finish()
	if m == nil {
		return c.explain(s, err, r.Folder)
	}
	meta := m.Metadata()
	meta.Training.Source, meta.Training.Rules = filepath.Base(c.Graphs), &rules
	m.SetMetadata(meta)
	if kept := c.better(m); kept != nil {
		s.note("%s already holds a better model of the same data, which is kept", c.Out)
		m = kept
	} else if saveErr := m.Save(c.Out); saveErr != nil {
		return saveErr
	}
	if c.Report != "" {
		if err := errors.Join(report.failed, report.record.write(s, c, records, m,
			time.Since(report.begin))); err != nil {
			return err
		}
	}
	if err == nil {
		err = os.RemoveAll(r.Folder)
	}
	if printErr := c.print(s, m, time.Since(report.begin)); printErr != nil {
		return printErr
	}
	return c.explain(s, err, r.Folder)
}

// better returns the model that an earlier stop of a resumed run left, if it beats m by the
// same graphs held out.
func (c *trainCommand) better(m *model.Model) *model.Model {
	if !c.Resume {
		return nil
	}
	before, err := model.Load(c.Out)
	if err != nil {
		return nil // nothing that could be used
	}
	was, is := before.Metadata(), m.Metadata()
	if was.Task != is.Task || was.Training.Fingerprint != is.Training.Fingerprint ||
		was.Metrics[model.MetricMAE] >= is.Metrics[model.MetricMAE] {
		return nil
	}
	return before
}

// explain says what is left of a run that was stopped or failed, and how to resume. It
// returns the error.
func (c *trainCommand) explain(s *session, err error, folder string) error {
	if err == nil {
		return nil
	}
	// An empty folder would only be in the way.
	if os.Remove(folder) == nil {
		return err
	}
	switch {
	case errors.Is(err, train.ErrNoDistances): // nothing is worth keeping
		err = errors.Join(err, os.RemoveAll(folder))
	case errors.Is(err, train.ErrDiverged):
		s.note("%s keeps the ground truth: --resume with another --rate learns from it", folder)
	case errors.Is(err, train.ErrTooEarly):
		s.note("stopped before the first validation: there is no model yet; --resume continues from %s", folder)
	case s.ctx.Err() != nil:
		s.note("%s keeps the finished work: --resume continues from there", folder)
	}
	return err
}

// folder returns where the run keeps its work. It is emptied unless the run resumes.
func (c *trainCommand) folder(s *session) (string, error) {
	folder := c.Out + ".train"
	_, err := os.Stat(folder)
	if err == nil && !c.Resume {
		return "", fmt.Errorf("%s holds the work of an earlier run: add --resume to continue it, or remove it to "+
			"start again", folder)
	}
	if err := os.Mkdir(folder, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	} else if err == nil && c.Resume {
		s.note("there is no %s to resume: training begins anew", folder)
	}
	return folder, nil
}

func (c *trainCommand) print(s *session, m *model.Model, took time.Duration) error {
	meta := m.Metadata()
	if s.json {
		return s.out.printJSON(struct {
			Model       string         `json:"model"`
			Fingerprint string         `json:"fingerprint"`
			Metadata    model.Metadata `json:"metadata"`
			Seconds     float64        `json:"seconds"`
		}{c.Out, m.Fingerprint(), meta, took.Seconds()})
	}
	about := fmt.Sprintf("on unseen graphs (%s held out)", count(meta.Training.HeldOut, "graph"))
	switch {
	case meta.Training.HeldPairs:
		about = "on unseen pairs of training graphs, because there are too few graphs to hold any out"
	case meta.Training.ValidatedOnSeen:
		about = "on the training graphs, because there are too few to hold any out"
	}
	_, err := fmt.Fprintf(s.out, "%s: a model for %v, %s, %d coordinates, learnt from %d graphs and %d pairs in %s\n"+
		"%s: RMSE %.3f, MAE %.3f\n",
		c.Out, meta.Task, meta.Config.Encoder(), meta.Config.Norm.Dim(), meta.Training.Graphs, meta.Training.Pairs,
		took.Round(time.Second),
		about, meta.Metrics[model.MetricRMSE], meta.Metrics[model.MetricMAE])
	return err
}

// logLines is how many lines a log has of a training, at most.
const logLines = 10

// trainReport shows the progress of training, on a terminal all of it, in a log a line for
// each stage and each tenth of the steps.
type trainReport struct {
	s      *session
	begin  time.Time
	stage  string
	bar    *progress.Bar
	logged string // the part of training that the log has a line of

	record trainRecord // for --report
	failed error       // of keeping it
}

func (r *trainReport) truth(stage string, p truth.Progress) {
	if stage != r.stage {
		r.bar.Finish()
		r.bar, r.stage = r.s.bar(p.Total, "ground truth for "+stage+", pairs"), stage
		if r.s.log {
			fmt.Fprintf(os.Stderr, "ground truth for %s: %d of %s so far\n", stage, p.Done, count(p.Total, "pair"))
		}
	}
	r.bar.Reach(p.Done)
}

func (r *trainReport) step(p train.Progress) {
	r.finish()
	if r.record.curve != nil && r.failed == nil {
		r.failed = r.record.add(p)
	}
	trial := ""
	if p.Trial != "" {
		trial = "trial of " + p.Trial + ", "
	}
	if p.Diverged {
		from := "the start"
		if !math.IsInf(p.Best.MAE, 1) {
			from = fmt.Sprintf("the best model so far (MAE %.3f)", p.Best.MAE)
		}
		r.s.note("%sstep %d: the loss reached %.3g; continuing from %s at a tenth of the learning rate", trial, p.Step,
			p.Loss, from)
		return
	}
	stage := fmt.Sprint(p.Trial, p.Step*logLines/p.Steps)
	if !r.s.progress && !(r.s.log && stage != r.logged) {
		return
	}
	r.logged = stage
	left := "unknown"
	if p.Done > 0 {
		left = (p.Elapsed * time.Duration(p.Steps-p.Step) / time.Duration(p.Done)).Round(time.Second).String()
	}
	fmt.Fprintf(os.Stderr,
		"%sstep %d of %d: loss %.4f, validation RMSE %.4f, MAE %.4f (best %.4f), %s so far, at most "+
			"%s left\n",
		trial, p.Step, p.Steps, p.Loss, p.Valid.RMSE, p.Valid.MAE, p.Best.MAE, p.Elapsed.Round(time.Second), left)
}

func (r *trainReport) finish() {
	r.bar.Finish()
	r.bar = nil
}
