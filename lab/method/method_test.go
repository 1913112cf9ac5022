package method

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// TestConform runs AStar-BMa through the suite of all solvers, and on every pair
// of the suite holds the other methods against it.
func TestConform(t *testing.T) { gedtest.Conform(t, all(t)) }

func TestConformMeasured(t *testing.T) { gedtest.ConformMeasured(t, all(t)) }

// all makes a solver that runs AStar-BMa and holds all other methods against it.
func all(t *testing.T) gedtest.Maker {
	exact := methodNamed(t, "bma")
	others := append(Methods(), AppBMao(1), AppBMao(3))
	return func(task edit.Task, costs edit.Costs) (gedtest.Solver, error) {
		return func(q, g *graph.Graph) (gedtest.Answer, error) {
			p, err := edit.Price(task, costs, q, g)
			if err != nil {
				return gedtest.Answer{}, err
			}
			x := pairOf(p, q, g)
			best := x.compute(t, exact, ged.Options{})
			for _, m := range others {
				r := x.compute(t, m, ged.Options{})
				if err := check(x, r, best.Upper); err != nil {
					return gedtest.Answer{}, fmt.Errorf("%s: %w", m.Name, err)
				}
				if !r.Exact && (m.Name == "bma" || m.Name == "bmao") {
					return gedtest.Answer{}, fmt.Errorf("%s: not exact without a limit: %v to %v", m.Name, r.Lower, r.Upper)
				}
			}
			return gedtest.Answer{Lower: best.Lower, Upper: best.Upper, Map: best.Map, Exact: best.Exact}, nil
		}, nil
	}
}

// TestMethodsAgree compares the exact searches with each other, and the rest
// with them, on graphs too large for brute force.
func TestMethodsAgree(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		x := random(r, 7)
		exact := x.compute(t, methodNamed(t, "bma"), ged.Options{}).Upper
		for _, m := range Methods() {
			x.check(t, m, x.compute(t, m, ged.Options{}), exact)
		}
	}
}

func methodNamed(t *testing.T, name string) Method {
	t.Helper()
	m, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestDominance holds what theory says of the methods' bounds.
func TestDominance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	for range 1000 {
		x := random(r, 7)
		of := func(name string) ged.Result { return x.compute(t, methodNamed(t, name), ged.Options{}) }
		branch := of("branch")
		for _, c := range []struct {
			name   string
			lo, hi float64
		}{
			{"branch-fast lower ≤ branch lower", of("branch-fast").Lower, branch.Lower},
			{"branch lower ≤ app-bmao lower", branch.Lower, of("app-bmao:3").Lower},
			{"ipfp upper ≤ branch upper", of("ipfp").Upper, branch.Upper},
			{"refine upper ≤ branch upper", of("refine").Upper, branch.Upper},
			{"mipfp upper ≤ ipfp upper", of("mipfp").Upper, of("ipfp").Upper},
			{"app-bmao:3 lower ≤ app-bmao lower", of("app-bmao:3").Lower, of("app-bmao").Lower},
			{"app-bmao upper ≤ app-bmao:3 upper", of("app-bmao").Upper, of("app-bmao:3").Upper},
		} {
			if c.lo > c.hi+1e-9*(1+c.hi) {
				t.Fatalf("%s fails: %v, %v\n%v", c.name, c.lo, c.hi, x)
			}
		}
	}
}

func TestLimitsLeaveBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	vocab := graph.NewVocabulary()
	shape := gedtest.Shape{MinNodes: 14, MaxNodes: 14, Density: 0.3, NodeLabels: 1, EdgeLabels: 1}
	q, s := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
	p, err := edit.Price(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	x := pairOf(p, q, s)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range Methods() {
		for name, run := range map[string]func() (ged.Result, error){
			"cancelled": func() (ged.Result, error) { return m.Compute(cancelled, p, q, s, ged.Options{}) },
			"time":      func() (ged.Result, error) { return m.Compute(t.Context(), p, q, s, ged.Options{Time: time.Nanosecond}) },
			"states":    func() (ged.Result, error) { return m.Compute(t.Context(), p, q, s, ged.Options{States: 2}) },
			"memory":    func() (ged.Result, error) { return m.Compute(t.Context(), p, q, s, ged.Options{Memory: 20000}) },
		} {
			got, err := run()
			if err != nil {
				t.Fatalf("%s, %s: %v", m.Name, name, err)
			}
			// The distance is unknown here; what the bounds say of each other is not.
			if err := check(x, got, got.Upper); err != nil {
				t.Errorf("%s, %s: %v", m.Name, name, err)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	vocab := graph.NewVocabulary()
	two := func(vocab *graph.Vocabulary, directed bool) *graph.Graph {
		return gedtest.Graph(rand.New(rand.NewPCG(1, 0)), vocab, gedtest.Shape{MinNodes: 2, MaxNodes: 2, NodeLabels: 2, EdgeLabels: 1, Directed: directed})
	}
	undirected, directed, foreign := two(vocab, false), two(vocab, true), two(graph.NewVocabulary(), false)
	p, err := edit.Price(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Methods() {
		if _, err := m.Compute(t.Context(), p, undirected, directed, ged.Options{}); !errors.Is(err, ged.ErrDirection) {
			t.Errorf("%s: error %v, want one about direction", m.Name, err)
		}
		if _, err := m.Compute(t.Context(), p, undirected, foreign, ged.Options{}); !errors.Is(err, ged.ErrVocabulary) {
			t.Errorf("%s: error %v, want one about vocabularies", m.Name, err)
		}
	}
	if _, err := methodNamed(t, "branch").Compute(t.Context(), p, undirected, undirected, ged.Options{Memory: 1}); err == nil {
		t.Error("no error for tables beyond the memory allowed")
	}
}

func TestFind(t *testing.T) {
	for _, m := range append(Methods(), AppBMao(7)) {
		if got := methodNamed(t, m.Name); got.Name != m.Name {
			t.Errorf("found %s under the name %s", got.Name, m.Name)
		}
	}
	for _, name := range []string{"", "Branch", "app-bmao:", "app-bmao:0", "app-bmao:x", "branch:3"} {
		if _, err := Find(name); err == nil {
			t.Errorf("no error for %q", name)
		}
	}
}

func FuzzMethods(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		x := random(rand.New(rand.NewPCG(seed, 1)), 5)
		exact := math.Inf(1)
		for _, m := range Methods() {
			exact = min(exact, x.compute(t, m, ged.Options{}).Upper)
		}
		for _, m := range Methods() {
			x.check(t, m, x.compute(t, m, ged.Options{}), exact)
		}
	})
}
