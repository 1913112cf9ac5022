package search

import (
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
)

// Answer is one graph found.
type Answer struct {
	Position  int      // in the collection
	Predicted *float64 // nil without a model
	// What is known of the distance, and the node map that attains Upper; the
	// map is nil for an answer that was not checked.
	Lower, Upper float64
	Exact        bool
	Map          edit.NodeMap

	decided bool // a decider has looked at it
	solved  bool // the solver has worked on it
}

// improve takes the bounds that are better than those known.
func (a *Answer) improve(r ged.Result) {
	a.Lower = max(a.Lower, r.Lower)
	if a.Map == nil || r.Upper < a.Upper {
		a.Upper, a.Map = r.Upper, r.Map
	}
	a.Lower = min(a.Lower, a.Upper)
	a.Exact = a.Lower == a.Upper
}

// Result is what a search found.
type Result struct {
	// Answers are in the order of their upper bounds, then of their lower ones;
	// in mode [Predicted] in the order of the predictions.
	Answers []Answer
	Mode    Mode
	K       int  // that was asked for; 0: all within the radius
	Model   bool // candidates were ordered or found by a model's vectors
	// Complete reports that every graph in the scope of the search was solved,
	// bounded or excluded by a bound.
	Complete bool
	// Inexact counts the answers whose distance lies between two bounds.
	Inexact int
	// Missing are the graphs looked at that are no answers and that bounds do not
	// exclude: they may be nearer than the last of K, or within the radius. The
	// least lower bound comes first.
	Missing []Answer

	Costs    edit.Costs
	Pricing  *edit.Pricing
	Warnings []string
	Stats    Stats

	Embed, Scan, Check time.Duration
}

// Proven reports that the answers are complete and exact: no other graph that the
// search was limited to is nearer than the last of K, or within the radius.
func (r *Result) Proven() bool {
	return r.Mode != Predicted && r.Complete && r.Inexact == 0 && len(r.Missing) == 0
}

// Stats count what a search looked at.
type Stats struct {
	Graphs     int        // that it was limited to; 0 in mode [Predicted] with a filter
	Candidates int        // those that the model found or, in mode [Proven], all
	Excluded   []Excluded // candidates, by the bound that showed that they are no answers
	Solved     int        // candidates that the solver worked on
	Calls      int        // of the solver: it may come back to a candidate
}

// Excluded counts the candidates that a bound showed to be no answers.
type Excluded struct {
	Bound  string
	Graphs int
}

// The bounds that show candidates to be no answers before the solver works on them.
const (
	byCounts   = "labels and degrees"
	byBranches = "branches"
	byDomains  = "domains"
)

// exclude adds to the graphs that a bound showed to be no answers.
func (s *Stats) exclude(bound string, graphs int) {
	if graphs == 0 {
		return
	}
	for i := range s.Excluded {
		if s.Excluded[i].Bound == bound {
			s.Excluded[i].Graphs += graphs
			return
		}
	}
	s.Excluded = append(s.Excluded, Excluded{bound, graphs})
}

// settle leaves in r what is known of the candidates, which were bounded as named.
func (r *Result) settle(candidates []Answer, f *front, bounded string) {
	r.Answers, r.Missing = f.pick(candidates)
	for i := range r.Answers {
		if !r.Answers[i].Exact {
			r.Inexact++
		}
	}
	early, decided := 0, 0
	for i := range candidates {
		switch a := &candidates[i]; {
		case a.solved:
			r.Stats.Solved++
		case a.decided:
			decided++
		case !f.admits(a.Lower, a.Upper):
			early++
		}
	}
	r.Stats.exclude(bounded, early)
	r.Stats.exclude(byDomains, decided)
}
