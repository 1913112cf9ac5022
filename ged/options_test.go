package ged_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

var tiny = gedtest.Shape{MinNodes: 0, MaxNodes: 5, Density: 0.5, NodeLabels: 3, EdgeLabels: 2}

// pairs calls f with many random pairs, solvers and prices.
func pairs(t *testing.T, f func(s *ged.Solver, p *edit.Pricing, r *rand.Rand, q, g *graph.Graph)) {
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		for name, costs := range gedtest.Costs() {
			for _, patience := range []int64{0, 1000} {
				r := rand.New(rand.NewPCG(3, 4))
				t.Run(task.String()+" "+name, func(t *testing.T) {
					for range 15 {
						vocab := graph.NewVocabulary()
						q, g := gedtest.Graph(r, vocab, tiny), gedtest.Graph(r, vocab, tiny)
						c := costs(r)
						s, err := ged.NewSolver(task, c)
						if err != nil {
							t.Fatal(err)
						}
						s.SetPatience(patience)
						p, err := edit.Price(task, c, q, g)
						if err != nil {
							t.Fatal(err)
						}
						f(s, p, r, q, g)
					}
				})
			}
		}
	}
}

func answer(r ged.Result) gedtest.Answer {
	return gedtest.Answer{Lower: r.Lower, Upper: r.Upper, Map: r.Map, Exact: r.Exact}
}

