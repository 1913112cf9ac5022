// Package indextest holds the tests that every index passes, with a linear
// scan by norm.Norm.Distance as judge.
package indextest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/vectorindex"
)

// Build makes an index of vectors, [n, dim].
type Build func(n norm.Norm, vectors []float32) (vectorindex.Index, error)

// Run tests an index; with -short, as [Quick]. All data are made from fixed seeds.
func Run(t *testing.T, build Build) {
	if testing.Short() {
		Quick(t, build)
		return
	}
	run(t, build, norms())
}

// Quick is Run with two norms, for variants of an index that has passed Run.
func Quick(t *testing.T, build Build) {
	all := norms()
	run(t, build, []norm.Norm{all[3], all[9]}) // without and with a hinge
}

func run(t *testing.T, build Build, norms []norm.Norm) {
	for _, n := range norms {
		t.Run(describe(n), func(t *testing.T) {
			for _, d := range datasets(n) {
				t.Run(d.name, func(t *testing.T) { answers(t, build, n, d) })
			}
		})
	}
	t.Run("rejects", func(t *testing.T) { rejects(t, build) })
	t.Run("cancelled", func(t *testing.T) { cancelled(t, build) })
	t.Run("concurrent", func(t *testing.T) { concurrent(t, build) })
}

func norms() []norm.Norm {
	var all []norm.Norm
	for _, hinge := range []bool{false, true} {
		all = append(all,
			norm.Single(norm.L2, 33, hinge), norm.Single(norm.L1, 5, hinge), norm.Single(norm.L2, 1, hinge),
			norm.Norm{Widths: []int{8, 8, 8, 8}, Kind: norm.L1, Combine: norm.Max, Hinge: hinge},
			norm.Norm{Widths: []int{3, 13}, Kind: norm.L2, Combine: norm.Sum, Hinge: hinge})
	}
	return all
}

func describe(n norm.Norm) string {
	return fmt.Sprintf("%s-%s-%v-hinge=%t", n.Kind, n.Combine, n.Widths, n.Hinge)
}

// answers compares the answers to many queries with the judge's.
func answers(t *testing.T, build Build, n norm.Norm, d dataset) {
	x, err := build(n, d.vectors)
	if err != nil {
		t.Fatal(err)
	}
	count := len(d.vectors) / n.Dim()
	if x.Len() != count || !x.Norm().Equal(n) {
		t.Fatalf("index of %d vectors under %v, want %d under %v", x.Len(), x.Norm(), count, n)
	}
	ctx := context.Background()
	even := func(p int) bool { return p%2 == 0 }
	var all [][]vectorindex.Hit
	for _, q := range d.queries {
		all = append(all, expected(n, d.vectors, q))
	}
	for _, keep := range []func(int) bool{nil, even} {
		var queries []vectorindex.Query
		var want [][]vectorindex.Hit
		for i, q := range d.queries {
			queries = append(queries, vectorindex.Query{Vector: q, Accept: keep})
			want = append(want, filter(slices.Clone(all[i]), keep))
		}
		for j, k := range []int{-1, 0, 1, 10, count - 1, count + 5} {
			together, err := x.KNN(ctx, queries, k)
			if err != nil {
				t.Fatal(err)
			}
			for i := range queries {
				nearest := want[i][:max(0, min(k, len(want[i])))]
				same(t, fmt.Sprintf("%d nearest of query %d in a batch", k, i), together[i].Hits, nearest)
				if (i+j)%6 == 0 {
					same(t, fmt.Sprintf("%d nearest of query %d", k, i), alone(t)(x.KNN(ctx, queries[i:i+1], k)), nearest)
				}
			}
		}
		for j, theta := range thetas(want) {
			together, err := x.Range(ctx, queries, theta)
			if err != nil {
				t.Fatal(err)
			}
			for i := range queries {
				within := slices.IndexFunc(want[i], func(h vectorindex.Hit) bool { return h.Distance > theta })
				if within < 0 {
					within = len(want[i])
				}
				same(t, fmt.Sprintf("range %g of query %d in a batch", theta, i), together[i].Hits, want[i][:within])
				if (i+j)%6 == 0 {
					same(t, fmt.Sprintf("range %g of query %d", theta, i), alone(t)(x.Range(ctx, queries[i:i+1], theta)), want[i][:within])
				}
			}
		}
	}
	if err := x.Check(); err != nil {
		t.Error(err)
	}
}

