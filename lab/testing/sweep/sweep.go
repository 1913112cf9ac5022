// Package sweep says how long the random sweeps of tests are. By default they are short;
// with GREED_SWEEP=long they take all their trials.
// It also makes the garbage collector of tests lazy.
package sweep

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

const (
	variable = "GREED_SWEEP" // README names it
	share    = 8             // a short sweep takes one trial in so many
)

func long() bool { return os.Getenv(variable) == "long" }

// Trials returns how many of n trials a sweep takes, at least one.
func Trials(n int) int {
	switch {
	case long():
		return n
	case testing.Short():
		return max(1, n/(2*share))
	}
	return max(1, n/share)
}

// Main runs the tests of a package whose sweeps are made by rapid. The flag rapid.checks
// goes before it.
func Main(m *testing.M) {
	LazyGC()
	if f := flag.Lookup("rapid.checks"); f != nil && !long() {
		if err := f.Value.Set("10"); err != nil {
			panic("sweep: " + err.Error())
		}
	}
	os.Exit(m.Run())
}

// LazyGC lets the heap of this process grow to five times what is in use before garbage is
// collected, unless GOGC is set. The heaps of most tests are so small that they are collected
// every few milliseconds.
func LazyGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
