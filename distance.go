package greed

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
	"github.com/greedgraph/greed/truth"
)

// Decided reports whether the comparison answers the request: whether the distance is exact or, if a
// limit was given, known to be within it or beyond it.
func (c *Comparison) Decided() bool {
	if c.Within != "" {
		return c.Within != unknown
	}
	return c.Exact
}

const unknown = "unknown"

// ErrEdits is wrapped if edits take more memory than a caller affords.
var ErrEdits = errors.New("the edits of graphs of this size take more memory than a request may have; ask for the " +
	"distance alone")

// Distance computes the distance from q to t: exactly, or within bounds if time
// or memory end first, with the edits. If the context ends before the distance is exact,
// Distance returns the context's error together with the bounds found so far. Other errors
// wrap [ErrNoGraph], [ErrDirection], [edit.ErrCosts] or [ged.ErrFixed], or name a limit below 0.
func Distance(ctx context.Context, task Task, q, t *Graph, opt DistanceOptions) (Comparison, error) {
	opt.Explain = true
	s, err := NewComparer(task, opt)
	if err != nil {
		return Comparison{}, err
	}
	c, err := s.Compare(ctx, &Record{Graph: q}, &Record{Graph: t})
	if c == nil {
		c = new(Comparison)
	} else if err == nil && !c.Exact {
		err = ctx.Err()
	}
	return *c, err
}

// Comparer computes distances, one after the other, and reuses its memory. It belongs to one
// goroutine.
type Comparer struct {
	task   Task
	opt    DistanceOptions
	costs  edit.Costs
	limits ged.Options
	solver truth.Solver // with Matrices, every pair has its own
}

// NewComparer returns a comparer. Of maximum common subgraphs it knows the bounds alone. The error wraps
// [edit.ErrCosts], or names a limit below 0.
func NewComparer(task Task, opt DistanceOptions) (*Comparer, error) {
	switch {
	case opt.Time < 0:
		return nil, fmt.Errorf("distance: the time is %v: give a time above 0, or NoLimit", opt.Time)
	case opt.Memory < 0:
		return nil, fmt.Errorf("distance: the memory is %d bytes: give a number above 0, or 0 for 1 GiB", opt.Memory)
	}
	c := &Comparer{task: task, costs: edit.Uniform()}
	if opt.Costs != nil {
		c.costs = *opt.Costs
	}
	if err := opt.Rules.CheckCosts(c.costs); err != nil {
		return nil, err
	}
	if opt.Matrices == nil {
		var err error
		if c.solver, err = truth.NewSolver(task, c.costs); err != nil {
			return nil, err
		}
	}
	return c.With(opt), nil
}

// With returns a comparer with other options, but for the costs, that shares the memory of this one.
func (c Comparer) With(opt DistanceOptions) *Comparer {
	c.Set(opt)
	return &c
}

// Set sets the options, but for the costs.
func (c *Comparer) Set(opt DistanceOptions) {
	c.opt, c.limits = opt, ged.Options{Time: cmp.Or(opt.Time, DefaultTime), Memory: opt.Memory, Fixed: opt.Fixed}
	if opt.Time == NoLimit {
		c.limits.Time = 0
	}
}

// Bounds computes bounds of a distance with their node map. Pairs given in advance that the costs rule
// out are an error that wraps [ged.ErrFixed]. If the context ends, there are bounds, too.
func (c *Comparer) Bounds(ctx context.Context, q, t *Graph) (ged.Result, error) {
	return c.solve(ctx, c.solver, q, t)
}

func (c *Comparer) solve(ctx context.Context, s truth.Solver, q, t *Graph) (ged.Result, error) {
	if decides, ok := s.(*ged.Solver); ok && c.opt.Within != nil {
		return decides.Within(ctx, q, t, *c.opt.Within, c.limits)
	}
	return s.Distance(ctx, q, t, c.limits)
}

// Decision says whether a distance is within the limit of the options: yes, no or unknown. It is
// empty if there is none.
func (c *Comparer) Decision(r ged.Result) string {
	if c.opt.Within == nil {
		return ""
	}
	switch within, known := r.Within(*c.opt.Within); {
	case !known:
		return unknown
	case within:
		return "yes"
	}
	return "no"
}

// Compare computes the distance from a query to a target. If the context ends first, there are bounds,
// which is no error. Errors wrap [ErrNoGraph], [ErrConditions], [ErrDirection], [edit.ErrCosts], [ged.ErrFixed] or
// [ErrEdits].
func (c *Comparer) Compare(ctx context.Context, query, target *Record) (*Comparison, error) {
	p, err := c.price(query, target)
	if err != nil {
		return nil, err
	}
	r, err := c.solve(ctx, p.solver, p.a, p.b)
	if err != nil {
		return nil, err
	}
	out := &Comparison{
		Task: c.task, Query: query.ID, Target: target.ID, Costs: NamedCosts(c.costs), Fixed: c.opt.Fixed,
		Lower: r.Lower, Upper: r.Upper, Exact: r.Exact, Stopped: r.Stopped, Within: c.Decision(r),
		Map: r.Map, Common: mcs.CommonOf(p.q, p.t, r.Map), NotCompared: notCompared(c.opt.Rules, c.costs, query,
			target),
		Notes: dataset.Merge(query.Notes, target.Notes), QueryNodes: query.NodeIDs, TargetNodes: target.NodeIDs,
		Seconds: r.Elapsed.Seconds(),
	}
	if s, ok := p.solver.(*ged.Solver); ok && c.opt.Maps > 0 && out.Exact {
		var all bool
		if out.Maps, all, err = OptimalMaps(ctx, s, p.a, p.b, r.Upper, c.limits, c.opt.Maps); err != nil {
			return nil, err
		}
		out.MoreMaps = !all
	}
	if c.opt.Explain && c.task != edit.MCS {
		err = c.explain(out, p, query, target)
	}
	return out, err
}

