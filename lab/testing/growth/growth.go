// Package growth measures how work grows with its input: for each element that an input may
// repeat, alone, whether twice as many of it cost more than in proportion.
package growth

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/lab/testing/processor"
)

// Case is an element that an input may repeat.
type Case struct {
	// Element names it and where it is, such as "smiles: columns".
	Element string
	// Make returns the work on an input with about n of it. Making the input is not measured.
	// The work may be repeated.
	Make func(n int) (work func())
	// Most is the greatest n, where the input has a limit. 0 is none.
	Most int
}

const (
	// variable makes the measurements whole; README names it.
	variable = "GREED_GROWTH"

	// allowed is how many times as much twice the input may cost.
	allowed = 2.5
	// turns is how often a measurement that is too much is repeated: what else the machine
	// does only ever adds to it.
	turns = 8

	first   = 256
	largest = 1 << 24
)

// extent is how far inputs grow until they are compared.
type extent struct {
	least   time.Duration // the smaller input of the two takes this
	allowed float64
}

// Whole reports whether measurements are whole, for those that are too slow else.
func Whole() bool { return os.Getenv(variable) == "whole" }

// leftOut reports whether a case is not measured.
func leftOut(i int) bool {
	part := 8
	if testing.Short() {
		part = 32
	}
	return !Whole() && i%part != 0
}

func extentOf() extent {
	if Whole() {
		return extent{50 * time.Millisecond, allowed}
	}
	// Small inputs are noisier. In quadratic time the factor would be 4.
	return extent{3 * time.Millisecond, 3.5}
}

// Result is what was measured of a case.
type Result struct {
	Element string
	N       int           // of the smaller input
	Time    time.Duration // of the processor, for that
	Factor  float64       // of the time for twice as much
}

// Exponent is the power of the input with which the work grows.
func (r Result) Exponent() float64 { return math.Log2(r.Factor) }

// Run measures cases, fails those that grow faster than they may, and with -v prints a table, the
// fastest growth first. Unless GREED_GROWTH is whole, inputs are small and one in eight cases is
// measured.
func Run(t *testing.T, cases []Case) {
	t.Helper()
	if processor.Time() == 0 {
		t.Skip("this system does not tell the processor time")
	}
	slices.SortFunc(cases, func(a, b Case) int { return strings.Compare(a.Element, b.Element) })
	e := extentOf()
	var all []Result
	for i, c := range cases {
		if i > 0 && cases[i-1].Element == c.Element {
			t.Errorf("%s: two cases", c.Element)
		}
		if leftOut(i) {
			continue
		}
		t.Run(c.Element, func(t *testing.T) {
			r := e.measure(c)
			if all = append(all, r); r.Factor > e.allowed {
				t.Errorf("%d take %v, twice as many %.2f times as long", r.N, r.Time, r.Factor)
			}
		})
	}
	slices.SortStableFunc(all, func(a, b Result) int { return -compare(a.Factor, b.Factor) })
	var table strings.Builder
	for _, r := range all {
		fmt.Fprintf(&table, "\n| %s | %d | %.1f ms | %.2f |", r.Element, r.N, float64(r.Time)/1e6, r.Exponent())
	}
	t.Logf("element, n, processor time of n, exponent:%s", &table)
}

// Largest measures the largest input of each case, which has a time limit, and with -v prints a
// table, the slowest first. It fails those that take more than most of the processor, and outside of
// whole measurements those that take four times as much.
func Largest(t *testing.T, cases []Case, most time.Duration) {
	t.Helper()
	if !Whole() {
		most *= 4
	}
	var all []Result
	for i, c := range cases {
		if leftOut(i) {
			continue
		}
		t.Run("largest/"+c.Element, func(t *testing.T) {
			work := c.Make(c.Most)
			r := Result{Element: c.Element, N: c.Most, Time: spent(work)}
			for range turns {
				if r.Time <= most {
					break
				}
				r.Time = min(r.Time, spent(work))
			}
			if all = append(all, r); r.Time > most {
				t.Errorf("%d are worked on for %v", r.N, r.Time)
			}
		})
	}
	slices.SortStableFunc(all, func(a, b Result) int { return int(b.Time - a.Time) })
	var table strings.Builder
	for _, r := range all {
		fmt.Fprintf(&table, "\n| %s | %d | %.1f ms |", r.Element, r.N, float64(r.Time)/1e6)
	}
	t.Logf("element, the most of it, processor time:%s", &table)
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// measure grows the input until work on it takes the least time, and compares four times as much.
func (e extent) measure(c Case) Result {
	most := largest
	if c.Most > 0 {
		most = c.Most
	}
	n := max(1, min(first, most/4))
	took := spent(c.Make(n))
	for took < e.least && 8*n <= most {
		if n *= 2; 16*took < e.least && 16*n <= most {
			n *= 4
		}
		took = spent(c.Make(n))
	}
	r := e.compare(c, n, most, took)
	// Where the input outgrows a cache the time makes one step. What grows faster does so at the next size, too.
	const square = 3.7 // beyond doubt
	if larger := min(4*n, most/4); r.Factor > e.allowed && r.Factor < square && larger > n {
		r = e.compare(c, larger, most, time.Duration(math.MaxInt64))
	}
	return r
}

// compare compares the work on n of an element, which took so long, with that on four times as many.
func (e extent) compare(c Case, n, most int, took time.Duration) Result {
	// Two doublings: the second of them rarely meets the end of the same cache as the first.
	small, large := c.Make(n), c.Make(min(4*n, most))
	r := Result{Element: c.Element, N: n, Time: min(took, spent(small))}
	fourfold := time.Duration(math.MaxInt64)
	// What takes hardly any time, however much of it there is, does not grow.
	const resolution = time.Millisecond
	for range turns {
		r.Time, fourfold = min(r.Time, spent(small)), min(fourfold, spent(large))
		if r.Factor = math.Sqrt(float64(fourfold) / float64(max(r.Time, resolution))); r.Factor <= e.allowed {
			break
		}
	}
	return r
}

// spent returns the processor time of work, without the collection of garbage, which comes when it likes.
func spent(work func()) time.Duration {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	begin := processor.Time()
	work()
	return processor.Time() - begin
}
