package greed

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/search/join"
	"github.com/greedgraph/greed/truth"
)

// Stages of [Near.Progress].
const (
	StageGraphs = "graphs"
	StagePairs  = "pairs"
)

// verdict says what the pairs are worth.
func (o OpenPairs) verdict() (Status, string) {
	if o == (OpenPairs{}) {
		return StatusProven, "proven: every pair within the radius was found, and every distance is exact"
	}
	var parts []string
	if o.Graphs > 0 {
		parts = append(parts, counted(o.Graphs, "graph")+" not searched for")
	}
	if o.Pairs > 0 {
		parts = append(parts, "at most "+counted(o.Pairs, "more pair")+" of the others within the radius")
	}
	if o.Inexact > 0 {
		parts = append(parts, counted(o.Inexact, "distance")+" between two bounds")
	}
	return StatusOpen, "open: stopped before all was proven; " + strings.Join(parts, ", ")
}

// nearness is near pairs that are looked for, in the states that it holds.
type nearness struct {
	of, in *live.State
	self   bool // both are the same
	task   Task
	costs  edit.Costs
	end    time.Time // zero: never
	opt    *Near
	pairs  []truth.Pair // within the radius
	out    Nearby
	began  time.Time
}

// Fits returns an error that wraps [ErrRules] unless graphs of a collection may be compared with
// those of the other one.
func (n *Near) Fits(of *Collection) error {
	if n.Other == nil {
		return nil
	}
	first, _ := of.Rules()
	second, _ := n.Other.Rules()
	for _, label := range [][2]string{{first.NodeLabel, second.NodeLabel}, {first.EdgeLabel, second.EdgeLabel}} {
		// An attribute may have two names. The parts of a label have an order.
		if a, b := label[0], label[1]; a != b && strings.Contains(a, ",") && strings.Contains(b, ",") {
			return fmt.Errorf("%w: labels of the first are %s, those of the second %s", ErrRules, a, b)
		}
	}
	for name, width := range first.Bin {
		if other, both := second.Bin[name]; both && other != width {
			return fmt.Errorf("%w: bins of %s are %g wide in the first, %g in the second", ErrRules, name, width, other)
		}
	}
	a, _ := first.Compared()
	b, _ := second.Compared()
	if slices.Equal(a, b) {
		return nil
	}
	say := func(list []string) string { return cmp.Or(strings.Join(list, ", "), "nothing") }
	return fmt.Errorf("%w: besides elements and bonds the first compares %s, the second %s", ErrRules, say(a), say(b))
}

// near holds the states of a collection, and of the other one, until close.
func (c *Collection) near(task Task, k int, opt *Near) (*nearness, error) {
	if k < 0 {
		return nil, fmt.Errorf("pairs: K is %d: want at least 1, or 0 for all", k)
	}
	if !search.FiniteRadius(opt.Radius) || opt.Time < 0 || opt.Workers < 0 {
		return nil, fmt.Errorf("pairs: the radius is %v, the time %v, the workers %d: none can be below 0, nor the "+
			"radius "+
			"infinite", opt.Radius, opt.Time, opt.Workers)
	}
	if err := opt.Fits(c); err != nil {
		return nil, err
	}
	n := &nearness{of: c.live.Acquire(), out: Nearby{Notes: c.notes}, self: opt.Other == nil, task: task, opt: opt,
		costs: edit.Uniform(), began: time.Now()}
	if n.in = n.of; !n.self {
		n.in = opt.Other.live.Acquire()
		n.out.Notes = dataset.Merge(c.notes, opt.Other.notes)
	}
	if opt.Costs != nil {
		n.costs = *opt.Costs
	} else if m := n.in.Model(task); m != nil {
		n.costs = m.Metadata().Costs
	}
	if opt.Time > 0 && opt.Time != NoLimit {
		n.end = time.Now().Add(opt.Time)
	}
	if err := cmp.Or(n.of.Whole(), n.in.Whole(), n.of.Rules.CheckCosts(n.costs),
		n.in.Rules.CheckCosts(n.costs)); err != nil {
		n.close()
		return nil, err
	}
	return n, nil
}

func (n *nearness) close() {
	_ = n.of.Release()
	if !n.self {
		_ = n.in.Release()
	}
}

// read runs what uses the states.
func (n *nearness) read(do func() error) error {
	return n.of.Read(func() error {
		if n.self {
			return do()
		}
		return n.in.Read(do)
	})
}

// answered returns what is known, of a question that begins with what is wanted.
func (n *nearness) answered(wanted string, k int) Nearby {
	of := n.of
	if !n.in.Molecules() {
		of = n.in
	}
	limit := cmp.Or(n.opt.Time, NoLimit)
	q := newQuestion(n.task, n.costs, n.opt.Filters, limitText(limit), of, false, unreadIn(n.of).Or(unreadIn(n.in)))
	q.State = n.of.Tag()
	q.Text = fmt.Sprintf("%s; %s", wanted, q.Terms())
	out := n.out
	out.Question, out.K, out.Costs, out.Seconds = q, k, n.costs, time.Since(n.began).Seconds()
	return out
}

