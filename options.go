package greed

import (
	"context"

	"github.com/greedgraph/greed/search"
)

// Options say what [Collection.Search] looks for and how. The zero value asks for
// the 10 nearest graphs, proven, within 10 s.
type Options = search.Options

// NoLimit is the time of work that ends only when it is done.
const NoLimit = search.NoLimit

// The times of searches and distances that name none.
const (
	DefaultTime        = search.DefaultTime
	DefaultCheckedTime = search.DefaultCheckedTime // in mode [Checked]
)

// Filter is a condition on the id, the name or another attribute of a record.
type Filter = search.Filter

// ParseFilter reads a filter: ATTR=VALUE, ATTR in A,B, ATTR<X, ATTR<=X, ATTR>X,
// ATTR>=X or ATTR exists. X is a number or a date.
func ParseFilter(text string) (Filter, error) { return search.ParseFilter(text) }

// Progress says how far a search is.
type Progress = search.Progress

// Search finds the graphs nearest to q. A query of another vocabulary is
// translated; labels that the collection lacks equal none of its labels and are
// not added to it. If the context ends before the answers are proven, Search
// returns the context's error together with what it has found; found is nil if
// that is nothing. Other errors wrap [ErrNoGraph], [ErrDirection], [ErrCosts]
// or [ErrNoModel].
func (c *Collection) Search(ctx context.Context, q *Graph, opt Options) (found *Found, err error) {
	f, cut := c.Find(ctx, q, opt)
	if f == nil {
		return nil, cut
	}
	defer f.Close()
	for i := range f.Len() {
		a, err := f.Answer(i)
		if err == nil && opt.Explain {
			err = f.Explain(i, &a)
		}
		if err != nil {
			return nil, err
		}
		f.Found.Answers = append(f.Found.Answers, a)
	}
	return f.Found, cut
}

// Mode says what the answers of a search rest on.
type Mode = search.Mode

// The modes.
const (
	// Proven answers are complete and exact. If time runs out first,
	// [Found.Open] says what is open.
	Proven = search.Proven
	// Checked answers are a model's candidates with computed distances; others
	// may be missed. Without a model, Checked is [Proven] with less time.
	Checked = search.Checked
	// Predicted answers are a model's predictions from vectors alone, not
	// distances. Without a model the error wraps [ErrNoModel].
	Predicted = search.Predicted
)

// Status says what the answers of a search are, which the mode alone does not: a
// proof may have run out of time.
type Status string

// The statuses.
const (
	// StatusProven: all distances are exact, and no other graph that was
	// searched is nearer than the last of K, or within the radius. Graphs that
	// tie with the last of K may be left out, those that come last in the order
	// of equals ([search.Result]): [Found.Tied].
	StatusProven Status = "proven"
	// StatusOpen: every graph was looked at, but the time, the memory or the
	// context ended before the proof. All bounds hold; [Found.Open] says what
	// may still change.
	StatusOpen Status = "open"
	// StatusChecked: the bounds of all answers hold, but only a model's
	// candidates were looked at; other graphs may be nearer, or within the
	// radius too.
	StatusChecked Status = "checked"
	// StatusPredicted: the answers are a model's predictions, which may be too
	// high or too low, and in the wrong order.
	StatusPredicted Status = "predicted"
)
