package operation

import (
	"cmp"
	"math/rand/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// Eval asks how good predictions are, by ground truth.
type Eval struct {
	Task      string `json:"task,omitempty" placeholder:"TASK" doc:"${eval_task}"`
	Random    int    `json:"random,omitempty" minimum:"1" placeholder:"N" doc:"${eval_random}"`
	Draw      int    `json:"draw,omitempty" default:"2000" placeholder:"N" doc:"${eval_draw}"`
	Part      string `json:"part,omitempty" default:"test" doc:"Which part of a split"`
	TimeLimit string `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"${eval_time_limit}"`
	States    int64  `json:"states,omitempty" minimum:"1" placeholder:"N" doc:"${eval_states}"`
	Seed      uint64 `json:"seed,omitempty" default:"7" placeholder:"N" doc:"Random seed"`

	Drawing
	Hops     int `json:"hops,omitempty" minimum:"0" placeholder:"N" doc:"${eval_hops}"`
	MaxNodes int `json:"max_nodes,omitempty" default:"1000" placeholder:"N" doc:"${eval_max_nodes}"`
	Priced
}

// Resolve returns the distance that m, or another program if that is nil, predicts, or an
// [Error] that names a field.
func (r *Eval) Resolve(m *model.Model) (of Measure, err error) {
	if m != nil {
		switch {
		case r.Task != "":
			return of, wrong("task", "a model brings its own task and costs")
		case r.Priced.Given():
			return of, wrong("costs", "a model brings its own task and costs")
		}
		return Measure{Task: m.Metadata().Task, Costs: m.Metadata().Costs}, nil
	}
	if of.Task, err = Learnable(r.Task); err != nil {
		return of, err
	}
	of.Costs, err = r.Or(edit.Uniform())
	return of, err
}

// Bounder returns what computes the ground truth of a distance, or an [Error] that names a
// field.
func (r *Eval) Bounder(of Measure) (truth.Bounder, error) {
	b := truth.Bounder{Task: of.Task, Costs: of.Costs, Limits: ged.Options{States: r.States}}
	if r.States > 0 {
		return b, nil
	}
	var err error
	b.Limits.Time, err = (&Timed{r.TimeLimit}).Limit(greed.DefaultCheckedTime, Limits{})
	return b, err
}

// Pairs returns the pairs to judge by; apart says that queries and targets were given
// separately.
func (r *Eval) Pairs(rng *rand.Rand, queries, targets int, apart bool) []truth.Pair {
	const usual = 10_000
	switch {
	case r.Random > 0:
		return truth.RandomPairs(rng, queries, targets, r.Random)
	case !apart:
		return truth.RandomPairs(rng, queries, targets, usual)
	}
	return truth.AllPairs(queries, targets)
}

// Queries draws queries from targets, as for the training of m, if that is not nil.
func (r *Eval) Queries(rng *rand.Rand, targets []*graph.Graph, m *model.Model) ([]*graph.Graph, error) {
	usual := sample.BFS{Depth: 5, Keep: 0.8}
	if m != nil && m.Metadata().Training.QueryDepth > 0 {
		usual = sample.BFS{Depth: m.Metadata().Training.QueryDepth, Keep: m.Metadata().Training.QueryKeep}
	}
	sampler, limits, err := r.Sampler(usual)
	if err != nil {
		return nil, err
	}
	drawn, err := sample.Queries(rng, sample.Rooted(targets), sampler, limits, r.Draw)
	var queries []*graph.Graph
	for _, q := range drawn {
		queries = append(queries, q.Graph)
	}
	return queries, err
}

// Neighbourhoods returns those that stand for a large graph: of the size that m, if that is
// not nil, has learnt.
func (r *Eval) Neighbourhoods(m *model.Model) (train.Neighbourhoods, error) {
	hops := train.DefaultNeighbourhoods().Hops
	if m != nil {
		hops = cmp.Or(m.Metadata().Training.Hops, hops)
	}
	f := Neighbourhoods{Hops: cmp.Or(r.Hops, hops), MaxNodes: r.MaxNodes}
	return f.Settings()
}
