package search

import (
	"slices"
	"time"

	"github.com/greedgraph/greed/edit"
)

// Answer is one graph found.
type Answer struct {
	Position  int      // in the collection
	Predicted *float64 // nil without a model
	// Bounds of the distance, and the node map that attains Upper. The map is nil for an
	// answer that was not checked.
	Lower, Upper float64
	Exact        bool
	Map          edit.NodeMap
}

// Result is what a search found.
type Result struct {
	// Answers are in the order of upper bounds, then of lower bounds; in mode [Predicted],
	// of predictions. Among equals, what contains the query is in the order of sizes, the
	// smaller first; then those come first that have the greater share of labels in common
	// with the query ([bound.Shared]), then those that come first in the collection.
	Answers []Answer
	Mode    Mode
	K       int  // the number requested; 0: all within the radius
	Model   bool // a model's vectors ordered or found the candidates
	// Raw is what the model says of the answers in mode [Predicted], before bounds correct it: K are chosen by it.
	Raw []float64
	// Recall is what [Options].Recall asked for, nil if nothing.
	Recall *Recall
	// Complete reports that every graph in the scope of the search was solved, bounded or
	// excluded.
	Complete bool
	// Inexact counts answers whose bounds do not meet.
	Inexact int
	// Missing are candidates that are not answers but that bounds do not exclude: they may
	// be nearer than the last of K, or within the radius. They are in the order of lower
	// bounds.
	Missing []Answer
	// Unreached is the number of graphs that are open, too, and not in Missing: time was up before the
	// search came to them. Missing has those of them that are nearest by their counts.
	Unreached int
	// Tied are those as far away as the last of K, which rank after it.
	Tied Tied
	// Unsearched are the indexes of the collection that cannot be read.
	Unsearched []Unsearched

	Costs    edit.Costs
	Pricing  *edit.Pricing
	Warnings []string
	Stats    Stats

	Embed, Scan, Check time.Duration
}

// Proven reports that the answers are complete and exact: no other graph in the scope
// of the search is nearer than the last of K, or within the radius.
func (r *Result) Proven() bool {
	return r.Mode != Predicted && r.Complete && r.Inexact == 0 && len(r.Missing) == 0 && r.Unreached == 0 &&
		len(r.Unsearched) == 0
}

// Stats count what a search looked at.
type Stats struct {
	Graphs     int        `json:"graphs"`             // in the scope of the search; 0 in mode [Predicted] with a filter
	Candidates int        `json:"candidates"`         // those that the model found or, in mode [Proven], all
	Excluded   []Excluded `json:"excluded,omitempty"` // candidates that each bound excluded
	Solved     int        `json:"solved"`             // candidates that the solver worked on
	Calls      int        `json:"-"`                  // calls of the solver, which may try a candidate again
}

// Excluded counts the candidates that a bound showed to be no answers.
type Excluded struct {
	Bound  string `json:"bound"`
	Graphs int    `json:"graphs"`
}

// The bounds that exclude candidates before the solver works on them.
const (
	byCounts   = "labels and degrees"
	byBranches = "branches"
	byPart     = "part"
	byAscent   = "dual ascent"
	byCopies   = "equal graphs"
)

// exclude adds to the graphs that a bound excluded.
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

// unreached adds to the missing the nearest of so many graphs that time did not reach.
func (r *Result) unreached(nearest []Answer, count int) {
	if count > 0 {
		r.Missing = append(r.Missing, nearest...)
		slices.SortFunc(r.Missing, byLower)
		r.Unreached = count - len(nearest)
	}
}

// conclude stores in r what is known of the candidates in the end, and others, the least
// that the distance of any other graph may be. screen names the bound of those that no
// other stage looked at.
func (r *Result) conclude(candidates []candidate, v *verifier, screen string, others float64) {
	r.Stats.Calls = v.calls
	r.Answers, r.Missing = v.best.pick(candidates)
	r.Tied = v.best.tied(candidates, r.Answers, others)
	for i := range r.Answers {
		if !r.Answers[i].Exact {
			r.Inexact++
		}
	}
	var excluded [solving]int
	for i := range candidates {
		switch k := &candidates[i]; {
		case k.by == solving:
			r.Stats.Solved++
		case !v.best.admits(k):
			excluded[k.by]++
		}
	}
	r.Stats.exclude(screen, excluded[screening])
	r.Stats.exclude(byPart, excluded[matching])
	r.Stats.exclude(byAscent, excluded[deciding])
	r.Stats.exclude(byCopies, excluded[copying])
}
