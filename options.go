package greed

import (
	"context"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/search"
)

// Options say what [Collection.Search] looks for and how. The zero value asks for
// the 10 nearest graphs, proven, within 10 s.
type Options struct {
	Task Task
	Mode Mode
	// K is how many answers are wanted at most. 0 means 10 without a radius and
	// all with one.
	K int
	// Radius, if not nil, limits the answers to the graphs within this distance:
	// with K, to the K nearest of those.
	Radius *float64
	// Costs are the edit costs; nil means the model's or, without a model, unit costs.
	// A model that was trained with others is left out, and [Found.Warnings] say so;
	// in mode [Predicted] the error wraps [ErrCosts].
	Costs *edit.Costs
	// NoModel ignores the models: bounds and the exact solver answer alone.
	NoModel bool
	// Filters limit the search to the graphs whose records pass all of them.
	Filters []Filter
	// Accept limits the search to the graphs at positions for which it is true; nil
	// keeps all. It may be called in any order and by several goroutines, and must
	// not search or change the collection.
	Accept func(position int) bool
	// Show names the attributes, keys of [Record].Attributes, that answers carry if
	// their records have them. One that no record has is an error, which wraps
	// [ErrAttribute].
	Show []string
	// Names are those of the query's nodes, [n_q], by which the edits of answers call
	// them; nil where they have none.
	Names []string
	// SMILES is that of the query, if it is a molecule, with atoms in the order of its nodes.
	// Answers that are explained then carry transformations.
	SMILES string
	// Explain makes answers carry their edits and the names of their nodes, for which their
	// graphs are read.
	Explain bool
	// Time is for the whole search. 0 means 10 s in mode [Proven] and 1 s in mode
	// [Checked]; [NoLimit] is no limit. [Predicted] takes none.
	Time time.Duration
	// Memory is how many bytes the exact solver may hold for a pair of graphs; 0
	// means 1 GiB.
	Memory int64
	// Workers is how many goroutines solve pairs; 0 means one per core.
	Workers int
	// Progress, if not nil, is called after every solved pair of graphs, one
	// call at a time. It must not block.
	Progress func(Progress)
}

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
// ATTR>=X or ATTR exists.
func ParseFilter(text string) (Filter, error) { return search.ParseFilter(text) }

// Progress says how far a search is.
type Progress struct {
	Candidates int    // graphs that may be answers; in mode [Proven] more may follow
	Solved     int    // of them, those that the exact solver has worked on
	ID         string // of the graph just solved
	// Lower and Upper bound its distance.
	Lower, Upper float64

	predicted *float64
}

// Predicted returns what the model predicted for the graph just solved, and
// whether there is a model.
func (p Progress) Predicted() (distance float64, ok bool) { return value(p.predicted) }

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

// inner returns the options of package search.
func (o *Options) inner() search.Options {
	in := search.Options{
		Task: o.Task, Mode: search.Mode(o.Mode), K: o.K, Radius: o.Radius, Costs: o.Costs, NoModel: o.NoModel,
		Accept: o.Accept, Filters: o.Filters, Time: o.Time, Memory: o.Memory, Workers: o.Workers,
	}
	if o.Progress != nil {
		in.Progress = func(p search.Progress) {
			o.Progress(Progress{p.Candidates, p.Solved, p.ID, p.Answer.Lower, p.Answer.Upper, p.Answer.Predicted})
		}
	}
	return in
}
