package greed

import (
	"fmt"
	"strings"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/search"
)

// Found is the result of a search, in JSON the same for the commands and the service: the terms, the
// answers, and what is known beside them.
type Found struct {
	FoundTerms
	// Answers are sorted by upper bound, which is the distance where that is
	// known, then by lower bound; with [StatusPredicted], by prediction. Equals are in the
	// order of [search.Result].
	Answers []Answer `json:"answers" doc:"Nearest first"`
	FoundRest
}

// FoundTerms say how a search was understood and what its answers are worth. In JSON they stand before the
// answers.
type FoundTerms struct {
	Question Question `json:"question" doc:"How the search was understood"`
	// Unmatched are the labels of the query that the collection lacks; nil if it has all.
	Unmatched *Unmatched `json:"unmatched,omitempty" doc:"Labels of the query that no graph of the collection has"`
	Task      Task       `json:"task" enum:"ged,sed"`
	Mode      Mode       `json:"mode" enum:"proven,checked,predicted" doc:"The mode requested"`
	Status    Status     `json:"status" enum:"proven,open,checked,predicted" doc:"What the answers are: proven, complete and exact; open, stopped before all was proven; checked, candidates of a model; predicted, by vectors alone"`
	Certified bool       `json:"certified" doc:"The status is proven"`
	// Verdict says in a sentence what is known about the answers: that they are proven, or what
	// is missing.
	Verdict string `json:"verdict" doc:"What is known about the answers, in a sentence"`
	// K is the maximum number of answers requested, 0 for all within the radius.
	K int `json:"k,omitempty" doc:"The maximum number of answers requested"`
	// Radius is the one requested, nil if none was.
	Radius *float64   `json:"radius,omitempty" doc:"The radius requested"`
	Model  bool       `json:"model" doc:"Candidates were ordered or found by a model's vectors"`
	Costs  edit.Costs `json:"costs"`
	// Notes are those of reading the query, and how it differs from what the model was trained on.
	Notes []dataset.Note `json:"notes,omitempty" doc:"How the graphs were read, and how the query differs from what the model was trained on"`
}

// FoundRest says what is known beside the answers. In JSON it stands behind them.
type FoundRest struct {
	// Unexplained is set by a service if edits were requested.
	Unexplained int `json:"unexplained,omitempty" doc:"How many answers lack the edits requested, because the time or memory for the request ran out"`
	// Total and Next are of a service that gives the answers within a radius in parts.
	Total *int      `json:"total,omitempty" doc:"How many answers there are in all, if they are given in parts"`
	Next  string    `json:"next,omitempty" doc:"The cursor of the next part, if there is one"`
	Open  Undecided `json:"open,omitzero" doc:"What may still change"`
	// Tied are the graphs as far away as the last of K answers that are none.
	Tied    Tied    `json:"tied,omitzero" doc:"Graphs at the same distance as the last of k answers that are not among them"`
	Stats   Stats   `json:"stats"`
	Seconds Seconds `json:"seconds"`
}

// Undecided says what a search left open. It is zero if nothing is open.
type Undecided struct {
	// Missing is the number of graphs that may yet be answers: nearer than the
	// last of K, or within the radius. With [StatusChecked] only candidates count.
	Missing int `json:"missing"`
	// Undecidable is how many of those missing more time does not decide.
	Undecidable int `json:"undecidable,omitempty" doc:"How many of the missing graphs a SMARTS cannot be decided for, even with more time"`
	// Inexact is the number of answers whose distance lies between two bounds.
	Inexact int `json:"inexact"`
	// Graphs are those missing, at most 100, sorted by lower bound.
	Graphs []OpenGraph `json:"graphs,omitempty"`
}

// Timely reports whether more time may decide what is open.
func (u Undecided) Timely() bool { return u.Missing > u.Undecidable || u.Inexact > 0 }

