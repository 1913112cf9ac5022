package gedtest

import (
	"math/rand/v2"
	"testing"
)

// TestAskRepeats: a seed gives the same question every time, so that a finding can be repeated.
func TestAskRepeats(t *testing.T) {
	for seed := range uint64(300) {
		ask := func() string { return Ask(rand.New(rand.NewPCG(seed, 37))).String() }
		if first, again := ask(), ask(); first != again {
			t.Fatalf("seed %d gives two questions:\n%s\n%s", seed, first, again)
		}
	}
}
