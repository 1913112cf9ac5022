package baseline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/method"
	"github.com/greedgraph/greed/lab/mip"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// ErrNothingLearnt is wrapped if a system that has learnt nothing is saved.
var ErrNothingLearnt = errors.New("nothing learnt")

func branchEntry() entry {
	return boundsEntry("branch", "BRANCH", "Blumenthal and Gamper 2018", "assignment of branches", false, func() (compute, error) {
		m, err := method.Find("branch")
		return m.Compute, err
	})
}

func mipEntry() entry {
	return boundsEntry("mip-f2", "MIP-F2", "Lerouge et al. 2017", "integer program, stopped after 0.1 s", true, func() (compute, error) {
		s, err := mip.Find("")
		return s.Compute, err
	})
}

// compute bounds one pair under given prices.
type compute func(context.Context, *edit.Pricing, *graph.Graph, *graph.Graph, ged.Options) (ged.Result, error)

// bounds predicts the middle of two bounds, as the paper does.
type bounds struct {
	info  Info
	task  edit.Task
	costs edit.Costs
	run   compute
}

func boundsEntry(name, title, paper, about string, searches bool, find func() (compute, error)) entry {
	info := Info{
		Name: name, Title: title, Paper: paper, About: about + "; the middle of its two bounds",
		Tasks: []edit.Task{edit.GED, edit.SED}, Searches: searches, Cached: "nothing",
	}
	return entry{info, func(task edit.Task, costs edit.Costs) (System, error) {
		run, err := find()
		if err != nil {
			return nil, fmt.Errorf("baseline: %s: %w", name, err)
		}
		if err := costs.Check(); err != nil {
			return nil, err
		}
		return &bounds{info, task, costs, run}, nil
	}}
}

func (b *bounds) Info() Info                                     { return b.info }
func (b *bounds) Fit(context.Context, train.Data, Options) error { return nil }
func (b *bounds) Parameters() int                                { return 0 }
func (b *bounds) Fitted() Fitted                                 { return Fitted{} }
func (b *bounds) Save(string) error {
	return fmt.Errorf("baseline: %s: %w", b.info.Name, ErrNothingLearnt)
}

// Distance implements [truth.Solver].
func (b *bounds) Distance(ctx context.Context, q, t *graph.Graph, opt ged.Options) (ged.Result, error) {
	p, err := edit.Price(b.task, b.costs, q, t)
	if err != nil {
		return ged.Result{}, err
	}
	return b.run(ctx, p, q, t, opt)
}

func (b *bounds) Predict(ctx context.Context, in *eval.Input, opt Options) (Work, error) {
	opt = opt.ready()
	pairs := slices.Clone(in.Pairs)
	for i, p := range pairs {
		pairs[i] = truth.NewPair(int(p.Query), int(p.Target))
	}
	begin := opt.Clock()
	bounder := truth.Bounder{
		Task: b.task, Costs: b.costs, Limits: ged.Options{Time: opt.Time}, Workers: opt.Workers, Method: b.info.Name,
		NewSolver: func(edit.Task, edit.Costs) (truth.Solver, error) { return b, nil },
		Progress: func(p truth.Progress) {
			opt.Progress(Progress{System: b.info.Name, Stage: "pairs", Done: p.Done, Total: p.Total})
		},
	}
	if err := bounder.BoundAll(ctx, in.Queries, in.Targets, pairs); err != nil {
		return Work{}, err
	}
	w := Work{Pairs: len(pairs), Score: opt.Clock() - begin}
	in.Predicted = make([]float64, len(pairs))
	for i, p := range pairs {
		in.Predicted[i] = (p.Lower + p.Upper) / 2
		if p.Exact() {
			w.Exact++
		}
	}
	return w, nil
}
