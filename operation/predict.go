package operation

import (
	greed "github.com/greedgraph/greed"
)

// Predict asks for the distances that a model predicts for pairs of graphs.
type Predict struct {
	States int64 `json:"states,omitempty" minimum:"1" placeholder:"N" doc:"${predict_states}"`
	Raw    bool  `json:"raw,omitempty" doc:"${predict_raw}"`
}

// Resolve returns the options, or an [Error] that names a field.
func (r *Predict) Resolve() (greed.PredictionOptions, error) {
	switch {
	case r.States < 0:
		return greed.PredictionOptions{}, wrong("states", "%d: want a number of states", r.States)
	case r.States > 0 && r.Raw:
		return greed.PredictionOptions{}, wrong("raw", "leaves no bounds: leave out states")
	}
	return greed.PredictionOptions{Raw: r.Raw, States: r.States}, nil
}
