package indextest

import (
	"fmt"
	"math/rand/v2"

	"github.com/greedgraph/greed/norm"
)

// dataset is a collection of vectors, [n, dim], and queries.
type dataset struct {
	name    string
	vectors []float32
	queries [][]float32
}

// datasets are collections of all sorts for a norm.
func datasets(n norm.Norm) []dataset {
	dim := n.Dim()
	rng := rand.New(rand.NewPCG(uint64(dim), 1))
	var all []dataset
	add := func(name string, vectors []float32, size float32) {
		d := dataset{name: name, vectors: vectors}
		for range 3 {
			d.queries = append(d.queries, normal(rng, 1, dim, size))
		}
		if count := len(vectors) / dim; count > 0 {
			for range 2 { // near or at a vector
				at := rng.IntN(count) * dim
				q := append([]float32(nil), vectors[at:at+dim]...)
				d.queries = append(d.queries, append([]float32(nil), q...))
				q[rng.IntN(dim)] += size / 8
				d.queries = append(d.queries, q)
			}
		}
		d.queries = append(d.queries, make([]float32, dim), fill(dim, 3e38), fill(dim, -3e38), fill(dim, 1e-45))
		all = append(all, d)
	}
	for _, count := range []int{0, 1, 15, 16, 17, 33, 260} {
		add(fmt.Sprintf("random-%d", count), normal(rng, count, dim, 1), 1)
	}
	add("clustered", clustered(rng, 260, dim), 1)
	add("small whole numbers", whole(rng, 100, dim), 1)
	add("duplicated", duplicated(rng, 100, dim), 1)
	add("constant", fill(100*dim, 0.5), 1)
	add("zero", fill(100*dim, 0), 1)
	add("positive", positive(rng, 100, dim), 1)
	add("huge", normal(rng, 100, dim, 1e37), 1e37)
	add("large", normal(rng, 100, dim, 1e19), 1e19)
	add("tiny", normal(rng, 100, dim, 1e-38), 1e-38)
	add("small", normal(rng, 100, dim, 1e-22), 1e-22)
	add("of all sizes", ofAllSizes(rng, 100, dim), 1)
	add("one apart", onePart(rng, 100, dim), 1)
	return all
}

func fill(n int, x float32) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = x
	}
	return v
}

func normal(rng *rand.Rand, count, dim int, size float32) []float32 {
	v := make([]float32, count*dim)
	for i := range v {
		v[i] = float32(rng.NormFloat64()) * size
	}
	return v
}

func positive(rng *rand.Rand, count, dim int) []float32 {
	v := normal(rng, count, dim, 1)
	for i, x := range v {
		v[i] = max(x, 0)
	}
	return v
}

func clustered(rng *rand.Rand, count, dim int) []float32 {
	const clusters = 20
	centres := normal(rng, clusters, dim, 1)
	v := normal(rng, count, dim, 0.02)
	for p := range count {
		c := rng.IntN(clusters)
		for i := range dim {
			v[p*dim+i] += centres[c*dim+i]
		}
	}
	return v
}

func whole(rng *rand.Rand, count, dim int) []float32 {
	v := make([]float32, count*dim)
	for i := range v {
		v[i] = float32(rng.IntN(3))
	}
	return v
}

func duplicated(rng *rand.Rand, count, dim int) []float32 {
	const different = 7
	few := normal(rng, different, dim, 1)
	var v []float32
	for range count {
		at := rng.IntN(different) * dim
		v = append(v, few[at:at+dim]...)
	}
	return v
}

func ofAllSizes(rng *rand.Rand, count, dim int) []float32 {
	v := normal(rng, count, dim, 1)
	for i := range v {
		for range rng.IntN(30) {
			v[i] *= 10
		}
		for range rng.IntN(60) {
			v[i] /= 10
		}
	}
	return v
}

// onePart has one vector far from all others.
func onePart(rng *rand.Rand, count, dim int) []float32 {
	v := normal(rng, count, dim, 1)
	at := rng.IntN(count) * dim
	copy(v[at:at+dim], fill(dim, 1e6))
	return v
}
