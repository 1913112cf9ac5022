package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/nn"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// trainCommand makes a model of a collection.
type trainCommand struct {
	Graphs string `arg:"" help:"The collection: a file, a folder or - for standard input."`

	Task   taskFlag `default:"ged" placeholder:"TASK" help:"Distance to learn: ged, sed, mcs."`
	Out    string   `short:"o" placeholder:"FILE" help:"Where to write the model (default TASK.safetensors)."`
	Split  string   `placeholder:"FILE" help:"Learn from the part \"train\" of this split and validate with \"validation\" (default: hold out a tenth)."`
	Pairs  string   `placeholder:"FILE" help:"Learn these distances in place of computed ones: lines of query, target, lower, upper, or query, target, distance (.csv, .tsv or .parquet), as greed truth writes them; lists [ID, ID, DISTANCE] (.json); or the collection itself, if it holds pairs with their distances."`
	Report string   `placeholder:"FILE" help:"Write a report with the learning curve, errors and the worst pairs, as .html or .md."`
	Resume bool     `help:"Continue a run with the same flags that was stopped."`

	Preset   string  `group:"Model and training:" enum:"default,paper" default:"default" help:"Starting values of the settings below: default, paper."`
	Hidden   int     `group:"Model and training:" placeholder:"N" help:"Width of node states, a multiple of 16 (default 64)."`
	Layers   int     `group:"Model and training:" placeholder:"N" help:"Rounds of message passing (default 8, with --counts none)."`
	Counts   int     `group:"Model and training:" placeholder:"N" help:"For sed, see up to N counts of what a graph has, such as 1024, in place of message passing: trains in a fraction of the time, and is better where targets are large."`
	Direct   int     `group:"Model and training:" placeholder:"N" help:"With --counts, let N of the 64 coordinates only grow with the graph; if all do, a query is predicted at 0 from each graph that contains it (default 0)."`
	Norm     string  `group:"Model and training:" placeholder:"NORM" help:"Norm of the distance: l1 or l2 over 64 coordinates, or KIND:COMBINE:WIDTHxBLOCKS such as l1:max:8x8; the default tries l1 and l1:max:8x8 and takes the better."`
	Conv     string  `group:"Model and training:" placeholder:"CONV" help:"Message passing: gin, gine (sees edge labels), gcn, sage, gat (default gine where edge labels matter, else gin)."`
	Pool     string  `group:"Model and training:" placeholder:"POOL" help:"How node states are pooled into one: sum, mean, max, attention (default sum)."`
	NoPre    bool    `group:"Model and training:" help:"Leave out the pre-MLP: the first round sees one-hot labels."`
	Features *bool   `group:"Model and training:" negatable:"" help:"Let the first round see degrees and cycles (default: for ged and mcs)."`
	Dual     bool    `group:"Model and training:" help:"Use separate encoders for queries and targets. Such a model predicts but cannot search."`
	Head     string  `group:"Model and training:" placeholder:"HEAD" help:"How two vectors give a distance: norm, or mlp, which predicts but cannot search (default norm)."`
	Steps    int     `group:"Model and training:" placeholder:"N" help:"Train on at most N batches (default 25000)."`
	Rate     float64 `group:"Model and training:" placeholder:"X" help:"Peak learning rate (default 0.001)."`
	Seed     uint64  `group:"Model and training:" default:"1" help:"Seed of everything random (default 1)."`

	MaxPairs int   `group:"Ground truth:" placeholder:"N" help:"Compute distances of at most N pairs (default 2000000)."`
	Edits    int   `group:"Ground truth:" default:"-1" placeholder:"N" help:"Add copies of the graphs with up to N edits; 0: no copies (default 8)."`
	Few      int   `group:"Ground truth:" placeholder:"N" help:"Learn from just N pairs, spread evenly over the graphs, without copies; for ged and mcs."`
	States   int64 `group:"Ground truth:" placeholder:"N" help:"Settle for bounds of a pair after N search states (default 2000)."`

	queryFlags         `group:"Ground truth:"`
	neighbourhoodFlags `group:"Ground truth:"`
	costFlags
	readFlags
}

// Help shows below the usage of the command.
func (trainCommand) Help() string {
	return `
Computes true distances in the collection with the exact solver, learns from them to
predict the distance, and says how well that works on graphs it has not seen.

    greed train molecules.smi                          a model for ged, ged.safetensors
    greed train molecules.smi --task sed -o sub.safetensors
    greed train citations.txt --task sed               one large graph: its neighbourhoods
    greed train molecules.smi --pairs ratings.csv      distances of your own
    greed train molecules.smi --report report.html
    greed search query.mol molecules.smi --model ged.safetensors

Ctrl-C keeps the best model so far. FILE.train, beside the model, keeps the state of a
run until it ends. --resume continues from it, even after a crash, and ends with the
same model.

The distance of --task mcs is the number of nodes of the larger graph that are not in
the maximum common subgraph (see greed mcs).
`
}

