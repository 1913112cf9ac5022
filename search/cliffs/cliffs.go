// Package cliffs relates near pairs of graphs to an attribute: pairs that are near in
// structure and far apart in the attribute (activity cliffs), the mean effect of exchanging
// one fragment for another, and graphs that occur twice.
package cliffs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/ordered"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/truth"
)

// Job is pairs of graphs and the attribute that they are compared by.
type Job struct {
	Queries *search.Collection
	Targets *search.Collection // nil: the queries
	// Pairs are near ones, with upper bounds. Within one collection two graphs are compared
	// once, at the least distance that is given either way.
	Pairs []truth.Pair
	// Matches are pairs that exchange one fragment, by the positions of their graphs, in place of Pairs: see
	// [transform.Matcher].
	Matches []transform.Match
	// Attribute names a number; "" compares by none.
	Attribute string
	// Environment is how far around its places of attachment a transformation is told apart from others, see
	// [transform.Transformation.Environment]; 0: not at all.
	Environment int
	Costs       edit.Costs
	// End is when no more pairs are compared; zero: when all are.
	End     time.Time
	Memory  int64 // of the solver for a pair; 0 means 1 GiB
	Workers int   // 0 means one per core
	// Progress, if not nil, is called with the number of pairs that are done.
	Progress func(done int)
}

// NearPair is two graphs that are near.
type NearPair struct {
	Query  string `json:"query"`
	Target string `json:"target"`
	// QuerySMILES and TargetSMILES are there of molecules.
	QuerySMILES  string  `json:"query_smiles,omitempty"`
	TargetSMILES string  `json:"target_smiles,omitempty"`
	Lower        float64 `json:"lower"`
	Upper        float64 `json:"upper"`
	// Old and New are the values of the attribute, nil where there is none, and Change is
	// their difference, nil where nothing is known of it. Where a relation is > or <, the value is above or below the
	// number. Within one collection a pair stands so that Change is not negative.
	Old            *float64 `json:"old,omitempty" doc:"The value of the query"`
	OldRelation    string   `json:"old_relation,omitempty" enum:">,<" doc:"${near_pair_old_relation}"`
	New            *float64 `json:"new,omitempty" doc:"The value of the target"`
	NewRelation    string   `json:"new_relation,omitempty" enum:">,<" doc:"The same of new"`
	Change         *float64 `json:"change,omitempty" doc:"The difference of both"`
	ChangeRelation string   `json:"change_relation,omitempty" enum:">,<" doc:"The same of change"`
	// Transformations turn a molecule into the other.
	Transformations []transform.Transformation `json:"transformations,omitempty"`

	// At are the positions of the query and of the target.
	At [2]int `json:"-"`

	change *value
}

// Effect is a transformation that occurs in pairs which differ by it alone.
type Effect struct {
	Text string `json:"text"`
	From string `json:"from"`
	To   string `json:"to"`
	// Environment is what is around the places of attachment, which tells effects apart.
	Environment []string `json:"environment,omitempty" doc:"${effect_environment}"`
	// Pairs counts them, Known those of which both values are numbers, and Censored those of which a value is a bound.
	Pairs    int `json:"pairs"`
	Known    int `json:"known" doc:"Pairs in which both values are numbers"`
	Censored int `json:"censored,omitempty" doc:"Pairs in which a value is a bound, such as >10000"`
	// AtLeast and AtMost bound the mean change of known and censored pairs together, nil where there is no bound.
	AtLeast *float64 `json:"at_least,omitempty" doc:"${effect_at_least}"`
	AtMost  *float64 `json:"at_most,omitempty" doc:"An upper bound of it"`
	// Mean is the mean change of the attribute from From to To in the known pairs. Of two pairs or more, Error is the
	// standard error of the mean, and Low and High are the ends of its confidence interval of 95 % by Student's t, as
	// if pairs were independent. Up and Down count the pairs in which the attribute rises and falls for certain, known
	// or censored.
	Mean  *float64 `json:"mean,omitempty" doc:"The mean change of the attribute"`
	Error *float64 `json:"error,omitempty" doc:"The standard error of the mean, as if pairs were independent"`
	Low   *float64 `json:"low,omitempty" doc:"${effect_low}"`
	High  *float64 `json:"high,omitempty" doc:"The upper end of this interval"`
	Up    int      `json:"up"`
	Down  int      `json:"down"`

	mean, squares float64
	low, high     float64 // sums of the bounds of all changes, infinite where one has none
}

// String says the transformation in words and as SMIRKS.
func (e *Effect) String() string {
	return transform.Transformation{Text: e.Text, From: e.From, To: e.To}.String()
}

