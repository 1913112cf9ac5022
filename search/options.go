package search

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/greedgraph/greed/edit"
)

// ErrCosts is wrapped where a search asks for predictions with other costs than the
// model was trained with.
var ErrCosts = errors.New("the model was trained with other costs")

// WithoutModel warns of a search by costs that the model does not know.
const WithoutModel = "the model was trained with other costs, so bounds and the exact solver answer without it"

// ErrNoModel is wrapped where a search asks for predictions and no model is
// attached for its task.
var ErrNoModel = errors.New("no model")

// Mode says what the answers of a search rest on.
type Mode uint8

// The modes.
const (
	// Proven looks at every graph that bounds do not exclude: the answers are
	// complete and exact unless time ends.
	Proven Mode = iota
	// Checked computes the distances of a model's candidates. It may miss other graphs.
	// Without a model it is Proven.
	Checked
	// Predicted compares vectors alone. Without a model it is an error.
	Predicted
)

const (
	// DefaultK is how many answers a search gives that names neither K nor Radius.
	DefaultK = 10
	// DefaultTime is the time of a search in mode [Proven] that names none.
	DefaultTime = 10 * time.Second
	// DefaultCheckedTime is that of a search in mode [Checked].
	DefaultCheckedTime = time.Second
	// NoLimit is the time of a search that ends only when it is done.
	NoLimit time.Duration = math.MaxInt64
)

// Options are options of a search.
type Options struct {
	Task edit.Task
	Mode Mode
	// K is how many answers are wanted at most. 0 means [DefaultK] without a
	// radius and all with one.
	K int
	// Radius, if not nil, limits the answers to the graphs within this distance.
	Radius *float64
	// Costs are those to search with: nil means the model's or, without a model, unit
	// costs. A model that was trained with others is left out, with a warning.
	Costs *edit.Costs
	// NoModel ignores the model: bounds and the solver alone.
	NoModel bool
	// Accept limits the search to the graphs at positions for which it is true,
	// before the nearest are counted; nil keeps all. It may be called in any
	// order and by several goroutines, and must not search or change the
	// collection.
	Accept func(position int) bool
	// First limits the search to graphs at this position or after it.
	First int
	// Filters limit the search to the graphs that pass all of them.
	Filters []Filter
	// Bounds are those that an earlier search for the query, with the same task and costs,
	// has left: [Result.Bounds]. They are not proven again. Those of graphs that the search
	// does not find are left out.
	Bounds Bounds
	// Time is for the whole search; 0 means [DefaultTime] or
	// [DefaultCheckedTime], and [NoLimit] is no limit.
	Time    time.Duration
	Memory  int64 // bytes that the solver may hold for a pair; 0: 1 GiB
	Workers int   // 0: one per core
	// Progress, if not nil, is called after every solved pair, one call at a time. It must
	// not block.
	Progress func(Progress)
}

// Complete returns the options with defaults in place of zeros, or an error that says
// what is wrong with them.
func (o Options) Complete() (Options, error) {
	switch {
	case o.Task > edit.MCS:
		return o, fmt.Errorf("search: there is no task %d", o.Task)
	case o.Mode > Predicted:
		return o, fmt.Errorf("search: there is no mode %d", o.Mode)
	case o.K < 0:
		return o, fmt.Errorf("search: k is %d: ask for at least one answer", o.K)
	case o.Radius != nil && !(*o.Radius >= 0):
		return o, fmt.Errorf("search: the radius is %v: ask for a distance of at least 0", *o.Radius)
	case o.Time < 0:
		return o, fmt.Errorf("search: the time is %v: give a time above 0, or NoLimit", o.Time)
	case o.First < 0:
		return o, fmt.Errorf("search: the first position is %d: give one of at least 0", o.First)
	case o.Memory < 0:
		return o, fmt.Errorf("search: the memory is %d bytes: give a number above 0, or 0 for 1 GiB", o.Memory)
	case o.Workers < 0:
		return o, fmt.Errorf("search: %d workers: give a number of goroutines, or 0 for one per core", o.Workers)
	}
	for i := range o.Filters {
		if o.Filters[i].test == nil {
			return o, fmt.Errorf("search: filter %d says nothing: make one with ParseFilter", i)
		}
	}
	if o.K == 0 && o.Radius == nil {
		o.K = DefaultK
	}
	switch {
	case o.Time == 0 && o.Mode == Checked:
		o.Time = DefaultCheckedTime
	case o.Time == 0:
		o.Time = DefaultTime
	}
	return o, nil
}

// skips reports whether the graph at a position is not in the scope of the search.
func (o *Options) skips(position int) bool {
	return position < o.First || o.Accept != nil && !o.Accept(position)
}

// radius returns the greatest distance of an answer.
func (o *Options) radius() float64 {
	if o.Radius == nil {
		return math.Inf(1)
	}
	return *o.Radius
}

// Progress tells how far an exact check is.
type Progress struct {
	Candidates int    // found so far; in mode [Proven] more may follow
	Solved     int    // of them, those that the solver has worked on
	ID         string // of the graph just solved
	Answer     Answer // what is known of it
}
