// Package paper repeats the evaluation of the GREED paper (Ranjan et al., NeurIPS 2022) on
// labels of today's exact solver: every table and figure, with every system. What is
// measured is kept, so that a run that was stopped continues.
//
// An experiment, one file each, lists the jobs that it needs and shows their outcomes; a
// job that several experiments need is done once. See [Experiments].
package paper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/greedgraph/greed/lab/baseline"
	"github.com/greedgraph/greed/report"
)

// Options say what [Run] measures and where.
type Options struct {
	Data    string // folder with the collections; docs/datasets.md describes its layout
	Splits  string // folder with the committed splits and lists of pairs
	Folder  string // keeps outcomes, ground truth, models and the report
	Only    []string
	Systems []string // that are evaluated; nil: all
	Scale   Settings
	Workers int // 0: one per core
	// Part and Parts, if Parts is not 0, say which share of the collections is done: Part, from 1, of Parts.
	Part, Parts int
	// Progress, if not nil, is called from one goroutine with how far the work is, and Note with why jobs
	// have no outcome, each reason once.
	Progress func(Progress)
	Note     func(text string)
}

// Progress says how far a run is.
type Progress struct {
	Job         string // what is being done
	Stage       string // which part of it
	Done, Total int    // of the stage
	Jobs, All   int    // jobs done, of all
	Elapsed     time.Duration
	Left        time.Duration // estimated
}

// Experiment is a table or a figure of the paper.
type Experiment struct {
	Name  string
	Title string
	Where string // in the paper
	jobs  func(Settings) []job
	show  func(results) report.Section
}

// Experiments returns all experiments in the order of the report.
func Experiments() []Experiment {
	return []Experiment{
		behind(), datasets(), gedAccuracy(), sedAccuracy(), gedRanking(), sedRanking(), ranges(), heatMaps(),
		gedTimes(), sedTimes(), trainingTimes(), indexed(), graphSizes(), volume(), convolutions(), pools(), preMLP(),
		distributions(), querySizes(), alignment(), nodeMaps(), common(), matches(),
	}
}

// Names returns the names of all experiments.
func Names() []string {
	var names []string
	for _, e := range Experiments() {
		names = append(names, e.Name)
	}
	return names
}

// Systems returns the names of all systems that are evaluated.
func Systems() []string {
	names := []string{ourPaper, ourDefault}
	for _, i := range baseline.Systems() {
		names = append(names, i.Name)
	}
	return names
}

// ErrUnknown is wrapped if [Options] name an experiment or a system that there is not.
var ErrUnknown = errors.New("there is no")

// known returns an error if one of the names is not among those that there are.
func known(what string, names, all []string) error {
	for _, name := range names {
		if !slices.Contains(all, name) {
			return fmt.Errorf("paper: %w %s %q, want some of %s", ErrUnknown, what, name, strings.Join(all, ", "))
		}
	}
	return nil
}

// chosen returns the experiments that the options name, all if they name none.
func (o *Options) chosen() ([]Experiment, error) {
	if err := errors.Join(known("experiment", o.Only, Names()), known("system", o.Systems, Systems())); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(Experiments(), func(e Experiment) bool {
		return len(o.Only) > 0 && !slices.Contains(o.Only, e.Name)
	}), nil
}

// Estimate returns how many jobs the options ask for, how many of them are done already,
// and about how long the others take if nothing else runs. It measures first a few steps
// of every system on every collection, and keeps what it finds in the folder.
func Estimate(ctx context.Context, o Options) (jobs, done int, left time.Duration, err error) {
	w, _, all, err := o.worker(ctx)
	if err != nil {
		return 0, 0, 0, err
	}
	for _, j := range all {
		if _, err := w.read(j); err == nil {
			done++
		}
	}
	return len(all), done, seconds(w.clock.left), nil
}

