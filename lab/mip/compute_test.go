package mip

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// installed runs a test for every solver on PATH.
func installed(t *testing.T, run func(t *testing.T, s Solver)) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			s, err := Find(name)
			if err != nil {
				t.Skip(err)
			}
			run(t, s)
		})
	}
}

// TestAgainstBruteForce solves a few pairs of every kind of costs.
func TestAgainstBruteForce(t *testing.T) {
	installed(t, func(t *testing.T, s Solver) {
		const seed = 1
		r := rand.New(rand.NewPCG(seed, 0))
		kinds := gedtest.Costs()
		for _, name := range slices.Sorted(maps.Keys(kinds)) {
			for _, task := range []edit.Task{edit.GED, edit.SED} {
				for _, directed := range []bool{false, true} {
					vocab := graph.NewVocabulary()
					shape := gedtest.Shape{MaxNodes: 4, Density: 0.6, NodeLabels: 2, EdgeLabels: 2, Directed: directed, Wildcards: 0.1}
					q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
					p, err := edit.Price(task, kinds[name](r), q, g)
					if err != nil {
						t.Fatal(err)
					}
					got, err := s.Compute(t.Context(), p, q, g, ged.Options{})
					if err != nil {
						t.Fatal(err)
					}
					want, _ := gedtest.BruteForce(p, q, g)
					err = gedtest.Judge(p, q, g, gedtest.Answer{Lower: got.Lower, Upper: got.Upper, Map: got.Map, Exact: got.Exact}, want)
					if err == nil && !got.Exact {
						err = fmt.Errorf("not exact without a limit: %v to %v", got.Lower, got.Upper)
					}
					if err != nil {
						t.Errorf("%v, %s: %v\ncosts %+v\nquery %v\ntarget %v", task, name, err, p.Costs(), gedtest.Text(q), gedtest.Text(g))
					}
				}
			}
		}
	})
}

// hardPair is too large for any solver to finish in a second.
func hardPair(t *testing.T) (*edit.Pricing, *graph.Graph, *graph.Graph) {
	t.Helper()
	r := rand.New(rand.NewPCG(2, 0))
	vocab := graph.NewVocabulary()
	shape := gedtest.Shape{MinNodes: 16, MaxNodes: 16, Density: 0.25, NodeLabels: 2, EdgeLabels: 1}
	p, err := edit.Price(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	return p, gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
}

func TestTimeLimitLeavesBounds(t *testing.T) {
	installed(t, func(t *testing.T, s Solver) {
		p, q, g := hardPair(t)
		got, err := s.Compute(t.Context(), p, q, g, ged.Options{Time: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		checkBounds(t, p, q, g, got)
	})
}

func TestCancellationLeavesBounds(t *testing.T) {
	installed(t, func(t *testing.T, s Solver) {
		p, q, g := hardPair(t)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		got, err := s.Compute(ctx, p, q, g, ged.Options{})
		if err != nil {
			t.Fatal(err)
		}
		checkBounds(t, p, q, g, got)
	})
}

// checkBounds checks what can be checked without the distance.
func checkBounds(t *testing.T, p *edit.Pricing, q, g *graph.Graph, r ged.Result) {
	t.Helper()
	if cost := edit.InducedCost(p, q, g, r.Map); cost != r.Upper || r.Lower > r.Upper || r.Exact != (r.Lower == r.Upper) {
		t.Errorf("bounds %v to %v, exact %v, with a map of cost %v", r.Lower, r.Upper, r.Exact, cost)
	}
}

// TestEmptyGraphs needs no solver, for there is nothing to decide.
func TestEmptyGraphs(t *testing.T) {
	g := edgePairProgram(t)
	empty, err := graph.NewBuilder(g.q.Vocabulary(), false).Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		q, t *graph.Graph
		want float64
	}{{empty, empty, 0}, {empty, g.t, 3}, {g.q, empty, 3}} {
		r, err := Solver{}.Compute(t.Context(), g.pricing, c.q, c.t, ged.Options{})
		if err != nil || r.Upper != c.want || !r.Exact {
			t.Errorf("%v to %v, exact %v, error %v; want %v", r.Lower, r.Upper, r.Exact, err, c.want)
		}
	}
}

// script returns a solver that is a shell script instead.
func script(t *testing.T, text string) Solver {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no shell scripts here")
	}
	path := filepath.Join(t.TempDir(), "solver")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return Solver{Name: "script", Path: path, kind: cbc}
}

func TestFailingSolvers(t *testing.T) {
	g := edgePairProgram(t)
	for _, c := range []struct {
		name, text string
		want       error
		says       string
	}{
		{"fails", "echo licence expired >&2; exit 3", ErrSolver, "licence expired"},
		{"writes nothing", "echo done", ErrSolver, "wrote no solution"},
		{"writes nonsense", `for last; do :; done; echo nonsense > "$last"`, ErrSolver, "line 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := script(t, c.text).Compute(t.Context(), g.pricing, g.q, g.t, ged.Options{})
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		s := Solver{Name: "cbc", Path: filepath.Join(t.TempDir(), "none"), kind: cbc}
		if _, err := s.Compute(t.Context(), g.pricing, g.q, g.t, ged.Options{}); !errors.Is(err, ErrSolver) {
			t.Errorf("error %v, want ErrSolver", err)
		}
	})
	t.Run("never ends", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		r, err := script(t, "exec sleep 600").Compute(ctx, g.pricing, g.q, g.t, ged.Options{})
		if err != nil || r.Lower != 0 || r.Upper != 6 {
			t.Errorf("bounds %v to %v, error %v; want 0 to 6", r.Lower, r.Upper, err)
		}
	})
}

func TestFind(t *testing.T) {
	if _, err := Find("gurobi"); !errors.Is(err, ErrNoSolver) {
		t.Errorf("error %v, want ErrNoSolver", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(""); !errors.Is(err, ErrNoSolver) || !strings.Contains(err.Error(), "glpsol") {
		t.Errorf("error %v, want ErrNoSolver and the programs tried", err)
	}
}

func TestMemoryLimit(t *testing.T) {
	g := edgePairProgram(t)
	if _, err := (Solver{}).Compute(t.Context(), g.pricing, g.q, g.t, ged.Options{Memory: 1000}); err == nil {
		t.Error("no error for a program of five variables within 1000 bytes")
	}
}

func TestMixedGraphs(t *testing.T) {
	g := edgePairProgram(t)
	directed, err := graph.NewBuilder(g.q.Vocabulary(), true).Build()
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := graph.NewBuilder(graph.NewVocabulary(), false).Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Solver{}).Compute(t.Context(), g.pricing, g.q, directed, ged.Options{}); !errors.Is(err, ged.ErrDirection) {
		t.Errorf("error %v, want one about direction", err)
	}
	if _, err := (Solver{}).Compute(t.Context(), g.pricing, g.q, foreign, ged.Options{}); !errors.Is(err, ged.ErrVocabulary) {
		t.Errorf("error %v, want one about vocabularies", err)
	}
}
