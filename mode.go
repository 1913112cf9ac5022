package greed

import (
	"fmt"

	"github.com/greedgraph/greed/search"
)

// Mode says what the answers of a search rest on.
type Mode uint8

// The modes.
const (
	// Proven answers are complete and exact. If time runs out first,
	// [Found.Open] says what is open.
	Proven = Mode(search.Proven)
	// Checked answers are a model's candidates with computed distances; others
	// may be missed. Without a model, Checked is [Proven] with less time.
	Checked = Mode(search.Checked)
	// Predicted answers are a model's predictions from vectors alone, not
	// distances. Without a model the error wraps [ErrNoModel].
	Predicted = Mode(search.Predicted)
)

var modeNames = [...]string{Proven: "proven", Checked: "checked", Predicted: "predicted"}

// String returns proven, checked or predicted.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// MarshalText implements [encoding.TextMarshaler].
func (m Mode) MarshalText() ([]byte, error) {
	if int(m) >= len(modeNames) {
		return nil, fmt.Errorf("greed: there is no mode %d", m)
	}
	return []byte(m.String()), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (m *Mode) UnmarshalText(text []byte) error {
	for i, name := range modeNames {
		if string(text) == name {
			*m = Mode(i)
			return nil
		}
	}
	return fmt.Errorf("the mode is %q: want proven, checked or predicted", text)
}

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
