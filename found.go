package greed

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/search"
)

// Timely reports whether more time may decide what is open.
func (u Undecided) Timely() bool { return u.Missing > u.Undecidable || u.Inexact > 0 }

// mostOpen is how many graphs of [Undecided] are named.
const mostOpen = 100

// mostIndexes is how many indexes that were not searched a verdict names.
const mostIndexes = 3

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
		return "proven: every answer is exact and no other " + f.noun() + " is nearer" + f.Tied.String()
	case StatusChecked:
		return "checked: candidates of a model, " + f.missed() + f.left(full) + f.Tied.String()
	case StatusPredicted:
		return "predicted: by a model's vectors alone, no distances; " + f.missed() + f.left(full)
	}
	if f.Open.Missing == 0 && f.Open.Inexact == 0 && len(f.Open.Unsearched) > 0 {
		return "open: not all indexes could be searched" + f.left(full) + f.Tied.String()
	}
	if !f.Open.Timely() {
		return "open: not all can be decided" + f.left(full) + f.Tied.String()
	}
	return "open: stopped before all was proven" + f.left(full) + f.Tied.String()
}

// noun says what answers are.
func (f *Found) noun() string {
	if f.Made != nil {
		return "product"
	}
	return "graph"
}

// missed says what a model's candidates may lack.
func (f *Found) missed() string {
	r := f.Recall
	if r == nil {
		return "others may be missed"
	}
	text := "%s %% or more of what lies within the radius is among them, on average over queries like the %d that " +
		"the model was calibrated with (%v %% confidence, not proven)"
	if f.Status == StatusChecked {
		text = "which on average have " + text
		text = strings.Replace(text, "is among them, on average ", "", 1)
	}
	return fmt.Sprintf(text, strconv.FormatFloat(100*r.Share, 'g', 6, 64), r.Queries, 100*r.Confidence)
}

// left says what is open.
func (f *Found) left(full bool) string {
	var parts []string
	if n := f.Open.Missing; n > 0 {
		what := "be answers"
		if full {
			what = "be nearer"
		}
		who := "more " + f.noun()
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
	for i, u := range f.Open.Unsearched {
		if i == mostIndexes {
			parts = append(parts, fmt.Sprintf("%d more were not", len(f.Open.Unsearched)-i))
			break
		}
		parts = append(parts, u.Index+" was not searched")
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
			Recall: r.Recall,
		},
		Answers: []Answer{},
		FoundRest: FoundRest{
			Open: Undecided{Missing: len(r.Missing) + r.Unreached, Undecidable: undecidable, Inexact: r.Inexact,
				Unsearched: r.Unsearched},
			Stats:   r.Stats,
			Seconds: Seconds{r.Embed.Seconds(), r.Scan.Seconds(), r.Check.Seconds()},
		},
	}
	// That a model's candidates are not all is said in any case.
	if t := r.Tied; t.More > 0 || t.Open && f.Status != StatusChecked {
		f.Tied = t
	}
	for _, a := range r.Missing[:min(len(r.Missing), mostOpen)] {
		f.Open.Graphs = append(f.Open.Graphs, OpenGraph{c.ID(a.Position), a.Position, a.Lower})
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
