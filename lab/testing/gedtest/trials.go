package gedtest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// Trials calls try with random sources of their own for a bounded time: short, or as long
// as GREED_ORACLE says, such as 3h. A failing trial is told by its number, from which
// GREED_TRIAL repeats it.
func Trials(t *testing.T, short time.Duration, try func(r *rand.Rand) error) {
	t.Helper()
	run := func(trial uint64) {
		if err := try(rand.New(rand.NewPCG(trial, 37))); err != nil {
			t.Fatalf("GREED_TRIAL=%d: %v", trial, err)
		}
	}
	first := uint64(0)
	if text := os.Getenv("GREED_ORACLE"); text != "" {
		long, err := time.ParseDuration(text)
		if err != nil {
			t.Fatalf("GREED_ORACLE: %v", err)
		}
		short, first = long, rand.Uint64()>>1 // each long run sees others
	}
	if text := os.Getenv("GREED_TRIAL"); text != "" {
		trial, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("GREED_TRIAL: %v", err)
		}
		run(trial)
		return
	}
	start, trial := time.Now(), first
	for time.Since(start) < short {
		run(trial)
		trial++
	}
	t.Logf("%d trials", trial-first)
}