// taskFlag reads ged, sed or mcs.
type taskFlag struct{ edit.Task }

func (c *trainCommand) Run(s *session) error {
	if c.Out == "" {
		c.Out = c.Task.String() + ".safetensors"
	}
	if err := refuseReport(c.Report); err != nil {
		return err
	}
	costs, err := c.costs()
	if err != nil {
		return err
	}
	c.compare(costs)
	records, err := c.load(s, c.Graphs, graph.NewVocabulary())
	if err != nil {
		return err
	}
	rules := c.found
	given, err := c.given(records)
	if err != nil {
		return err
	}
	r := train.DefaultRecipe(c.Task.Task, costs, given.graphs)
	if c.Preset == "paper" {
		r = train.PaperRecipe(c.Task.Task, costs, given.graphs)
	}
	if err := c.adjust(&r); err != nil {
		return err
	}
	if r.Folder, err = c.folder(); err != nil {
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
		s.note("%s holds a better model of the same data, from before: it stays", c.Out)
		m = kept
	} else if saveErr := m.Save(c.Out); saveErr != nil {
		return saveErr
	}
	if c.Report != "" {
		if err := errors.Join(report.failed, report.record.write(s, c, records, m, time.Since(report.begin))); err != nil {
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
	if was.Task != is.Task || was.Training.Fingerprint != is.Training.Fingerprint || was.Metrics[model.MetricMAE] >= is.Metrics[model.MetricMAE] {
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
	case errors.Is(err, train.ErrDiverged):
		s.note("%s keeps the ground truth: --resume with another --rate learns from it", folder)
	case errors.Is(err, train.ErrTooEarly):
		s.note("stopped before the first validation: there is no model yet; --resume continues from %s", folder)
	case s.ctx.Err() != nil:
		s.note("%s keeps the finished work: --resume continues from there", folder)
	}
	return err
}

func graphsOf(records []dataset.Record) []*graph.Graph {
	graphs := make([]*graph.Graph, len(records))
	for i, rec := range records {
		graphs[i] = rec.Graph
	}
	return graphs
}

// adjust applies the flags to the recipe.
func (c *trainCommand) adjust(r *train.Recipe) error {
	set(&r.Config.Hidden, c.Hidden)
	if err := c.count(r); err != nil {
		return err
	}
	set(&r.Config.Layers, c.Layers)
	set(&r.Options.Steps, c.Steps)
	set(&r.Options.Rate, c.Rate)
	set(&r.Plan.Pairs, c.MaxPairs)
	set(&r.Plan.Solver.States, c.States)
	switch {
	case c.Few < 0:
		return usageError(fmt.Sprintf("--few %d: want a number above 0", c.Few))
	case c.Few > 0 && (!c.Task.Symmetric() || c.Pairs != "" || c.MaxPairs > 0 || c.Edits > 0):
		return usageError("--few is for ged and mcs, and goes without --pairs, --max-pairs and --edits")
	}
	r.Plan.Few = c.Few
	r.Options.Seed, r.Plan.Seed = c.Seed, c.Seed
	if c.Edits >= 0 {
		r.Plan.Edits = c.Edits
	}
	c.reshape(&r.Config)
	var err error
	if r.Plan.Sampler, r.Plan.Limits, err = c.sampler(nil); err != nil {
		return err
	}
	if r.Plan.Neighbourhoods, err = c.neighbourhoods(); err != nil {
		return err
	}
	if c.Norm != "" {
		n, err := parseNorm(c.Norm, c.Task.Task == edit.SED)
		if err != nil {
			return usageError(fmt.Sprintf("--norm %s: %v", c.Norm, err))
		}
		r.Config.Norm, r.Norms = n, nil
	}
	if err := r.Config.Check(); err != nil {
		return usageError(err.Error())
	}
	if dim := r.Config.Norm.Dim(); r.Direct > dim {
		return usageError(fmt.Sprintf("--direct %d: the norm has %d coordinates", r.Direct, dim))
	}
	if err := r.Options.Check(); err != nil {
		return usageError(err.Error())
	}
	return nil
}

// count applies the flags for counts.
func (c *trainCommand) count(r *train.Recipe) error {
	switch {
	case c.Counts < 0 || c.Counts > nn.MostCounts || c.Direct < 0 || c.Direct%kernel.Lane != 0:
		return usageError(fmt.Sprintf("--counts %d --direct %d: want a number of counts up to %d, and one of coordinates that is a multiple of %d", c.Counts, c.Direct, nn.MostCounts, kernel.Lane))
	case c.Counts == 0 && c.Direct > 0:
		return usageError("--direct needs --counts")
	case c.Counts == 0:
		return nil
	case c.Task.Symmetric():
		return usageError("--counts is for sed")
	case c.Layers == 0 && (c.Conv != "" || c.Pool != "" || c.NoPre || c.Features != nil):
		return usageError("--conv, --pool, --no-pre and --features are for rounds of message passing, of which --counts leaves none without --layers")
	}
	r.Count(c.Counts, c.Direct)
	return nil
}

// reshape applies the flags for other kinds of models to the configuration.
func (c *trainCommand) reshape(m *model.Config) {
	if c.Conv != "" {
		m.Conv = model.Conv(c.Conv)
	}
	if c.Pool != "" && c.Pool != "sum" {
		m.Pool = model.Pool(c.Pool)
	}
	if c.Head != "" && c.Head != "norm" {
		m.Head = model.Head(c.Head)
	}
	m.NoPre, m.Dual = c.NoPre, c.Dual
	m.Features = m.Features && !c.NoPre
	if c.Features != nil {
		m.Features = *c.Features
	}
}

// set changes a setting to the value of a flag that was given.
func set[T int | int64 | float64](setting *T, flag T) {
	if flag != 0 {
		*setting = flag
	}
}

// parseNorm reads KIND or KIND:COMBINE:WIDTHxBLOCKS.
func parseNorm(text string, hinge bool) (norm.Norm, error) {
	const usual = 64
	fields := strings.Split(text, ":")
	n := norm.Single(norm.Kind(fields[0]), usual, hinge)
	if len(fields) == 1 {
		return n, n.Check()
	}
	width, blocks := 0, 0
	if len(fields) != 3 {
		return n, fmt.Errorf("want l1, l2 or KIND:COMBINE:WIDTHxBLOCKS such as l1:max:8x8")
	}
	if _, err := fmt.Sscanf(fields[2], "%dx%d", &width, &blocks); err != nil || blocks < 1 {
		return n, fmt.Errorf("%q: want WIDTHxBLOCKS such as 8x8", fields[2])
	}
	n = norm.Blocks(n.Kind, norm.Combine(fields[1]), width, blocks, hinge)
	return n, n.Check()
}

// folder returns where the run keeps its work. It is emptied unless the run resumes.
func (c *trainCommand) folder() (string, error) {
	folder := c.Out + ".train"
	_, err := os.Stat(folder)
	if err == nil && !c.Resume {
		return "", fmt.Errorf("%s holds the work of an earlier run: add --resume to continue it, or remove it to start again", folder)
	}
	if err := os.Mkdir(folder, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
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
	about := fmt.Sprintf("for graphs it has not seen (%s held out)", count(meta.Training.HeldOut, "graph"))
	switch {
	case meta.Training.HeldPairs:
		about = "for pairs it has not seen of graphs it has, as there are too few to hold graphs out"
	case meta.Training.ValidatedOnSeen:
		about = "for the graphs it has seen, of which there are too few to hold some out"
	}
	_, err := fmt.Fprintf(s.out, "%s: a model for %v, %s, %d coordinates, learnt from %d graphs and %d pairs in %s\n"+
		"%s: RMSE %.3f, MAE %.3f\n",
		c.Out, meta.Task, meta.Config.Encoder(), meta.Config.Norm.Dim(), meta.Training.Graphs, meta.Training.Pairs, took.Round(time.Second),
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
	bar    bar
	done   int
	logged string // the part of training that the log has a line of

	record trainRecord // for --report
	failed error       // of keeping it
}

func (r *trainReport) truth(stage string, p truth.Progress) {
	if stage != r.stage {
		r.bar.finish()
		r.bar, r.stage, r.done = r.s.bar(p.Total, "ground truth for "+stage+", pairs"), stage, 0
		if r.s.log {
			fmt.Fprintf(os.Stderr, "ground truth for %s: %d of %s so far\n", stage, p.Done, count(p.Total, "pair"))
		}
	}
	r.bar.add(p.Done - r.done)
	r.done = p.Done
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
		r.s.note("%sstep %d: the loss came to %.3g; continuing from %s at a tenth of the learning rate", trial, p.Step, p.Loss, from)
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
	fmt.Fprintf(os.Stderr, "%sstep %d of %d: loss %.4f, validation RMSE %.4f, MAE %.4f (best %.4f), %s so far, at most %s left\n",
		trial, p.Step, p.Steps, p.Loss, p.Valid.RMSE, p.Valid.MAE, p.Best.MAE, p.Elapsed.Round(time.Second), left)
}

func (r *trainReport) finish() {
	r.bar.finish()
	r.bar = bar{}
}
