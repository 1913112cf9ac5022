package paper

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/lab/baseline"
	"github.com/greedgraph/greed/lab/bench"
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// worker does one job after the other. It keeps the collection of the last.
type worker struct {
	Options
	clock estimator

	job       job
	jobs, all int

	exam *bench.Exam
	data map[string]train.Data // by key of the plan
}

func (w *worker) begin(j job, done, all int) {
	w.job, w.jobs, w.all = j, done, all
	w.clock.start(done)
	w.report("starting", 0, 0)
}

// report reports progress.
func (w *worker) report(stage string, done, total int) {
	elapsed, left := w.clock.times()
	w.Progress(Progress{
		Job: w.job.String(), Stage: stage, Done: done, Total: total, Jobs: w.jobs, All: w.all, Elapsed: elapsed, Left: left,
	})
}

// open reads a collection, unless it is the last one.
func (w *worker) open(name string) (*bench.Exam, error) {
	if w.exam != nil && w.exam.Name == name {
		return w.exam, nil
	}
	w.exam, w.data = nil, nil
	x, err := bench.OpenExam(name, w.Data, w.Splits, w.Scale.share(name))
	if err != nil {
		return nil, err
	}
	w.exam, w.data = x, make(map[string]train.Data)
	return x, nil
}

// largerShare divides the pairs that short settings learn from where queries are larger:
// the distance of such a pair takes many times as long.
const largerShare = 5

// learnt returns how many pairs a job learns from and is validated with, at most.
func (s Settings) learnt(j job) (pairs, valid int) {
	pairs, valid = cmp.Or(j.Pairs, s.Pairs), cmp.Or(s.Valid, ownValid)
	if j.Variant == largerQueries && s.Work > 0 {
		return pairs / largerShare, valid / largerShare
	}
	return pairs, s.Valid
}

// truth computes the pairs to learn from. All systems that ask for the same get the same.
func (w *worker) truth(ctx context.Context, x *bench.Exam, j job) (train.Data, error) {
	p := x.Plan()
	p.Work, p.Seed, p.Edits, p.Workers = w.Scale.Work, w.Scale.Seed, 0, w.Workers
	p.Pairs, p.Valid = w.Scale.learnt(j)
	if j.Variant == largerQueries {
		p.Limits.MaxNodes = 50
	}
	// Less than 20,000 pairs are never too many to solve, and a limit of work would draw
	// more.
	if p.Pairs < 20_000 {
		p.Work = 0
	}
	name := fmt.Sprintf("%s-%d-%d-%d-%d-%d", filepath.Base(x.Name), p.Pairs, p.Valid, p.Work, p.Limits.MaxNodes, p.Seed)
	if d, ok := w.data[name]; ok {
		return d, nil
	}
	p.Journals = filepath.Join(w.Folder, "truth", x.Task.String()+"-"+name)
	if err := makeFolder(p.Journals); err != nil {
		return train.Data{}, err
	}
	p.Progress = func(stage string, t truth.Progress) { w.report("distances for "+stage, t.Done, t.Total) }
	learn, check := x.Split(p.Seed)
	d, err := p.Prepare(ctx, learn, check)
	if err == nil {
		w.data[name] = d
	}
	return d, err
}