// thetas are ranges with every sort of answer, some ending at a hit.
func thetas(want [][]vectorindex.Hit) []float64 {
	all := []float64{math.Inf(-1), -1, 0, 1, math.Inf(1)}
	for i, hits := range want {
		if i%6 == 0 && len(hits) > 0 {
			for _, at := range []int{0, len(hits) / 10, len(hits) - 1} {
				d := hits[at].Distance
				all = append(all, d, math.Nextafter(d, -1))
			}
		}
	}
	return all
}

// expected returns all vectors in the order of answers.
func expected(n norm.Norm, vectors, q []float32) []vectorindex.Hit {
	hits := []vectorindex.Hit{}
	dim := n.Dim()
	for p := range len(vectors) / dim {
		hits = append(hits, vectorindex.Hit{Position: p, Distance: n.Distance(q, vectors[p*dim:(p+1)*dim])})
	}
	slices.SortStableFunc(hits, func(a, b vectorindex.Hit) int {
		switch {
		case a.Distance < b.Distance:
			return -1
		case a.Distance > b.Distance:
			return 1
		}
		return 0
	})
	return hits
}

func filter(hits []vectorindex.Hit, keep func(int) bool) []vectorindex.Hit {
	if keep == nil {
		return hits
	}
	return slices.DeleteFunc(hits, func(h vectorindex.Hit) bool { return !keep(h.Position) })
}

func same(t *testing.T, what string, got, want []vectorindex.Hit) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d answers, want %d", what, len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: answer %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func alone(t *testing.T) func([]vectorindex.Result, error) []vectorindex.Hit {
	return func(r []vectorindex.Result, err error) []vectorindex.Hit {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r[0].Hits
	}
}

func rejects(t *testing.T, build Build) {
	n := norm.Single(norm.L2, 3, true)
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		vectors := make([]float32, 3*40)
		vectors[3*37+1] = bad
		if _, err := build(n, vectors); !errors.Is(err, vectorindex.ErrNotFinite) {
			t.Errorf("vectors with %v: error %v", bad, err)
		}
		x, err := build(n, make([]float32, 3*40))
		if err != nil {
			t.Fatal(err)
		}
		q := []vectorindex.Query{{Vector: []float32{0, 0, 0}}, {Vector: []float32{0, bad, 0}}}
		if _, err := x.KNN(context.Background(), q, 1); !errors.Is(err, vectorindex.ErrNotFinite) {
			t.Errorf("KNN with %v: error %v", bad, err)
		}
		if _, err := x.Range(context.Background(), q, 1); !errors.Is(err, vectorindex.ErrNotFinite) {
			t.Errorf("Range with %v: error %v", bad, err)
		}
		if _, err := x.Range(context.Background(), q[:1], math.NaN()); err == nil {
			t.Error("no error for a range of NaN")
		}
		for _, wrong := range []int{0, 2, 4} {
			panics(t, func() { x.KNN(context.Background(), []vectorindex.Query{{Vector: make([]float32, wrong)}}, 1) })
		}
	}
	if _, err := build(norm.Norm{}, nil); err == nil {
		t.Error("no error for a norm without blocks")
	}
}

func panics(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f()
}

func cancelled(t *testing.T, build Build) {
	x, err := build(norm.Single(norm.L1, 2, false), make([]float32, 2*5000))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	q := []vectorindex.Query{{Vector: make([]float32, 2)}}
	if _, err := x.KNN(ctx, q, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("KNN: error %v", err)
	}
	if _, err := x.Range(ctx, q, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("Range: error %v", err)
	}
}

// concurrent searches from several goroutines at once, for the race detector.
func concurrent(t *testing.T, build Build) {
	rng := rand.New(rand.NewPCG(9, 9))
	n := norm.Single(norm.L2, 8, true)
	vectors := normal(rng, 3000, 8, 1)
	x, err := build(n, vectors)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		q := normal(rng, 1, 8, 1)
		want := expected(n, vectors, q)
		group.Go(func() {
			for range 5 {
				r, err := x.KNN(context.Background(), []vectorindex.Query{{Vector: q}}, 20)
				if err != nil || !slices.Equal(r[0].Hits, want[:20]) {
					t.Errorf("wrong answer or error %v", err)
				}
			}
		})
	}
	group.Wait()
}
