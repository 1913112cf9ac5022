package bound

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// check fails unless r is a truthful answer for x, given the exact distance.
func check(t *testing.T, name string, x instance, r ged.Result, exact float64) {
	t.Helper()
	if err := r.Map.Check(x.q, x.t); err != nil {
		t.Fatalf("%s: %v\n%v", name, err, x)
	}
	if cost := edit.InducedCost(x.p, x.q, x.t, r.Map); cost != r.Upper {
		t.Fatalf("%s: the map costs %v, the upper bound is %v\n%v", name, cost, r.Upper, x)
	}
	tolerance := 1e-9 * (1 + exact)
	if r.Lower > exact+tolerance || r.Upper < exact-tolerance || r.Lower > r.Upper {
		t.Fatalf("%s: bounds %v to %v, the distance is %v\n%v", name, r.Lower, r.Upper, exact, x)
	}
	if r.Exact != (r.Lower == r.Upper) {
		t.Fatalf("%s: exact is %v with bounds %v to %v\n%v", name, r.Exact, r.Lower, r.Upper, x)
	}
}

func compute(t *testing.T, m Method, x instance, opt ged.Options) ged.Result {
	t.Helper()
	r, err := m.Compute(t.Context(), x.p, x.q, x.t, opt)
	if err != nil {
		t.Fatalf("%s: %v\n%v", m.Name, err, x)
	}
	return r
}

func TestMethodsAgainstBruteForce(t *testing.T) {
	methods := append(Methods(), AppBMao(1), AppBMao(3))
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for range 4000 {
		x := randomInstance(r, 4)
		exact := bruteForce(x)
		for _, m := range methods {
			got := compute(t, m, x, ged.Options{})
			check(t, m.Name, x, got, exact)
			if (m.Name == "bma" || m.Name == "bmao") && !got.Exact {
				t.Fatalf("%s: not exact without a limit: %v to %v\n%v", m.Name, got.Lower, got.Upper, x)
			}
		}
	}
}

// TestMethodsAgree compares the exact searches with each other, and the rest
// with them, on graphs too large for brute force.
func TestMethodsAgree(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 0))
	for range 150 {
		x := randomInstance(r, 7)
		exact := compute(t, methodNamed(t, "bma"), x, ged.Options{}).Upper
		for _, m := range Methods() {
			check(t, m.Name, x, compute(t, m, x, ged.Options{}), exact)
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
		x := randomInstance(r, 7)
		of := func(name string) ged.Result { return compute(t, methodNamed(t, name), x, ged.Options{}) }
		branch := of("branch")
		for _, c := range []struct {
			name   string
			lo, hi float64
		}{
			{"branch-fast lower ≤ branch lower", of("branch-fast").Lower, branch.Lower},
			{"branch lower ≤ app-bmao lower", branch.Lower, of("app-bmao:3").Lower},
			{"ipfp upper ≤ branch upper", of("ipfp").Upper, branch.Upper},
			{"refine upper ≤ branch upper", of("refine").Upper, branch.Upper},
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
	q, s := randomGraph(r, vocab, false, 14, 1, 1, false), randomGraph(r, vocab, false, 14, 1, 1, false)
	p, err := edit.Price(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	x := instance{edit.GED, p, q, s}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range Methods() {
		for name, run := range map[string]func() (ged.Result, error){
			"cancelled": func() (ged.Result, error) { return m.Compute(cancelled, p, q, s, ged.Options{}) },
			"time":      func() (ged.Result, error) { return m.Compute(t.Context(), p, q, s, ged.Options{Time: time.Nanosecond}) },
			"states":    func() (ged.Result, error) { return m.Compute(t.Context(), p, q, s, ged.Options{States: 2}) },
			"memory":    func() (ged.Result, error) { return m.Compute(t.Context(), p, q, s, ged.Options{Memory: 8000}) },
		} {
			got, err := run()
			if err != nil {
				t.Fatalf("%s, %s: %v", m.Name, name, err)
			}
			// The distance is unknown here; what the bounds say of each other is not.
			check(t, m.Name+", "+name, x, got, got.Upper)
		}
	}
}

func TestErrors(t *testing.T) {
	vocab := graph.NewVocabulary()
	undirected, directed := build(t, vocab, false, "AB", nil), build(t, vocab, true, "AB", nil)
	foreign := build(t, graph.NewVocabulary(), false, "AB", nil)
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
		x := randomInstance(rand.New(rand.NewPCG(seed, 1)), 5)
		exact := math.Inf(1)
		for _, m := range Methods() {
			exact = min(exact, compute(t, m, x, ged.Options{}).Upper)
		}
		for _, m := range Methods() {
			check(t, m.Name, x, compute(t, m, x, ged.Options{}), exact)
		}
	})
}