// evaluate fits a system and evaluates it on all sets of pairs of the collection.
func (w *worker) evaluate(ctx context.Context, j job) (*outcome, error) {
	x, err := w.open(j.Exam)
	if err != nil {
		return nil, err
	}
	s, err := newSystem(x, j)
	if err != nil {
		return nil, err
	}
	out := &outcome{Title: s.Info().Title, RanksOnly: s.Info().RanksOnly, Indexable: s.Info().Indexable, Sets: make(map[string]evaluated)}
	opt := baseline.Options{
		Seed: w.Scale.Seed, Steps: w.Scale.Baseline, Validations: w.Scale.Validations, Workers: 1, Clock: bench.ProcessorTime,
		Progress: func(p baseline.Progress) { w.report(p.Stage, p.Done, p.Total) },
	}
	if s.Info().Learns {
		data, err := w.truth(ctx, x, j)
		if err != nil {
			return nil, err
		}
		if err := makeFolder(w.unfinished(j)); err != nil {
			return nil, err
		}
		if o, ok := s.(*ours); ok {
			opt.Steps = w.Scale.Steps
			o.workers, o.recipe.Folder = w.Workers, w.unfinished(j)
		} else {
			opt.Checkpoint = filepath.Join(w.unfinished(j), "checkpoint.safetensors")
		}
		if err := s.Fit(ctx, data, opt); err != nil {
			return nil, err
		}
		out.Learnt = learnt(data)
		out.Parameters, out.Steps, out.Trained = s.Parameters(), s.Fitted().Steps, s.Fitted().Time.Seconds()
		if err := w.keepModel(j, s, out); err != nil {
			return nil, err
		}
	}
	list, err := w.sets(x)
	if err != nil {
		return nil, err
	}
	for _, set := range list {
		if err := w.solve(ctx, set.exam, set.ExamSet); err != nil {
			return nil, err
		}
		in := *set.Input
		if s.Info().Searches && len(in.Pairs) > w.Scale.SlowPairs {
			in.Pairs = in.Pairs[:w.Scale.SlowPairs]
		}
		r, err := baseline.Run(ctx, s, train.Data{}, []eval.Input{in}, opt)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set.name, err)
		}
		got := r.Sets[0]
		out.Sets[set.name] = evaluated{got.Report, published.RangeF1(got.Input), in.Hash(), got.Work.Graphs, got.Work.Embed.Seconds(), got.Work.Score.Seconds()}
	}
	return out, nil
}

// learnt counts the pairs to learn from: of a block of graphs with themselves, each once.
func learnt(data train.Data) int {
	n := 0
	for _, b := range data.Train {
		if len(b.Queries) > 0 && &b.Queries[0] == &b.Targets[0] {
			n += len(b.Queries) * (len(b.Queries) - 1) / 2
		} else {
			n += b.Pairs()
		}
	}
	return n
}

// evalSet is a set of an exam under the name that outcomes have it by.
type evalSet struct {
	*bench.ExamSet
	exam *bench.Exam
	name string
}

// groupSet is the set of functional groups, which the model of AIDS predicts.
const groupSet = "groups"

// sets returns the sets that systems are evaluated on.
func (w *worker) sets(x *bench.Exam) ([]evalSet, error) {
	var list []evalSet
	for _, s := range x.Sets {
		list = append(list, evalSet{s, x, s.Name})
	}
	if x.Name != "sed/aids" {
		return list, nil
	}
	groups, err := bench.OpenExam("sed/groups", w.Data, w.Splits, w.Scale.share(x.Name))
	if err != nil {
		return nil, err
	}
	return append(list, evalSet{groups.Set(bench.Ranking), groups, groupSet}), nil
}

// solve computes the distances that a set is evaluated against.
func (w *worker) solve(ctx context.Context, x *bench.Exam, set *bench.ExamSet) error {
	folder := w.folder("truth", w.Scale.Name)
	if err := makeFolder(folder); err != nil {
		return err
	}
	return x.Solve(ctx, set, folder, w.Workers, func(p truth.Progress) {
		w.report("distances of "+set.Name, p.Done, p.Total)
	})
}

// estimator says how long is left: jobs take as many times their estimate as those before
// them in this run did. Outcomes of other runs may be of other machines.
type estimator struct {
	begin          time.Time
	jobs           []float64 // estimates
	left           float64   // of those that are not done
	planned, spent float64   // of those that this run did
	now            float64   // of the one that is being done
	since          time.Time
}

// start begins with the next job.
func (e *estimator) start(i int) { e.now, e.since = e.jobs[i], time.Now() }

// finish ends it.
func (e *estimator) finish(out *outcome) {
	e.left -= e.now
	if out.Failed == "" {
		e.planned += e.now
		e.spent += out.Seconds
	}
	e.now = 0
}

func (e *estimator) times() (elapsed, left time.Duration) {
	// A few jobs say little of the rest.
	factor := (e.spent + 60) / (e.planned + 60)
	current := 0.0
	if e.now > 0 {
		current = min(e.now*factor, time.Since(e.since).Seconds())
	}
	return time.Since(e.begin), seconds(max(0, e.left*factor-current))
}
