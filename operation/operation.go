// Package operation describes what greed does for a request, once for all surfaces: the
// command line, HTTP, assistants, the pipe and Python. Each operation is a struct whose
// fields carry their name (json), their default, their limits and a sentence of help
// (doc) as tags. Flags, JSON bodies, parameters of addresses, schemas and the reference
// in docs/ are derived from these. Resolve turns a request into the options of the Go
// API, or says which field is wrong.
package operation

import (
	"fmt"
	"math"
	"strings"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
)

// Limits are what a surface allows a request at most. Zero fields allow anything.
type Limits struct {
	Answers int
	Pairs   int // near each other
	Time    time.Duration
	Memory  int64 // bytes of the solver
	Workers int   // goroutines of a request; 0: one per core
}

// usual returns the time of work where the request names none: as long as it needs, but within limits no
// longer than is usual in a service.
func (l Limits) usual(inService time.Duration) time.Duration {
	if l.Time > 0 {
		return inService
	}
	return greed.NoLimit
}

// rows returns an error if an answer has more rows than are allowed.
func (l Limits) rows(field string, n int) error {
	if l.Answers == 0 || n <= l.Answers {
		return nil
	}
	return wrong(field, "%d pairs, transformations or duplicates are within it; at most %d are returned: ask for a "+
		"smaller radius, or for the first k", n, l.Answers)
}

// Error says what is wrong with a field of a request.
type Error struct {
	Field  string // its JSON name
	Reason string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Field, e.Reason) }

func wrong(field, format string, args ...any) error {
	return &Error{field, fmt.Sprintf(format, args...)}
}

// checkDistance returns an [Error] if the value of a field cannot limit a distance, and makes 0 of
// -0. JSON, which repeats the limit in an answer, has no infinity.
func checkDistance(field string, x *float64) error {
	if x == nil {
		return nil
	}
	if !(*x >= 0 && *x <= math.MaxFloat64) {
		return wrong(field, "%v: want a finite distance of at least 0", *x)
	}
	*x += 0
	return nil
}

// Task reads the name of a task; "" is ged.
func Task(name string) (greed.Task, error) {
	switch name {
	case "", "ged":
		return edit.GED, nil
	case "sed":
		return edit.SED, nil
	}
	return 0, wrong("task", "%q: want ged or sed", name)
}

// Learnable reads the name of a task that models learn, mcs besides those of searches;
// "" is ged.
func Learnable(name string) (task greed.Task, err error) {
	if name == "" {
		return edit.GED, nil
	}
	if err := task.UnmarshalText([]byte(name)); err != nil {
		return 0, wrong("task", "%q: want ged, sed or mcs", name)
	}
	return task, nil
}

// noTime is the time limit of work that ends only when it is done.
const noTime = "none"

// limit reads a time limit. "" is the usual one.
func limit(text string, usual time.Duration, most time.Duration) (time.Duration, error) {
	if text == "" {
		if most > 0 {
			usual = min(usual, most)
		}
		return usual, nil
	}
	if text == noTime {
		if most > 0 {
			return 0, wrong("time_limit", "%q: at most %v are allowed for a request here", text, most)
		}
		return greed.NoLimit, nil
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil || d <= 0:
		return 0, wrong("time_limit", "%q: want a time above 0 such as 500ms or 10s, or none", text)
	case most > 0 && d > most:
		return 0, wrong("time_limit", "%q: at most %v are allowed for a request here", text, most)
	}
	return d, nil
}

// answers returns how many answers are wanted, 0 if that was not said.
func (l Limits) answers(k *int) (int, error) {
	switch {
	case k == nil:
		return 0, nil
	case *k < 1:
		return 0, wrong("k", "%d: ask for at least one answer", *k)
	case l.Answers > 0 && *k > l.Answers:
		return 0, wrong("k", "%d: want 1 to %d answers", *k, l.Answers)
	}
	return *k, nil
}

// Filters reads conditions on records.
func Filters(texts []string) ([]greed.Filter, error) {
	var list []greed.Filter
	for _, text := range texts {
		f, err := greed.ParseFilter(text)
		if err != nil {
			return nil, &Error{"filter", strings.TrimPrefix(err.Error(), "filter ")}
		}
		list = append(list, f)
	}
	return list, nil
}