// Findings are what the pairs of a [Job] mean.
type Findings struct {
	// Pairs are all that differ, those of the greatest change first, then the nearest.
	Pairs []NearPair `json:"pairs"`
	// Effects are sorted by the number of pairs with known values, then with bounds, then of pairs.
	Effects []Effect `json:"transformations"`
	// Duplicates are the pairs at distance 0, those of the greatest change first.
	Duplicates  []NearPair `json:"duplicates"`
	Left        int        `json:"-"` // matches that were not compared in time
	Unexplained int        `json:"unexplained,omitempty" doc:"${findings_unexplained}"`
}

// ErrGiven is wrapped if a pair names no graph or has no upper bound, or if two molecules
// are not as far apart as it says.
var ErrGiven = errors.New("unusable pairs")

// Run compares the pairs. The error wraps [search.ErrAttribute] if no graph has the attribute,
// or [ErrGiven], or is the context's.
func (j Job) Run(ctx context.Context) (*Findings, error) {
	if err := j.Check(); err != nil {
		return nil, err
	}
	targets := cmp.Or(j.Targets, j.Queries)
	missing := func(in *search.Collection, at int32) bool {
		return at < 0 || int(at) >= in.Positions() || in.Deleted(int(at))
	}
	for i, p := range j.Pairs {
		if missing(j.Queries, p.Query) || missing(targets, p.Target) {
			return nil, fmt.Errorf("%w: pair %d is of positions %d and %d, which have no graphs", ErrGiven, i, p.Query,
				p.Target)
		}
	}
	if j.Matches == nil {
		j.Pairs = j.once()
	} else {
		j.Pairs = make([]truth.Pair, len(j.Matches))
		for i := range j.Matches {
			j.Pairs[i] = truth.Pair{Query: int32(j.Matches[i].Query), Target: int32(j.Matches[i].Target)}
		}
	}
	workers := j.Workers
	workers = cmp.Or(workers, runtime.GOMAXPROCS(0))
	comparers := make([]*comparer, workers)
	for i := range comparers {
		s, err := ged.NewSolver(edit.GED, j.Costs)
		if err != nil {
			return nil, err
		}
		comparers[i] = &comparer{job: &j, targets: targets, solver: s, query: -1}
	}
	f := new(Findings)
	t := tally{list: []Effect{}, at: make(map[string]int)}
	err := ordered.Map(ctx, len(j.Pairs), workers,
		func(ctx context.Context, worker, i int) (compared, error) {
			if j.Matches != nil {
				return comparers[worker].compare(ctx, j.Pairs[i], &j.Matches[i])
			}
			return comparers[worker].compare(ctx, j.Pairs[i], nil)
		},
		func(i int, p compared) error {
			t.add(&p)
			switch {
			case j.Matches == nil && p.late:
				f.Unexplained++
			case p.late:
				f.Left++
			}
			if j.Matches != nil && (p.late || p.apart) {
				// It is not known to be a pair, or is none.
			} else if p.Upper == 0 {
				f.Duplicates = append(f.Duplicates, p.NearPair)
			} else {
				f.Pairs = append(f.Pairs, p.NearPair)
			}
			if j.Progress != nil {
				j.Progress(i + 1)
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	f.Pairs, f.Duplicates, f.Effects = sorted(f.Pairs), sorted(f.Duplicates), t.effects()
	return f, nil
}

// once returns the pairs without those of two graphs that another pair has, at their least
// upper bound, in their order. Effects would count them twice, and their errors be too small.
func (j *Job) once() []truth.Pair {
	ends := func(p *truth.Pair) (int32, int32) {
		if j.Targets == nil && p.Target < p.Query {
			return p.Target, p.Query
		}
		return p.Query, p.Target
	}
	compare := func(p, q *truth.Pair) int {
		p0, p1 := ends(p)
		q0, q1 := ends(q)
		return cmp.Or(cmp.Compare(p0, q0), cmp.Compare(p1, q1))
	}
	ascending := true // as a join leaves them
	for i := range len(j.Pairs) - 1 {
		ascending = ascending && compare(&j.Pairs[i], &j.Pairs[i+1]) < 0
	}
	if ascending {
		return j.Pairs
	}
	order := make([]int, len(j.Pairs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		p, q := &j.Pairs[a], &j.Pairs[b]
		return cmp.Or(compare(p, q), cmp.Compare(p.Upper, q.Upper), cmp.Compare(a, b))
	})
	order = slices.CompactFunc(order, func(a, b int) bool { return compare(&j.Pairs[a], &j.Pairs[b]) == 0 })
	slices.Sort(order)
	pairs := make([]truth.Pair, len(order))
	for at, i := range order {
		pairs[at] = j.Pairs[i]
	}
	return pairs
}

// sorted returns pairs, those of the greatest change first, then the nearest. It sorts their
// numbers, because pairs are large.
func sorted(pairs []NearPair) []NearPair {
	order := make([]int, len(pairs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &pairs[i], &pairs[j]
		return cmp.Or(cmp.Compare(b.size(), a.size()), cmp.Compare(a.Upper, b.Upper), cmp.Compare(i, j))
	})
	list := make([]NearPair, len(pairs))
	for at, i := range order {
		list[at] = pairs[i]
	}
	return list
}

// size returns how large the change is, -1 where it is not known.
func (p *NearPair) size() float64 {
	if p.change == nil {
		return -1
	}
	return p.change.size()
}

// Check returns an error, which wraps [search.ErrAttribute], if no graph has the attribute, or
// none a number for it.
func (j *Job) Check() error {
	if j.Attribute == "" {
		return nil
	}
	err := j.Queries.CheckAttribute(j.Attribute)
	if err != nil && (j.Targets == nil || j.Targets.CheckAttribute(j.Attribute) != nil) {
		return err
	}
	empty := true
	for _, c := range []*search.Collection{j.Queries, j.Targets} {
		if c == nil {
			continue
		}
		for p := range c.Live() {
			if valueOf(c.Attribute(p, j.Attribute)) != nil {
				return nil
			}
			empty = false
		}
	}
	if empty {
		return nil
	}
	return fmt.Errorf("%w %q as a number", search.ErrAttribute, j.Attribute)
}

// comparer belongs to one goroutine.
type comparer struct {
	job     *Job
	targets *search.Collection
	solver  *ged.Solver
	// The query that was read last, and its molecule once it is needed, nil if it is none.
	query    int
	record   dataset.Record
	read     bool
	molecule *transform.Molecule
}

// compared is a pair, and its only transformation, so turned that the fragment with fewer atoms
// comes first. Change is that of the attribute in this direction.
type compared struct {
	NearPair
	only   *transform.Transformation
	around []string // its environment
	change *value
	late   bool // the time did not suffice for transformations
	apart  bool // a match that only seemed to be one
}

// compare compares a pair, of a match by its node map.
func (g *comparer) compare(ctx context.Context, pair truth.Pair, match *transform.Match) (p compared, err error) {
	at := [2]int{int(pair.Query), int(pair.Target)}
	over := !g.job.End.IsZero() && !time.Now().Before(g.job.End)
	record := (*search.Collection).Record
	if over { // there may be 100,000 more
		record = (*search.Collection).About
	}
	if g.query != at[0] {
		g.query, g.record, g.read = at[0], record(g.job.Queries, at[0]), false
	}
	q, t := &g.record, record(g.targets, at[1])
	p.NearPair = NearPair{
		Query: q.ID, Target: t.ID, QuerySMILES: q.SMILES, TargetSMILES: t.SMILES, Lower: pair.Lower, Upper: pair.Upper,
		At: at,
	}
	from, to := valueOf(q.Attributes[g.job.Attribute]), valueOf(t.Attributes[g.job.Attribute])
	if math.IsInf(pair.Upper, 1) {
		return p, fmt.Errorf("%w: %s and %s have no upper bound", ErrGiven, q.ID, t.ID)
	}
	turned := false
	if from != nil && to != nil {
		p.NearPair.change = to.minus(from)
		if change := p.NearPair.change; change != nil && change.sign() < 0 && g.job.Targets == nil {
			turned = true
			p.NearPair.change = change.negative()
			from, to = to, from
			p.Query, p.Target, p.QuerySMILES, p.TargetSMILES = p.Target, p.Query, p.TargetSMILES, p.QuerySMILES
			p.At = [2]int{at[1], at[0]}
		}
	}
	p.Old, p.OldRelation = from.shown()
	p.New, p.NewRelation = to.shown()
	p.Change, p.ChangeRelation = p.NearPair.change.shown()
	if over {
		p.late = (pair.Upper > 0 || match != nil) && q.SMILES != "" && t.SMILES != ""
		return p, nil
	}
	if !g.read {
		g.read = true
		q.Graph = graph.Adopt(g.targets.Vocabulary(), q.Graph)
		g.molecule, _ = transform.Read(q.SMILES, q.Graph)
	}
	if g.molecule == nil {
		return p, nil
	}
	other, ok := transform.Read(t.SMILES, t.Graph)
	if !ok {
		return p, nil
	}
	limits := ged.Options{Memory: g.job.Memory}
	if !g.job.End.IsZero() {
		if limits.Time = time.Until(g.job.End); limits.Time <= 0 {
			p.late = pair.Upper > 0 || match != nil
			return p, nil
		}
	}
	if match != nil {
		m := match.Map(g.molecule, other)
		if m == nil {
			p.apart = true
			return p, nil
		}
		limits.States = boundStates
		r, err := g.solver.Distance(ctx, q.Graph, t.Graph, limits)
		if err != nil {
			return p, fmt.Errorf("%s and %s: %w", q.ID, t.ID, err)
		}
		prices, err := edit.Price(edit.GED, g.job.Costs, q.Graph, t.Graph)
		if err != nil {
			return p, fmt.Errorf("%s and %s: %w", q.ID, t.ID, err)
		}
		p.Lower, p.Upper = r.Lower, min(r.Upper, edit.InducedCost(prices, q.Graph, t.Graph, m))
		return p, g.explain(&p, other, m, turned)
	}
	r, err := g.solver.Within(ctx, q.Graph, t.Graph, pair.Upper, limits)
	if err != nil {
		return p, fmt.Errorf("%s and %s: %w", q.ID, t.ID, err)
	}
	const rounded = 1 + 1e-6 // what is given may be, and so may sums of costs without a common unit
	switch found, _ := r.Within(pair.Upper); {
	case r.Lower > pair.Upper*rounded || r.Upper*rounded < pair.Lower:
		return p, fmt.Errorf("%w: %s and %s are not %v apart by these costs", ErrGiven, q.ID, t.ID, pair.Upper)
	case !found:
		p.late = pair.Upper > 0
		return p, nil
	}
	return p, g.explain(&p, other, r.Map, turned)
}

// boundStates is for how many states of search the distance of a match is looked for: about as long as the rest takes.
const boundStates = 200

// explain says how the molecules of a pair differ, by a node map from the query that was read to the other one. turned
// says that the pair has them the other way round.
func (g *comparer) explain(p *compared, other *transform.Molecule, forth edit.NodeMap, turned bool) error {
	back := forth.Inverse(other.Graph())
	first, m := g.molecule, forth
	if turned {
		first, other, m, back = other, first, back, forth
	}
	list, err := transform.Differences(first, other, m)
	if err != nil { // a fragment that has no SMILES
		return nil
	}
	p.Transformations = list
	if len(list) != 1 {
		return nil
	}
	p.only, p.change = &list[0], p.NearPair.change
	holder := first
	if p.only.Backward() {
		reverse, err := transform.Differences(other, first, back)
		if err != nil || len(reverse) != 1 {
			p.only = nil
			return nil
		}
		p.only, holder = &reverse[0], other
		if p.change != nil {
			p.change = p.change.negative()
		}
	}
	p.around = p.only.Environment(holder, g.job.Environment)
	return nil
}

// tally gathers effects.
type tally struct {
	list []Effect
	at   map[string]int
}

func (t *tally) add(p *compared) {
	if p.only == nil {
		return
	}
	text := "" // of what has no fragments
	if p.only.SMIRKS() == "" {
		text = p.only.Text
	}
	key := strings.Join(append([]string{text, p.only.From, p.only.To}, p.around...), " ") // SMILES have no spaces
	i, ok := t.at[key]
	if !ok {
		i = len(t.list)
		t.at[key] = i
		t.list = append(t.list, Effect{Text: p.only.Text, From: p.only.From, To: p.only.To, Environment: p.around})
	}
	e := &t.list[i]
	e.Pairs++
	if p.Old == nil || p.New == nil {
		return
	}
	change := p.change
	low, high := math.Inf(-1), math.Inf(1)
	if change != nil && change.relation != "<" {
		low = change.bound
	}
	if change != nil && change.relation != ">" {
		high = change.bound
	}
	e.low, e.high = e.low+low, e.high+high
	if change != nil && change.sign() > 0 {
		e.Up++
	} else if change != nil && change.sign() < 0 {
		e.Down++
	}
	if change == nil || change.relation != "" {
		e.Censored++
		return
	}
	e.Known++
	// Welford's mean and sum of squares, which does not lose digits.
	d := change.bound - e.mean
	e.mean += d / float64(e.Known)
	e.squares += d * (change.bound - e.mean)
}

func (t *tally) effects() []Effect {
	for i := range t.list {
		e := &t.list[i]
		if mean := e.mean; e.Known > 0 {
			e.Mean = &mean
		}
		if n := float64(e.Known + e.Censored); e.Censored > 0 {
			low, high := e.low/n, e.high/n
			if !math.IsInf(low, 0) {
				e.AtLeast = &low
			}
			if !math.IsInf(high, 0) {
				e.AtMost = &high
			}
		}
		if n := float64(e.Known); n > 1 {
			x := math.Sqrt(e.squares / (n - 1) / n)
			low, high := e.mean-student(e.Known-1)*x, e.mean+student(e.Known-1)*x
			e.Error, e.Low, e.High = &x, &low, &high
		}
	}
	slices.SortStableFunc(t.list, func(a, b Effect) int {
		return cmp.Or(cmp.Compare(b.Known, a.Known), cmp.Compare(b.Censored, a.Censored), cmp.Compare(b.Pairs, a.Pairs))
	})
	return t.list
}
