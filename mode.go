package greed

import (
	"fmt"

	"github.com/greedgraph/greed/search"
)

// Mode says what the answers of a search rest on.
type Mode uint8

// The modes.
const (
	// Proven answers are complete and exact unless the time ends first, and then
	// [Found.Open] says what is open.
	Proven = Mode(search.Proven)
	// Checked answers are candidates of a model whose distances are computed:
	// others may be missed. Without a model it is [Proven] with less time.
	Checked = Mode(search.Checked)
	// Predicted answers are what a model predicts from vectors alone. They have no
	// distance, only a prediction. Without a model the error wraps [ErrNoModel].
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
	// StatusProven: all distances are exact, and no other graph that the search
	// was limited to is nearer than the last of K, or within the radius. Graphs as
	// far as the last of K may have been left out; with several workers, which may
	// differ from run to run.
	StatusProven Status = "proven"
	// StatusOpen: every graph was looked at, but the time, the memory or the context
	// ended before all was proven. All bounds hold; [Found.Open] says what could
	// still be otherwise.
	StatusOpen Status = "open"
	// StatusChecked: the bounds of all answers hold, but only candidates of a model
	// were looked at; others may be nearer, or within the radius, too.
	StatusChecked Status = "checked"
	// StatusPredicted: the answers are a model's predictions, which may err to both
	// sides, in value and in order.
	StatusPredicted Status = "predicted"
)