// Tied says which graphs are as far away as the last of K answers but come after it.
type Tied = search.Tied

// mostOpen is how many graphs of [Undecided] are named.
const mostOpen = 100

// OpenGraph is a graph that may be an answer. Its distance is Lower or more.
type OpenGraph struct {
	ID       string  `json:"id"`
	Position int     `json:"position"`
	Lower    float64 `json:"lower"`
}

// Stats count what a search looked at.
type Stats = search.Stats

// Seconds is how long each part of a search took.
type Seconds struct {
	Embed float64 `json:"embed"` // the query
	Scan  float64 `json:"scan"`  // for candidates
	Check float64 `json:"check"` // by the exact solver
}

// Total returns how long the search took.
func (s Seconds) Total() time.Duration {
	return time.Duration((s.Embed + s.Scan + s.Check) * float64(time.Second))
}

// verdict says in a sentence what so many answers are worth.
func (f *Found) verdict(answers int) string {
	full := f.K > 0 && answers >= f.K
	switch f.Status {
	case StatusProven:
		if !full {
			return "proven: every answer is exact and none is missing"
		}
		return "proven: every answer is exact and no other graph is nearer" + f.Tied.String()
	case StatusChecked:
		return "checked: candidates of a model, others may be missed" + f.left(full) + f.Tied.String()
	case StatusPredicted:
		return "predicted: by a model's vectors alone, no distances; others may be missed"
	}
	if !f.Open.Timely() {
		return "open: not all can be decided" + f.left(full) + f.Tied.String()
	}
	return "open: stopped before all was proven" + f.left(full) + f.Tied.String()
}

// left says what is open.
func (f *Found) left(full bool) string {
	var parts []string
	if n := f.Open.Missing; n > 0 {
		what := "be answers"
		if full {
			what = "be nearer"
		}
		who := "more graph"
		if f.Status == StatusChecked { // of the others nothing is known
			who = "more candidate"
		}
		parts = append(parts, fmt.Sprintf("at most %s could still %s", counted(n, who), what))
	}
	if n := f.Open.Inexact; n > 0 {
		verb := "lie"
		if n == 1 {
			verb = "lies"
		}
		parts = append(parts, fmt.Sprintf("%s %s between two bounds", counted(n, "distance"), verb))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, ", ")
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// newFound returns what was found, without the answers. Of those missing, so many are
// undecidable.
func newFound(c *search.Collection, opt Options, r *search.Result, undecidable int) *Found {
	f := &Found{
		FoundTerms: FoundTerms{
			Task: opt.Task, Mode: opt.Mode, Status: statusOf(r), Model: r.Model, Costs: r.Costs,
			Notes: dataset.Merge(dataset.Remarks(r.Warnings...), opt.Notes), K: r.K, Radius: opt.Radius,
		},
		Answers: []Answer{},
		FoundRest: FoundRest{
			Open:    Undecided{Missing: len(r.Missing) + r.Unreached, Undecidable: undecidable, Inexact: r.Inexact},
			Stats:   r.Stats,
			Seconds: Seconds{r.Embed.Seconds(), r.Scan.Seconds(), r.Check.Seconds()},
		},
	}
	// That a model's candidates are not all is said in any case.
	if t := r.Tied; t.More > 0 || t.Open && f.Status != StatusChecked {
		f.Tied = t
	}
	for _, a := range r.Missing[:min(len(r.Missing), mostOpen)] {
		f.Open.Graphs = append(f.Open.Graphs, OpenGraph{c.About(a.Position).ID, a.Position, a.Lower})
	}
	f.Certified, f.Verdict = f.Status == StatusProven, f.verdict(len(r.Answers))
	return f
}

func statusOf(r *search.Result) Status {
	switch {
	case r.Mode == search.Predicted:
		return StatusPredicted
	case r.Proven():
		return StatusProven
	case r.Complete:
		return StatusOpen
	}
	return StatusChecked
}
