package ged_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// TestStopped: a result that is not exact says which limit it came to.
func TestStopped(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	vocab := graph.NewVocabulary()
	draw := func(n int, density float64) *graph.Graph {
		return gedtest.Graph(r, vocab, gedtest.Shape{MinNodes: n, MaxNodes: n, Density: density, NodeLabels: 2, EdgeLabels: 2})
	}
	q, g := draw(28, 0.2), draw(28, 0.2)
	large, other := draw(2100, 0.001), draw(2100, 0.001)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancel := context.WithDeadline(context.Background(), time.Now())
	defer cancel()
	s, err := ged.NewSolver(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		ctx  context.Context
		q, t *graph.Graph
		opt  ged.Options
		want ged.Stop
	}{
		{"time", context.Background(), q, g, ged.Options{Time: time.Millisecond}, ged.StopTime},
		{"hardly any time", context.Background(), large, other, ged.Options{Time: time.Microsecond}, ged.StopTime},
		{"deadline", late, q, g, ged.Options{}, ged.StopTime},
		{"states", context.Background(), q, g, ged.Options{States: 10}, ged.StopStates},
		{"memory for nothing", context.Background(), q, g, ged.Options{Memory: 1000}, ged.StopMemory},
		{"memory for a few states", context.Background(), q, g, ged.Options{Memory: 80_000}, ged.StopMemory},
		{"interrupted", cancelled, q, g, ged.Options{}, ged.StopInterrupted},
		{"exact", context.Background(), q, q, ged.Options{}, ""},
		{"answered by the limit of interest", context.Background(), q, g, ged.Options{Upper: 1}, ""},
		{"a pair fixed", context.Background(), q, g, ged.Options{States: 10, Fixed: [][2]int{{0, edit.Deleted}}}, ged.StopStates},
	} {
		got, err := s.Distance(c.ctx, c.q, c.t, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if got.Stopped != c.want || got.Exact && got.Stopped != "" {
			t.Errorf("%s: stopped by %q, want %q ([%v, %v], %d states)", c.name, got.Stopped, c.want, got.Lower, got.Upper, got.States)
		}
	}
	within, err := s.Within(context.Background(), q, g, 1, ged.Options{})
	if err != nil || within.Stopped != "" {
		t.Errorf("an answer to within 1 was stopped by %q, %v", within.Stopped, err)
	}
}