// chosen returns the positions of the graphs of a state that pass the filters.
func (n *nearness) chosen(ctx context.Context, of *live.State) (positions []int, err error) {
	if err := of.CheckFilters(n.opt.Filters); err != nil {
		return nil, err
	}
	for p := range of.Live() {
		if !of.Passes(p, n.opt.Filters) {
			continue
		}
		if positions = append(positions, p); len(positions)%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return positions, nil
}

// find looks for the pairs.
func (n *nearness) find(ctx context.Context) error {
	queries, err := n.chosen(ctx, n.of)
	if err != nil {
		return err
	}
	n.out.Graphs = len(queries)
	targets := queries
	if !n.self {
		if targets, err = n.chosen(ctx, n.in); err != nil {
			return err
		}
		n.out.Others = len(targets)
	}
	todo := make([]int, len(queries)) // of queries
	for i := range todo {
		todo[i] = i
	}
	s := join.Search{
		Query: func(i int) int { return queries[todo[i]] }, Of: n.of.Collection, In: n.in.Collection, Self: n.self,
		Task: n.task, Costs: n.costs, Radius: n.opt.Radius, Memory: n.opt.Memory, Workers: n.opt.Workers,
	}
	if len(n.opt.Filters) > 0 {
		s.Accept = func(p int) bool {
			_, is := slices.BinarySearch(targets, p)
			return is
		}
	}
	if !n.end.IsZero() {
		s.Time = func(i int) time.Duration { return n.share(len(todo) - i) }
	}
	known := make([][]truth.Pair, len(queries)) // nil: not searched for
	total := 0
	for done := 0; err == nil && len(todo) > 0; {
		begin, left := time.Now(), time.Until(n.end)
		s.Queries = len(todo)
		err = s.Run(ctx, func(i int, found []truth.Pair) error {
			at := todo[i]
			total -= n.within(known[at])
			known[at] = refined(known[at], found)
			if total += n.within(known[at]); n.opt.Most > 0 && total > n.opt.Most {
				return fmt.Errorf("%w: more than %d; ask for a smaller radius, or for fewer graphs by a filter",
					ErrPairs, n.opt.Most)
			}
			if done++; done <= len(queries) && n.opt.Progress != nil {
				n.opt.Progress(StageGraphs, done, len(queries))
			}
			return n.read(func() error { return nil }) // graphs that were lost are empty
		})
		todo = slices.DeleteFunc(todo, func(at int) bool {
			return known[at] != nil && !slices.ContainsFunc(known[at], func(p truth.Pair) bool { return !p.Exact() })
		})
		// what is open does not lack time, or there is none
		if n.end.IsZero() || left <= 0 || time.Since(begin) < left/mostShares {
			break
		}
	}
	open := &n.out.Open
	for i, found := range known {
		known[i] = nil // not to hold all pairs twice
		if found == nil {
			open.Graphs++
		}
		for _, p := range found {
			switch {
			case p.Upper > edit.Within(n.opt.Radius):
				open.Pairs++
				continue
			case !p.Exact():
				open.Inexact++
			}
			n.pairs = append(n.pairs, p)
		}
	}
	n.out.Status, n.out.Verdict = open.verdict()
	return err
}

// within returns how many of the pairs are known to be within the radius.
func (n *nearness) within(pairs []truth.Pair) (count int) {
	for _, p := range pairs {
		if p.Upper <= edit.Within(n.opt.Radius) {
			count++
		}
	}
	return count
}

// refined returns what two searches for the pairs of a graph, which each left out those that are too far apart, say
// together.
func refined(was, is []truth.Pair) []truth.Pair {
	if was == nil {
		return is
	} else if is == nil {
		return was
	}
	kept := []truth.Pair{}
	for _, p := range is {
		i, ok := slices.BinarySearchFunc(was, p, func(a, b truth.Pair) int { return cmp.Compare(a.Target, b.Target) })
		if !ok {
			continue
		}
		p.Upper = min(p.Upper, was[i].Upper)
		p.Lower = min(max(p.Lower, was[i].Lower), p.Upper)
		kept = append(kept, p)
	}
	return kept
}

// share returns the time of a graph where so many are left: an eighth of all that is left, so
// that a hard one is given time and cannot take that of the others, and not less than its part.
// Those that are open at the end are searched for again in the time left.
func (n *nearness) share(left int) time.Duration {
	return time.Until(n.end) / time.Duration(min(left, mostShares))
}

const mostShares = 8
