package chem

import (
	"testing"

	"github.com/greedgraph/greed/graph"
)

// roundTrip writes g, reads it back, and checks that it is the same graph.
func roundTrip(t *testing.T, g *graph.Graph, opt Options) {
	t.Helper()
	s, err := WriteSMILES(g)
	if err != nil {
		t.Error(err)
		return
	}
	m, err := ParseSMILES(s)
	if err != nil {
		t.Errorf("%s: %v", s, err)
		return
	}
	h, err := m.Graph(g.Vocabulary(), opt)
	if err != nil {
		t.Errorf("%s: %v", s, err)
		return
	}
	if !graph.Isomorphic(g, h) {
		t.Errorf("%s: another graph", s)
	}
}

func TestWriteSMILESCollection(t *testing.T) {
	smiles, _ := collection(t)
	for _, opt := range []Options{{}, {Charge: true}} {
		vocab := graph.NewVocabulary()
		for _, s := range smiles {
			m, err := ParseSMILES(s)
			if err != nil {
				t.Fatalf("%s: %v", s, err)
			}
			g, err := m.Graph(vocab, opt)
			if err != nil {
				t.Fatalf("%s: %v", s, err)
			}
			roundTrip(t, g, opt)
		}
	}
}

func TestAppendMolCollection(t *testing.T) {
	smiles, _ := collection(t)
	vocab := graph.NewVocabulary()
	for i, s := range smiles {
		opt := Options{Charge: i%2 == 1}
		m, err := ParseSMILES(s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		g, err := m.Graph(vocab, opt)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		block, err := AppendMol(nil, g, s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		if m, err = ParseMol(block); err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		h, err := m.Graph(vocab, opt)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		if !graph.Isomorphic(g, h) || m.Name != s {
			t.Errorf("%s: another graph\n%s", s, block)
		}
	}
}
