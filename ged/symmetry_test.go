package ged_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// doubled returns two copies of a random piece of size nodes, joined to each other or to a
// node between them, sometimes with one label changed.
func doubled(rng *rand.Rand, vocab *graph.Vocabulary, size int, directed bool) *graph.Graph {
	b := graph.NewBuilder(vocab, directed)
	labels := make([]string, size)
	for i := range labels {
		labels[i] = strconv.Itoa(rng.IntN(2))
	}
	odd := rng.IntN(4 * size)
	for i := range 2 * size {
		label := labels[i%size]
		if i == odd {
			label = "odd"
		}
		b.AddNode(label)
	}
	edge := func(v, w int, label string) {
		if err := b.AddEdge(v, w, label); err != nil {
			panic(err)
		}
	}
	for i := range size {
		for j := range i {
			if label := strconv.Itoa(rng.IntN(2)); rng.IntN(3) > 0 {
				edge(i, j, label)
				edge(size+i, size+j, label)
			}
		}
	}
	joint, label := rng.IntN(size), strconv.Itoa(rng.IntN(2))
	if rng.IntN(2) == 0 {
		edge(joint, size+joint, label)
	} else {
		centre := b.AddNode("0")
		edge(centre, joint, label)
		edge(centre, size+joint, label)
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}

// TestSymmetricGraphs compares both searches with the brute force on graphs that are
// symmetric, or nearly so.
func TestSymmetricGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for trial := range sweep.Trials(24) {
		vocab := graph.NewVocabulary()
		directed := trial%4 == 3
		q, g := doubled(rng, vocab, 2+trial%2, directed), doubled(rng, vocab, 3, directed)
		task := edit.Task(trial / 2 % 2)
		p, err := edit.Price(task, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		want, _ := gedtest.BruteForce(p, q, g)
		for _, patience := range []int64{math.MaxInt32, 0} {
			s, err := ged.NewSolver(task, edit.Uniform())
			if err != nil {
				t.Fatal(err)
			}
			s.SetPatience(patience)
			r, err := s.Distance(t.Context(), q, g, ged.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := gedtest.Judge(p, q, g, gedtest.Answer{Lower: r.Lower, Upper: r.Upper, Map: r.Map, Exact: r.Exact}, want); err != nil || !r.Exact {
				t.Fatalf("trial %d, patience %d: %v, %+v\nquery %s\ntarget %s", trial, patience, err, r, gedtest.Text(q), gedtest.Text(g))
			}
		}
	}
}