// worker returns what does the jobs, with its estimates.
func (o Options) worker(ctx context.Context) (*worker, []Experiment, []job, error) {
	list, err := o.chosen()
	if err != nil {
		return nil, nil, nil, err
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	for _, folder := range []string{"outcomes", "truth", "models"} {
		if err := os.MkdirAll(filepath.Join(o.Folder, folder), 0o777); err != nil {
			return nil, nil, nil, err
		}
	}
	w := &worker{Options: o, clock: estimator{begin: time.Now()}}
	all := o.share(o.jobs(list))
	p := planner{scale: o.Scale, cores: float64(cmp.Or(o.Workers, runtime.GOMAXPROCS(0))), done: make(map[string]bool)}
	if o.Scale.measured() {
		if p.speeds, err = w.speeds(ctx, all); err != nil {
			return nil, nil, nil, err
		}
	}
	for _, j := range all {
		took := p.estimate(j)
		w.clock.jobs = append(w.clock.jobs, took)
		if _, err := w.read(j); err != nil {
			w.clock.left += took
		}
	}
	return w, list, all, nil
}

// jobs returns the jobs of the experiments, each once: first our systems, as the tables have them, then the others of
// the paper's own collections, then those of the collections that stand in. In each, the jobs of a collection follow
// each other, so that it is prepared once.
func (o *Options) jobs(list []Experiment) []job {
	var all []job
	seen := make(map[string]bool)
	for _, e := range list {
		for _, j := range e.jobs(o.Scale) {
			if key := j.key(o.Scale); !seen[key] && o.wants(j) {
				seen[key] = true
				all = append(all, j)
			}
		}
	}
	order := make(map[string]int)
	for _, j := range all {
		if _, ok := order[j.Exam]; !ok {
			order[j.Exam] = len(order)
		}
	}
	slices.SortStableFunc(all, func(a, b job) int {
		return cmp.Or(a.turn()-b.turn(), order[a.Exam]-order[b.Exam])
	})
	return all
}

// turn says which jobs come first.
func (j job) turn() int {
	switch {
	case j.Exam == "sed/wordnet" || j.Exam == "sed/debian":
		return 2
	case j == job{Exam: j.Exam, System: j.System} && (j.System == ourPaper || j.System == ourDefault):
		return 0
	}
	return 1
}

// wants reports whether a job is of a system that is wanted, or of none.
func (o *Options) wants(j job) bool {
	return len(o.Systems) == 0 || j.System == "" || slices.Contains(o.Systems, j.System)
}

// share returns the jobs of the part that the options name. The jobs of a collection stay together, because they share
// distances and models. Collections are handed out by the number of their jobs, those with the most first, each to the
// part with the fewest so far; so all machines agree.
func (o *Options) share(all []job) []job {
	if o.Parts == 0 {
		return all
	}
	jobs := make(map[string]int)
	var exams []string
	for _, j := range all {
		if jobs[j.Exam]++; jobs[j.Exam] == 1 {
			exams = append(exams, j.Exam)
		}
	}
	slices.SortStableFunc(exams, func(a, b string) int { return jobs[b] - jobs[a] })
	load := make([]int, o.Parts)
	mine := make(map[string]bool)
	for _, exam := range exams {
		least := slices.Index(load, slices.Min(load))
		load[least] += jobs[exam]
		mine[exam] = least == o.Part-1
	}
	return slices.DeleteFunc(slices.Clone(all), func(j job) bool { return !mine[j.Exam] })
}

// Write writes the report, report.html in the folder, of the outcomes that are there. It measures nothing.
func Write(o Options) error {
	list, err := o.chosen()
	if err != nil {
		return err
	}
	res := results{scale: o.Scale, at: make(map[string]*outcome)}
	all := o.jobs(list)
	for _, j := range all {
		if out, err := o.read(j); err == nil {
			res.at[j.key(o.Scale)] = out
		}
	}
	return o.write(list, res, len(res.at) < len(all))
}

// reportEvery is the least time between reports that are written during a run.
const reportEvery = time.Minute

// Run does the jobs that are not done and writes the report, report.html in the folder. If
// the context ends, it writes what there is and returns the context's error. A job whose
// collection is missing, or which fails, is named in the report with the reason, and the
// others go on.
func Run(ctx context.Context, o Options) error {
	w, list, all, err := o.worker(ctx)
	if err != nil {
		return err
	}
	res := results{scale: o.Scale, at: make(map[string]*outcome)}
	for _, j := range o.jobs(list) { // of other parts, if their outcomes are in the folder
		if out, err := w.read(j); err == nil {
			res.at[j.key(o.Scale)] = out
		}
	}
	written := time.Now()
	noted := make(map[string]bool)
	for i, j := range all {
		out, err := w.read(j)
		if err == nil {
			res.at[j.key(o.Scale)] = out
			continue
		}
		w.begin(j, i, len(all))
		out, err = w.do(ctx, j)
		if ctx.Err() != nil {
			return errors.Join(o.write(list, res, true), ctx.Err())
		}
		if err != nil {
			return fmt.Errorf("paper: %s: %w", j, err)
		}
		w.clock.finish(out)
		if out.Failed != "" && !noted[out.Failed] {
			noted[out.Failed] = true
			w.Note(fmt.Sprintf("left out: %s: %s", j, out.Failed))
		}
		res.at[j.key(o.Scale)] = out
		if time.Since(written) > reportEvery {
			written = time.Now()
			if err := o.write(list, res, true); err != nil {
				return err
			}
		}
	}
	return o.write(list, res, false)
}

// do returns the outcome of a job, and keeps it.
func (w *worker) do(ctx context.Context, j job) (*outcome, error) {
	begin := time.Now()
	out, err := j.run(ctx, w)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, errFolder) {
		return nil, err
	}
	if err != nil {
		// Not kept: what was missing may be there next time.
		return &outcome{Failed: w.reason(err)}, nil
	}
	out.Seconds = time.Since(begin).Seconds()
	return out, w.keep(j, out)
}

// errFolder is wrapped by errors of writing into the folder, which end the run.
var errFolder = errors.New("cannot keep results")

// notThere follows the name of a file of a collection that is missing.
const notThere = " is not there; docs/datasets.md says where to get it"

// reason says why a job has no outcome.
func (o *Options) reason(err error) string {
	var missing *fs.PathError
	if errors.As(err, &missing) && errors.Is(err, fs.ErrNotExist) {
		for _, folder := range []string{o.Data, o.Splits} {
			if name, err := filepath.Rel(folder, missing.Path); err == nil && filepath.IsLocal(name) {
				return filepath.ToSlash(name) + notThere
			}
		}
	}
	return err.Error()
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
