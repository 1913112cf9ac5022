package operation

import "time"

// Written limits the time of writing graphs.
type Written struct {
	TimeLimit string `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"${written_time_limit}"`
}

// Limit returns the time, or an [Error] that names the field.
func (w *Written) Limit(usual time.Duration, allowed Limits) (time.Duration, error) {
	return (&Timed{w.TimeLimit}).Limit(usual, allowed)
}