func TestWithin(t *testing.T) {
	pairs(t, func(s *ged.Solver, p *edit.Pricing, r *rand.Rand, q, g *graph.Graph) {
		want, _ := gedtest.BruteForce(p, q, g)
		for _, tau := range []float64{-1, 0, want * r.Float64(), want, want + 0.5, want + 3, math.Inf(1)} {
			res, err := s.Within(context.Background(), q, g, tau, ged.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := gedtest.Judge(p, q, g, answer(res), want); err != nil {
				t.Fatal(err)
			}
			within, known := res.Within(tau)
			if clear := math.Abs(want-tau) > gedtest.Tolerance; !known || clear && within != (want <= tau) {
				t.Fatalf("distance %v, τ %v: within %v, known %v, bounds [%v, %v]", want, tau, within, known, res.Lower, res.Upper)
			}
		}
	})
}

func TestUpper(t *testing.T) {
	pairs(t, func(s *ged.Solver, p *edit.Pricing, r *rand.Rand, q, g *graph.Graph) {
		want, _ := gedtest.BruteForce(p, q, g)
		for _, upper := range []float64{0.01, want * r.Float64(), want, want + 0.5, want + 3} {
			res, err := s.Distance(context.Background(), q, g, ged.Options{Upper: upper})
			if err != nil {
				t.Fatal(err)
			}
			if err := gedtest.Judge(p, q, g, answer(res), want); err != nil {
				t.Fatal(err)
			}
			if !res.Exact && (upper <= 0 || res.Lower < upper-gedtest.Tolerance) {
				t.Fatalf("distance %v, known bound %v: [%v, %v]", want, upper, res.Lower, res.Upper)
			}
		}
	})
}

func TestFixed(t *testing.T) {
	pairs(t, func(s *ged.Solver, p *edit.Pricing, r *rand.Rand, q, g *graph.Graph) {
		var fixed [][2]int
		targets := r.Perm(g.N())
		for i, v := range r.Perm(q.N())[:r.IntN(min(q.N(), g.N())+1)] {
			switch r.IntN(5) {
			case 0:
				fixed = append(fixed, [2]int{v, edit.Deleted})
			case 1:
				fixed = append(fixed, [2]int{edit.Deleted, targets[i]})
			default:
				fixed = append(fixed, [2]int{v, targets[i]})
			}
		}
		breaks := func(m edit.NodeMap) bool {
			return slices.ContainsFunc(fixed, func(f [2]int) bool {
				if f[0] == edit.Deleted {
					return slices.Contains(m, f[1])
				}
				return m[f[0]] != f[1]
			})
		}
		want := math.Inf(1)
		for m := range gedtest.NodeMaps(q.N(), g.N()) {
			if !breaks(m) {
				want = min(want, edit.InducedCost(p, q, g, m))
			}
		}
		res, err := s.Distance(context.Background(), q, g, ged.Options{Fixed: fixed})
		if err != nil {
			t.Fatal(err)
		}
		if err := gedtest.Judge(p, q, g, answer(res), want); err != nil {
			t.Fatalf("fixed %v: %v", fixed, err)
		}
		if breaks(res.Map) {
			t.Fatalf("fixed %v, map %v", fixed, res.Map)
		}
		if !res.Exact {
			t.Fatal("not exact")
		}
	})
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	vocab := graph.NewVocabulary()
	r := rand.New(rand.NewPCG(1, 1))
	shape := gedtest.Shape{MinNodes: 3, MaxNodes: 3, Density: 0.5, NodeLabels: 2, EdgeLabels: 2}
	g := gedtest.Graph(r, vocab, shape)
	directed := shape
	directed.Directed = true
	s, err := ged.NewSolver(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Distance(ctx, g, gedtest.Graph(r, graph.NewVocabulary(), shape), ged.Options{}); !errors.Is(err, ged.ErrVocabulary) {
		t.Error("vocabularies:", err)
	}
	if _, err := s.Distance(ctx, g, gedtest.Graph(r, vocab, directed), ged.Options{}); !errors.Is(err, ged.ErrDirection) {
		t.Error("directions:", err)
	}
	for _, fixed := range [][][2]int{{{3, 0}}, {{0, -2}}, {{-1, -1}}, {{0, -1}, {0, 1}}, {{-1, 1}, {0, 1}}, {{0, 1}, {0, 2}}, {{0, 1}, {2, 1}}} {
		if _, err := s.Distance(ctx, g, g, ged.Options{Fixed: fixed}); !errors.Is(err, ged.ErrFixed) {
			t.Error(fixed, err)
		}
	}
	bad := edit.Uniform()
	bad.EdgeDelete = math.NaN()
	if _, err := ged.NewSolver(edit.GED, bad); !errors.Is(err, edit.ErrCosts) {
		t.Error("costs:", err)
	}
	missing := edit.Uniform()
	missing.Nodes = &edit.Table{}
	s, err = ged.NewSolver(edit.GED, missing)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Distance(ctx, g, g, ged.Options{}); !errors.Is(err, edit.ErrCosts) {
		t.Error("table:", err)
	}
}

// TestCancellation stops searches at random moments.
func TestCancellation(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	shape := gedtest.Shape{MinNodes: 12, MaxNodes: 30, Density: 0.25, NodeLabels: 3, EdgeLabels: 2}
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		for range sweep.Trials(30) {
			vocab := graph.NewVocabulary()
			q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
			s, err := ged.NewSolver(task, edit.Uniform())
			if err != nil {
				t.Fatal(err)
			}
			p, err := edit.Price(task, edit.Uniform(), q, g)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(r.IntN(20000))*time.Microsecond)
			defer cancel()
			res, err := s.Distance(ctx, q, g, ged.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := gedtest.Judge(p, q, g, answer(res), max(res.Lower, min(res.Upper, (res.Lower+res.Upper)/2))); err != nil && !res.Exact {
				t.Fatal(err)
			}
			// The bounds of a longer search lie within.
			again, err := s.Distance(context.Background(), q, g, ged.Options{States: 5000, Time: 200 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			if again.Lower > res.Upper || again.Upper < res.Lower {
				t.Fatalf("bounds [%v, %v], then [%v, %v]", res.Lower, res.Upper, again.Lower, again.Upper)
			}
		}
	}
}

// TestMemory has memory for hardly more than one state, or for none.
func TestMemory(t *testing.T) {
	for _, memory := range []int64{1, 6000} {
		gedtest.Conform(t, maker(ged.Options{Memory: memory, States: 1 << 40}))
	}
	r := rand.New(rand.NewPCG(7, 8))
	shape := gedtest.Shape{MinNodes: 12, MaxNodes: 20, Density: 0.3, NodeLabels: 2, EdgeLabels: 2}
	for range 10 {
		vocab := graph.NewVocabulary()
		q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
		s, err := ged.NewSolver(edit.GED, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		for _, memory := range []int64{1, 20000, 100000} {
			res, err := s.Distance(context.Background(), q, g, ged.Options{Memory: memory, States: 5000})
			if err != nil {
				t.Fatal(err)
			}
			if err := res.Map.Check(q, g); err != nil {
				t.Fatal(err)
			}
			if res.Lower > res.Upper {
				t.Fatalf("[%v, %v]", res.Lower, res.Upper)
			}
		}
	}
}

// TestVersions: of two versions of a large graph without labels, the first node map pairs nodes
// of equal numbers, but those that are fixed.
func TestVersions(t *testing.T) {
	vocab := graph.NewVocabulary()
	shape := gedtest.Shape{MinNodes: 200, MaxNodes: 200, Density: 0.02, NodeLabels: 1, EdgeLabels: 1}
	q := gedtest.Graph(rand.New(rand.NewPCG(7, 9)), vocab, shape)
	b := graph.NewBuilder(vocab, false)
	for range q.N() + 1 {
		b.AddNodeLabel(q.Label(0))
	}
	first := true
	for e := range q.Edges() {
		if !first {
			b.MustAdd(int(e.From), int(e.To), e.Label)
		}
		first = false
	}
	g := b.MustBuild()
	for _, c := range []struct {
		opt  ged.Options
		most float64
	}{{ged.Options{Memory: 1}, 2}, {ged.Options{Memory: 1, Fixed: [][2]int{{3, q.N()}}}, 40}} {
		s, err := ged.NewSolver(edit.GED, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		res, err := s.Distance(context.Background(), q, g, c.opt)
		if err != nil || res.Upper > c.most || len(c.opt.Fixed) > 0 && res.Map[3] != q.N() {
			t.Errorf("%+v: at most %v, want %v (%v)", c.opt, res.Upper, c.most, err)
		}
	}
}
