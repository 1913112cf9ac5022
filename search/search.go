// Package search answers: which graphs of a collection are nearest to a query
// graph, or contain it most nearly. Vectors of a model find candidates, the
// exact solver checks them, and the edits explain them; without a model,
// provable lower bounds and the solver answer alone.
package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/index"
	"github.com/greedgraph/greed/model"
)

// ErrCosts is wrapped where a search asks for other costs than its model was
// trained for.
var ErrCosts = errors.New("other costs than the model's")

// Options say what to search for.
type Options struct {
	Task edit.Task
	// K is how many answers are wanted; 0 asks for all within Radius.
	K      int
	Radius float64
	// Costs are those to search with: nil means the model's or, without a
	// model, unit costs. With a model they must be the model's.
	Costs *edit.Costs
	// Unchecked leaves out the exact check: answers carry predictions, or,
	// without a model, nothing can be answered.
	Unchecked bool
	// Certify looks at every graph that bounds do not exclude, so that the
	// answers are proven unless the time is too short. Without a model that is
	// always so.
	Certify bool
	// Solver ignores the model: bounds and the solver alone.
	Solver bool
	// Keep limits the search to the graphs at positions for which it is true,
	// before the nearest are counted; nil keeps all. It may be called in any
	// order and by several goroutines, and must not search or change the
	// collection.
	Keep func(position int) bool
	// Filters limit the search to the graphs that pass all of them.
	Filters []Filter
	Time    time.Duration // for the exact check; 0: none
	Memory  int64         // bytes that the solver may hold for a pair; 0: 1 GiB
	Workers int           // 0: one per core
	// Progress, if not nil, is told of every pair solved, one at a time. It must
	// not block.
	Progress func(Progress)
}

// Progress tells how far an exact check is.
type Progress struct {
	Candidates int    // that may be answers
	Solved     int    // pairs solved
	ID         string // of the graph just solved
	Answer     Answer // what is known of it
}

// Answer is one graph found.
type Answer struct {
	Position  int      // in the collection
	Predicted *float64 // nil without a model
	// What is known of the distance, and the node map that attains Upper; the
	// map is nil for an answer that was not checked.
	Lower, Upper float64
	Exact        bool
	Map          edit.NodeMap
}

// Distance returns the best guess of the distance: exact where that is known,
// otherwise the prediction moved into the bounds, otherwise the upper bound.
func (a *Answer) Distance() float64 {
	if a.Predicted == nil {
		return a.Upper
	}
	return math.Min(math.Max(*a.Predicted, a.Lower), a.Upper)
}

// Result is what a search found.
type Result struct {
	Answers  []Answer // nearest first
	Model    bool     // found by a model's vectors
	Costs    edit.Costs
	Pricing  *edit.Pricing
	Warnings []string
	Solved   int // pairs given to the solver
	// Certified tells that the answers are proven: no other graph of the
	// collection is nearer, or within the radius. Open lists the candidates
	// that keep them from being so, as far as they were looked at.
	Certified bool
	Open      []Answer

	Embed, Scan, Check time.Duration
}

// Search finds the graphs nearest to q, which shares the collection's
// vocabulary. When the context ends it returns its error.
func (c *Collection) Search(ctx context.Context, q *graph.Graph, opt Options) (*Result, error) {
	if q.Vocabulary() != c.vocab {
		panic("search: query and collection of different vocabularies")
	}
	if opt.K < 0 || opt.K == 0 && !(opt.Radius >= 0) {
		return nil, fmt.Errorf("search: ask for at least one answer or for a radius of at least 0, not k = %d and radius %v", opt.K, opt.Radius)
	}
	opt.Keep = c.keep(opt)
	e, modelled := c.engines[opt.Task]
	modelled = modelled && !opt.Solver
	costs, err := chooseCosts(e.model, modelled, opt.Costs)
	if err != nil {
		return nil, err
	}
	if !modelled && opt.Unchecked {
		return nil, errors.New("search: no model fits this collection, so nothing can be predicted; train one with greed train, or leave the exact check on")
	}
	r := &Result{Costs: costs, Model: modelled}
	var priced []*graph.Graph
	if costs.Nodes != nil || costs.Edges != nil { // tables must have all labels
		priced = append(priced, q)
		w, err := c.witness()
		if err != nil {
			return nil, err
		}
		if w != nil {
			priced = append(priced, w)
		}
	}
	if r.Pricing, err = edit.Price(opt.Task, costs, priced...); err != nil {
		return nil, err
	}
	if modelled {
		return r, c.byModel(ctx, q, opt, e, r)
	}
	return r, c.bySolver(ctx, q, opt, r)
}

