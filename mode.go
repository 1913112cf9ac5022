package greed

import "github.com/greedgraph/greed/search"

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
