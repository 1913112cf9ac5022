package model_test

import (
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

// BenchmarkDistance compares embeddings, 32 wide, by the norm and by the MLP.
func BenchmarkDistance(b *testing.B) {
	for _, name := range []string{"ged/gin/directed=false", "ged/mlp/directed=false"} {
		m := variants()[name]
		rng := rand.New(rand.NewPCG(1, 1))
		q, t := graphtest.Random(rng, newVocabulary(), 9, 0.3, false), graphtest.Random(rng, newVocabulary(), 9, 0.3, false)
		zq, err := m.Embed(b.Context(), []*graph.Graph{q}, 1)
		if err != nil {
			b.Fatal(err)
		}
		zt, err := m.Embed(b.Context(), []*graph.Graph{t}, 1)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Norm().Distance(zq, zt)
			}
		})
	}
}
