package search

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
)

// ErrCosts is wrapped if a search asks for predictions with other costs than the
// model was trained with.
var ErrCosts = errors.New("the model was trained with other costs")

// WithoutModel warns of a search by costs that the model does not know.
const WithoutModel = "the model was trained with other costs, so bounds and the exact solver answer without it"

// ErrNoModel is wrapped if a search asks for predictions and no model is
// attached for its task.
var ErrNoModel = errors.New("no model")

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

// Options say what a search looks for and how. The zero value asks for the 10 nearest
// graphs, proven, within 10 s.
type Options struct {
	Task edit.Task
	Mode Mode
	// K is how many answers are wanted at most. 0 means [DefaultK] without a radius and
	// all with one.
	K int
	// Radius, if not nil, limits the answers to the graphs within this distance:
	// with K, to the K nearest of those.
	Radius *float64
	// Recall, if not 0, is the share of the graphs within the radius that are found in modes
	// [Checked] and [Predicted] at least, on average over queries like those that the model was calibrated
	// with ([Collection.Calibrate]). The error wraps [model.ErrCalibration] where that is not known.
	Recall float64
	// Costs are the edit costs; nil means the model's or, without a model, unit costs.
	// A model that was trained with others is left out, with a warning; in mode
	// [Predicted] the error wraps [ErrCosts].
	Costs *edit.Costs
	// NoModel ignores the model: bounds and the exact solver answer alone.
	NoModel bool
	// Filters limit the search to the graphs whose records pass all of them.
	Filters []Filter
	// Accept limits the search to the graphs at positions for which it is true,
	// before the nearest are counted; nil keeps all. It may be called in any
	// order and by several goroutines, and must not search or change the
	// collection.
	Accept func(position int) bool
	// First limits the search to graphs at this position or after it.
	First int
	// Time is for the whole search. 0 means [DefaultTime], or [DefaultCheckedTime] in
	// mode [Checked]; [NoLimit] is no limit. [Predicted] takes none.
	Time time.Duration
	// Memory is how many bytes the exact solver may hold for a pair of graphs; 0
	// means 1 GiB.
	Memory int64
	// Workers is how many goroutines solve pairs; 0 means one per core.
	Workers int
	// AllMissing makes [Result.Missing] list all graphs within the radius that time did not reach,
	// however many.
	AllMissing bool
	// Progress, if not nil, is called after every solved pair of graphs, one
	// call at a time. It must not block.
	Progress func(Progress)

	within float64 // the predicted distance that the recall takes

	// What follows is for those who show the answers: it does not change which are found.

	// Show names the attributes, keys of a record's Attributes, that answers carry if their
	// records have them. One that no record has is an error, which wraps [ErrAttribute].
	Show []string
	// Explain makes answers carry their edits and the names of their nodes, for which their
	// graphs are read.
	Explain bool
	// Names are those of the query's nodes, [n_q], by which the edits of answers call
	// them; nil where they have none.
	Names []string
	// SMILES is that of the query, if it is a molecule, with atoms in the order of its nodes.
	// Answers that are explained then carry transformations.
	SMILES string
	// Unread says what of the query has attributes but no labels.
	Unread dataset.Unread
	// Notes are those of reading the query; results repeat them.
	Notes []dataset.Note
	// SMARTS, if not nil, is the query in place of a graph: those molecules are found, all or K of
	// them, that contain it, with a map of its atoms. Task, mode, radius, costs and models
	// follow from it. [Collection.Search] does not look at it.
	SMARTS *chem.SMARTS
}

// For makes a search say of its query what its record says.
func (o *Options) For(query *dataset.Record) {
	o.Names, o.SMILES, o.Unread, o.Notes = query.NodeNames(), query.SMILES, query.Unread, query.Notes
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
	case o.Radius != nil && !FiniteRadius(*o.Radius):
		return o, fmt.Errorf("search: the radius is %v: ask for a finite distance of at least 0", *o.Radius)
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
			return o, fmt.Errorf("search: filter %d is empty: make one with ParseFilter", i)
		}
	}
	if err := o.checkRecall(); err != nil {
		return o, err
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

// FiniteRadius reports whether a radius is a finite distance of at least 0. An infinite one
// cannot be written as JSON.
func FiniteRadius(radius float64) bool { return radius >= 0 && radius <= math.MaxFloat64 }

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

// Progress says how far a search is.
type Progress struct {
	Candidates int    // graphs that may be answers; in mode [Proven] more may follow
	Solved     int    // of them, those that the exact solver has worked on
	ID         string // of the graph just solved
	Answer            // what is known of it
}
