package vectorindex_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/vectorindex"
)

// TestTogether: queries given together, more than share a pass, some of them
// limited to a few vectors, have the answers that each has alone.
func TestTogether(t *testing.T) {
	for _, hinge := range []bool{false, true} {
		n := norm.Single(norm.L1, 16, hinge)
		rng := rand.New(rand.NewPCG(7, 11))
		vectors := make([]float32, 20_000*16)
		for i := range vectors {
			vectors[i] = float32(rng.NormFloat64())
		}
		tree, err := vectorindex.NewBoxTree(n, vectors)
		if err != nil {
			t.Fatal(err)
		}
		queries := make([]vectorindex.Query, 150)
		for i := range queries {
			at := rng.IntN(20_000) * 16
			queries[i].Vector = append([]float32(nil), vectors[at:at+16]...)
			queries[i].Vector[rng.IntN(16)] += rng.Float32()
			if i%3 == 0 {
				queries[i].Accept = func(p int) bool { return p%7 == i%7 }
			}
		}
		for name, ask := range map[string]func(...vectorindex.Query) ([]vectorindex.Result, error){
			"nearest": func(q ...vectorindex.Query) ([]vectorindex.Result, error) { return tree.KNN(t.Context(), q, 20) },
			"range":   func(q ...vectorindex.Query) ([]vectorindex.Result, error) { return tree.Range(t.Context(), q, 5) },
		} {
			all, err := ask(queries...)
			if err != nil || len(all) != len(queries) {
				t.Fatalf("%d results for %d queries: %v", len(all), len(queries), err)
			}
			for i, q := range queries {
				alone, err := ask(q)
				if err != nil {
					t.Fatal(err)
				}
				if fmt.Sprint(all[i].Hits) != fmt.Sprint(alone[0].Hits) {
					t.Errorf("hinge %v, %s, query %d: %v together, %v alone", hinge, name, i, all[i].Hits, alone[0].Hits)
				}
			}
		}
	}
}
