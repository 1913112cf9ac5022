package postgres

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

func FuzzDecodeGraph(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		g := gedtest.Graph(rng, graph.NewVocabulary(), gedtest.Shape{MaxNodes: 5, Density: 0.4, NodeLabels: 2, EdgeLabels: 2})
		ids := make([]string, g.N())
		f.Add(appendGraph(nil, g, ids))
		f.Add(appendGraph(nil, g, nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		g, ids, err := decodeGraph(b, graph.NewVocabulary())
		if err != nil {
			return
		}
		code := appendGraph(nil, g, ids)
		again, ids2, err := decodeGraph(code, graph.NewVocabulary())
		if err != nil || !slices.Equal(ids, ids2) || !bytes.Equal(code, appendGraph(nil, again, ids2)) {
			t.Errorf("%x is decoded to another graph once more: %v", b, err)
		}
	})
}

func TestGraphsComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		vocab := graph.NewVocabulary()
		g := gedtest.Graph(rng, vocab, gedtest.Shape{MaxNodes: 7, Density: 0.4, NodeLabels: 3, EdgeLabels: 3})
		back, _, err := decodeGraph(appendGraph(nil, g, nil), vocab)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(appendGraph(nil, back, nil), appendGraph(nil, g, nil)) || !graph.Isomorphic(g, back) || back.Directed() != g.Directed() {
			t.Fatalf("%v comes back as %v", g, back)
		}
	}
}
