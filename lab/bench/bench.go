// Package bench measures the solver, exact search over vectors and searches
// whose answers are proven, as docs/benchmarks.md describes, and holds the
// figures against their targets.
//
// For the solver every pair is solved alone, its preprocessing and node map included, by one
// goroutine whose solver keeps memory but no results from pair to pair. What is
// fast is measured several times, in turns with everything else that is fast, and
// reported as the median. Reading graphs and drawing pairs is not timed. Pairs
// are the same in every run.
package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Options are options of [GED].
type Options struct {
	Data    string   // folder with the collections; docs/benchmarks.md describes its layout
	Only    []string // names of rows, or the part before a slash; empty means all
	Scale   float64  // share of the pairs that is measured, in (0, 1]
	Program string   // name or path of greed, for the row that starts it

	// Of the rows of large pairs: how many of each class (0: 45), the time for one
	// (0: 1 s), and the file with the best bounds known, which is read and improved;
	// empty means none. With Processor the time is that of the processor, for busy
	// machines.
	Pairs     int
	Limit     time.Duration
	Known     string
	Processor bool

	// Progress, if not nil, is called a few times a second.
	Progress func(Step)
}

// Step says how far a row is.
type Step struct {
	Row         string
	Run         int // from 1
	Done, Total int // pairs
}

// GED measures the rows of the solver. It writes only to a temporary folder. If the
// context ends, the table holds what was measured so far and says so; that is no error.
// A row whose collection is not in the data folder gives the reason instead of figures.
//
// Measurements are of one core only if the caller limits the Go runtime to one.
func GED(ctx context.Context, opt Options) (*Table, error) {
	if !(opt.Scale > 0 && opt.Scale <= 1) {
		return nil, fmt.Errorf("bench: scale %v, want a share above 0, at most 1", opt.Scale)
	}
	if opt.Pairs < 0 || opt.Limit < 0 {
		return nil, fmt.Errorf("bench: %d pairs a class, %s for each: want some", opt.Pairs, opt.Limit)
	}
	opt.Pairs, opt.Limit = cmp.Or(opt.Pairs, largePairs), cmp.Or(opt.Limit, budget)
	if opt.Processor && processorTime() == 0 {
		return nil, errors.New("bench: this system does not tell processor times")
	}
	chosen, err := choose(solverRows(), opt.Only)
	if err != nil {
		return nil, err
	}
	best, err := readKnown(opt.Known)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	x := &lab{Options: opt, known: best, collections: make(map[string][]collection), exact: make(map[string][]pair)}
	table := &Table{Scale: opt.Scale, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	var trials []*trial
	for _, r := range chosen {
		if ctx.Err() != nil {
			break
		}
		t := &trial{row: r}
		t.pass, err = r.prepare(ctx, x)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			t.skipped = err.Error()
		case err != nil && ctx.Err() == nil:
			return nil, fmt.Errorf("bench: %s: %w", r.name, err)
		}
		trials = append(trials, t)
	}
	if err := measure(ctx, trials, opt.Progress); err != nil {
		return nil, err
	}
	for _, t := range trials {
		table.Rows = append(table.Rows, t.report())
	}
	table.Interrupted = ctx.Err() != nil
	return table, nil
}

// Names returns the names of the rows that GED measures.
func Names() []string {
	var names []string
	for _, r := range solverRows() {
		names = append(names, r.name)
	}
	return names
}

// row is something to measure.
type row struct {
	name, about string
	runs        int
	list        bool // list the pairs whose bounds do not meet
	figures     []figure
	// prepare returns the function to be timed. If a collection is missing, the error
	// wraps [fs.ErrNotExist].
	prepare func(context.Context, *lab) (pass, error)
}

// pass measures once. If the context ends, it returns what it has.
type pass func(ctx context.Context, run int, step func(done, total int)) (outcome, error)

// choose returns the rows that only names.
func choose(rows []row, only []string) ([]row, error) {
	if len(only) == 0 {
		return rows, nil
	}
	names := func(want, name string) bool { return name == want || strings.HasPrefix(name, want+"/") }
	for _, want := range only {
		if !slices.ContainsFunc(rows, func(r row) bool { return names(want, r.name) }) {
			return nil, fmt.Errorf("bench: no row %q, want some of %s", want, strings.Join(Names(), ", "))
		}
	}
	return slices.DeleteFunc(rows, func(r row) bool {
		return !slices.ContainsFunc(only, func(want string) bool { return names(want, r.name) })
	}), nil
}

// trial is a row and its measurements.
type trial struct {
	row
	pass     pass
	skipped  string
	outcomes []outcome
}

// measure runs every trial as often as its row says, in turns.
func measure(ctx context.Context, trials []*trial, progress func(Step)) error {
	for run := 0; ; run++ {
		due := 0
		for _, t := range trials {
			if t.pass == nil || run >= t.runs {
				continue
			}
			due++
			step := func(done, total int) {
				if progress != nil {
					progress(Step{t.name, run + 1, done, total})
				}
			}
			runtime.GC() // collect garbage now, so that this pass does not pay for it
			s, err := t.pass(ctx, run, step)
			switch {
			case err != nil && ctx.Err() == nil:
				return fmt.Errorf("bench: %s: %w", t.name, err)
			case ctx.Err() == nil, err == nil && run == 0 && s.pairs > 0:
				t.outcomes = append(t.outcomes, s)
			}
			if ctx.Err() != nil {
				return nil
			}
		}
		if due == 0 {
			return nil
		}
	}
}
