package search

import "fmt"

// Mode says what the answers of a search rest on.
type Mode uint8

// The modes.
const (
	// Proven looks at every graph that bounds do not exclude: the answers are
	// complete and exact unless time ends.
	Proven Mode = iota
	// Checked computes the distances of a model's candidates. It may miss other graphs.
	// Without a model it is Proven with less time.
	Checked
	// Predicted compares vectors alone, which gives no distances. Without a model it is an
	// error that wraps [ErrNoModel].
	Predicted
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
		return nil, fmt.Errorf("search: there is no mode %d", m)
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
