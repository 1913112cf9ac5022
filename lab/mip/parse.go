package mip

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// variables returns the position in the objective of every variable's name.
func (g *Program) variables() map[string]int {
	of := make(map[string]int, len(g.node)+len(g.pairs))
	for v := range len(g.node) + len(g.pairs) {
		of[g.variable(v)] = v
	}
	return of
}

// reader collects the values of variables from a solution file.
type reader struct {
	of     map[string]int
	values []float64
	line   int // for errors
}

func newReader(g *Program) *reader {
	n := len(g.node) + len(g.pairs)
	return &reader{of: g.variables(), values: make([]float64, n)}
}

func (r *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("%w: solution file, line %d: %s", ErrSolver, r.line, fmt.Sprintf(format, args...))
}

// set records the value of a variable.
func (r *reader) set(name, value string) error {
	v, ok := r.of[name]
	if !ok {
		return r.errorf("unknown variable %q", name)
	}
	return r.setAt(v, value)
}

func (r *reader) setAt(v int, value string) error {
	x, err := r.number(value)
	if err != nil {
		return err
	}
	r.values[v] = x
	return nil
}

// number reads a finite number.
func (r *reader) number(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, r.errorf("%q is not a finite number", text)
	}
	return x, nil
}

// lines yields the lines of text with their fields, blank ones left out.
func (r *reader) lines(text string) func(func(string, []string) bool) {
	return func(yield func(string, []string) bool) {
		r.line = 0
		for line := range strings.Lines(text) {
			r.line++
			if fields := strings.Fields(line); len(fields) > 0 && !yield(strings.TrimSpace(line), fields) {
				return
			}
		}
	}
}

// logged returns the number that follows label in the last line of the log that
// starts with it, or −Inf: what a log does not say is not known.
func logged(log, label string) float64 {
	bound := math.Inf(-1)
	for line := range strings.Lines(log) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), label)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " :\t")
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			continue
		}
		if x, err := strconv.ParseFloat(fields[0], 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 1) {
			bound = x
		}
	}
	return bound
}

// unexpected is the answer to a status that no program of ours can have:
// infeasible, unbounded or unknown.
func unexpected(status string) error {
	return fmt.Errorf("%w: status %q", ErrSolver, status)
}
