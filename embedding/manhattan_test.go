package embedding_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/embedding"
	"github.com/greedgraph/greed/norm"
)

func TestManhattanIsTheHinge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		dim := 1 + rng.IntN(8)
		set := &embedding.Set{Norm: norm.Single(norm.L1, dim, true)}
		vector := func() []float32 {
			v := make([]float32, dim)
			for i := range v {
				v[i] = float32(rng.NormFloat64() * 10)
			}
			return v
		}
		for range rng.IntN(6) {
			set.Append("x", vector())
		}
		rows, c, err := set.Manhattan()
		if err != nil {
			t.Fatal(err)
		}
		q := vector()
		for i := range set.Len() {
			row := rows[i*(dim+1) : (i+1)*(dim+1)]
			l1, sum := math.Abs(float64(row[dim])), 0.0
			for j := range q {
				l1 += math.Abs(float64(q[j]) - float64(row[j]))
				sum += float64(q[j])
			}
			want := set.Norm.Distance(q, set.Vector(i))
			if got := (l1 + sum - c) / 2; math.Abs(got-want) > 1e-4*(1+want) {
				t.Fatalf("%v, want %v", got, want)
			}
		}
	}
	for _, n := range []norm.Norm{norm.Single(norm.L1, 2, false), norm.Single(norm.L2, 2, true), norm.Blocks(norm.L1, norm.Max, 1, 2, true)} {
		if _, _, err := (&embedding.Set{Norm: n}).Manhattan(); err == nil {
			t.Errorf("%v passes", n)
		}
	}
}
