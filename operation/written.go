package operation

import "time"

// Written limits the time of writing graphs.
type Written struct {
	TimeLimit string `json:"time_limit,omitempty" minLength:"1" placeholder:"TIME" doc:"Time for all of them, such as 500ms; those that it does not suffice for become records without atoms that say so; by default 10s"`
}

// Limit returns the time, or an [Error] that names the field.
func (w *Written) Limit(usual time.Duration, allowed Limits) (time.Duration, error) {
	return (&Timed{w.TimeLimit}).Limit(usual, allowed)
}