func chooseCosts(m *model.Model, modelled bool, asked *edit.Costs) (edit.Costs, error) {
	switch {
	case !modelled && asked == nil:
		return edit.Uniform(), nil
	case !modelled:
		return *asked, nil
	case asked != nil && !reflect.DeepEqual(*asked, m.Metadata().Costs):
		return edit.Costs{}, fmt.Errorf("search: %w: train a model for these costs with greed train, or search without a model", ErrCosts)
	}
	return m.Metadata().Costs, nil
}

// candidatesPer is how many candidates are checked for each answer wanted:
// the prediction orders graphs nearly, not exactly.
const candidatesPer = 20

// byModel takes candidates in the order of their predicted distance.
func (c *Collection) byModel(ctx context.Context, q *graph.Graph, opt Options, e engine, r *Result) error {
	r.Warnings = e.model.Warnings(q)
	begin := time.Now()
	z, err := e.model.Embed(ctx, []*graph.Graph{q}, 1)
	if err != nil {
		return err
	}
	r.Embed = time.Since(begin)
	begin = time.Now()
	var found []index.Result
	query := []index.Query{{Vector: z, Keep: opt.Keep}}
	switch {
	case opt.Certify && !opt.Unchecked:
		found, err = e.index.KNN(ctx, query, c.Positions())
	case opt.K == 0:
		// The model errs to both sides; what it puts a little beyond the
		// radius may lie within.
		slack := 0.0
		if !opt.Unchecked {
			slack = 4 * e.model.Metadata().Metrics[model.MetricRMSE]
		}
		found, err = e.index.Range(ctx, query, opt.Radius+slack)
	case opt.Unchecked:
		found, err = e.index.KNN(ctx, query, opt.K)
	default:
		found, err = e.index.KNN(ctx, query, candidatesPer*opt.K)
	}
	if err != nil {
		return err
	}
	r.Scan = time.Since(begin)
	hits := found[0].Hits
	answers := make([]Answer, len(hits))
	for i, h := range hits {
		d := h.Distance
		answers[i] = Answer{Position: h.Position, Predicted: &d, Upper: math.Inf(1)}
	}
	if opt.Unchecked {
		r.Answers = answers
		return nil
	}
	filter, sign := bound.NewFilter(r.Pricing), bound.Sign(q)
	for i := range answers {
		answers[i].Lower = filter.Lower(sign, c.signature(answers[i].Position))
	}
	return c.check(ctx, q, opt, answers, r)
}

// bySolver takes candidates in the order of a provable lower bound.
func (c *Collection) bySolver(ctx context.Context, q *graph.Graph, opt Options, r *Result) error {
	begin := time.Now()
	answers := make([]Answer, 0, c.Len())
	filter, sign := bound.NewFilter(r.Pricing), bound.Sign(q)
	for i := range c.Positions() {
		if opt.Keep == nil || opt.Keep(i) {
			answers = append(answers, Answer{Position: i, Lower: filter.Lower(sign, c.signature(i)), Upper: math.Inf(1)})
		}
	}
	sortBy(answers, func(a *Answer) float64 { return a.Lower })
	r.Scan = time.Since(begin)
	return c.check(ctx, q, opt, answers, r)
}

// check solves candidates in their order and leaves the best of them in r. A
// candidate whose lower bound shows that it cannot be an answer is passed over.
func (c *Collection) check(ctx context.Context, q *graph.Graph, opt Options, candidates []Answer, r *Result) error {
	begin := time.Now()
	ck := newChecker(r.Pricing, q, c, opt)
	if err := ck.run(ctx, candidates); err != nil {
		return err
	}
	r.Answers, r.Open = ck.best.pick(candidates)
	r.Certified = len(candidates) == c.kept(opt) && len(r.Open) == 0
	r.Solved = ck.solved
	r.Check = time.Since(begin)
	return nil
}

// keep returns which graphs a search is limited to, nil for all.
func (c *Collection) keep(opt Options) func(position int) bool {
	if c.deleted == 0 && len(opt.Filters) == 0 {
		return opt.Keep
	}
	return func(position int) bool {
		if c.Deleted(position) || opt.Keep != nil && !opt.Keep(position) {
			return false
		}
		if len(opt.Filters) == 0 {
			return true
		}
		about := c.About(position)
		for _, f := range opt.Filters {
			if !f.Match(&about) {
				return false
			}
		}
		return true
	}
}

// kept returns the number of graphs that a search is limited to.
func (c *Collection) kept(opt Options) int {
	if opt.Keep == nil {
		return c.Positions()
	}
	n := 0
	for i := range c.Positions() {
		if opt.Keep(i) {
			n++
		}
	}
	return n
}