// Explain adds to a comparison, of which the map is known, what follows from it: edits, transformations,
// what the graphs have in common, and the graphs. It returns the errors of [Comparer.Compare].
func (c *Comparer) Explain(out *Comparison, query, target *Record) error {
	p, err := c.price(query, target)
	if err != nil {
		return err
	}
	out.Common = mcs.CommonOf(p.q, p.t, out.Map)
	if c.task == edit.MCS {
		out.Transformations = transform.Of(query.SMILES, p.q, target.SMILES, p.t, out.Map)
		return nil
	}
	return c.explain(out, p, query, target)
}

// pricedPair is two graphs in one vocabulary, with what computes their distance: with costs by element, of
// graphs a and b that are labelled by it.
type pricedPair struct {
	q, t, a, b *Graph
	costs      edit.Costs
	solver     truth.Solver
}

func (c *Comparer) price(query, target *Record) (p pricedPair, err error) {
	if p.q, p.t, err = together(query, target); err != nil {
		return p, err
	}
	p.a, p.b, p.costs, p.solver = p.q, p.t, c.costs, c.solver
	if c.opt.Matrices == nil {
		return p, nil
	}
	if p.a, p.b, p.costs, err = c.opt.Matrices.Label(p.q, p.t, p.costs); err == nil {
		p.solver, err = truth.NewSolver(c.task, p.costs)
	}
	return p, err
}

func (c *Comparer) explain(out *Comparison, p pricedPair, query, target *Record) error {
	if c.opt.Affords != nil && !c.opt.Affords(p.q.N()+p.q.M()+p.t.N()+p.t.M()) {
		return ErrEdits
	}
	prices, err := edit.Price(c.task, p.costs, p.a, p.b)
	if err != nil {
		return err
	}
	path := edit.Edits(prices, p.a, p.b, out.Map)
	if c.opt.Matrices != nil {
		path = c.opt.Matrices.WithLabels(path, p.q, p.t)
	}
	out.Edits = append([]edit.Operation{}, edit.WithNames(path, query.NodeNames(), target.NodeNames(),
		p.q.Directed())...)
	out.Transformations = transform.Of(query.SMILES, p.q, target.SMILES, p.t, out.Map)
	if out.QueryGraph, err = numbered(query); err == nil {
		out.TargetGraph, err = numbered(target)
	}
	return err
}

// numbered returns a record as node-link JSON. Nodes have their positions as ids, which
// node maps and edits refer to; their names are apart.
func numbered(rec *Record) (*dataset.NodeLink, error) {
	n, err := dataset.NumberedNodeLink(*rec)
	return &n, err
}

// together returns two graphs in one vocabulary. The error wraps [ErrNoGraph], [ErrConditions] or [ErrDirection].
func together(query, target *Record) (q, t *Graph, err error) {
	q, t = query.Graph, target.Graph
	switch {
	case q == nil || t == nil:
		return nil, nil, fmt.Errorf("distance: %w", ErrNoGraph)
	case query.Unread.Asks:
		return nil, nil, fmt.Errorf("%s: %w", nameOf(query), ErrConditions)
	case target.Unread.Asks:
		return nil, nil, fmt.Errorf("%s: %w", nameOf(target), ErrConditions)
	case q.Directed() == t.Directed():
	case query.ID == target.ID:
		return nil, nil, &directionError{"one graph is directed and the other is not"}
	case q.Directed():
		return nil, nil, &directionError{fmt.Sprintf("graph %s is directed and graph %s is not", query.ID, target.ID)}
	default:
		return nil, nil, &directionError{fmt.Sprintf("graph %s is directed and graph %s is not", target.ID, query.ID)}
	}
	if graph.Common(q.Vocabulary(), t.Vocabulary()) == nil {
		vocab := graph.NewVocabulary()
		q, t = graph.In(vocab, q), graph.In(vocab, t)
	}
	return q, t, nil
}

// nameOf is what an error calls a record.
func nameOf(rec *Record) string {
	if name := cmp.Or(rec.ID, rec.Name); name != "" {
		return "graph " + name
	}
	return "a graph"
}

// directionError wraps [ErrDirection] and says of which graphs.
type directionError struct{ text string }

func (e *directionError) Error() string { return e.text + ": they have no distance" }

func (e *directionError) Unwrap() error { return ErrDirection }

// notCompared returns what is not compared of two graphs that were read by these rules.
func notCompared(rules dataset.Rules, costs edit.Costs, q, t *Record) []string {
	_, not := Compared(rules, q.SMILES != "" && t.SMILES != "", costs, q, t)
	return not
}
