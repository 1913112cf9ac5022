package ged_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// TestOracle asks everything that can be asked about random pairs, under all limits, and
// compares with all node maps.
func TestOracle(t *testing.T) {
	gedtest.Trials(t, time.Second, func(r *rand.Rand) error {
		ask := gedtest.Ask
		switch r.IntN(4) {
		case 0:
			ask = gedtest.AskCoarse
		case 1:
			ask = gedtest.AskMulti
		}
		return answers(r, ask(r))
	})
}

// answers asks one question under all limits and returns what is wrong with an answer.
func answers(r *rand.Rand, x *gedtest.Question) error {
	s, err := ged.NewSolver(x.Task, x.Costs)
	if err != nil {
		return fmt.Errorf("%w\n%v", err, x)
	}
	if r.IntN(2) == 0 {
		s.SetPatience(int64(r.IntN(3)))
	}
	for _, opt := range []ged.Options{{}, {Time: time.Microsecond}, {States: 1 + r.Int64N(6)}, {Memory: 1 + r.Int64N(8000<<(3*r.IntN(2))), States: 1 << 40}} {
		free := opt.Time == 0 && opt.States == 0
		opt.Upper, opt.Fixed = x.Upper, x.Fixed
		res, err := s.Within(context.Background(), x.Q, x.T, x.Within, opt)
		if math.IsInf(x.Within, -1) {
			res, err = s.Distance(context.Background(), x.Q, x.T, opt)
		}
		if err != nil {
			return fmt.Errorf("%w\n%v", err, x)
		}
		if err := x.Judge(gedtest.Claim{Answer: answer(res), Stopped: res.Stopped != ""}, free); err != nil {
			return fmt.Errorf("%w\nunder %+v: %+v\n%v", err, opt, res, x)
		}
	}
	return nil
}

// TestOracleMulti is TestOracle of graphs with self-loops and parallel edges alone: of 10,000
// pairs with GREED_SWEEP=long.
func TestOracleMulti(t *testing.T) {
	for trial := range sweep.Trials(10_000) {
		r := rand.New(rand.NewPCG(uint64(trial), 41))
		if err := answers(r, gedtest.AskMulti(r)); err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
	}
}

// TestFindings repeats what trials found wrong once.
func TestFindings(t *testing.T) {
	for name, f := range map[string]struct {
		trial  uint64
		memory int64
	}{
		// A strong search that finds a distance within the limit, but beyond its goal, has not
		// searched the rest.
		"enough below the goal": {264537055378405960, 3000},
		// Bounds of costs without a unit exceed 2⁵⁰ grains.
		"sifting in a fine unit": {2847020667507855106, 3606},
	} {
		x := gedtest.Ask(rand.New(rand.NewPCG(f.trial, 37)))
		s, err := ged.NewSolver(x.Task, x.Costs)
		if err != nil {
			t.Fatal(err)
		}
		s.SetPatience(0)
		res, err := s.Within(context.Background(), x.Q, x.T, x.Within, ged.Options{Memory: f.memory, Fixed: x.Fixed})
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Judge(gedtest.Claim{Answer: answer(res), Stopped: res.Stopped != ""}, false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
