package chem

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/graph"
)

// graphs returns the collection as graphs.
func graphs(t *testing.T) []*graph.Graph {
	t.Helper()
	smiles, _ := collection(t)
	c := NewConverter(graph.NewVocabulary(), Options{})
	var p Parser
	gs := make([]*graph.Graph, len(smiles))
	for i, s := range smiles {
		m, err := p.Parse(s)
		if err == nil {
			gs[i], err = c.Graph(m)
		}
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return gs
}

// TestRenumbered checks that the numbering of the nodes does not change what is
// read back.
func TestRenumbered(t *testing.T) {
	gs := graphs(t)
	rapid.Check(t, func(r *rapid.T) {
		g := gs[rapid.IntRange(0, len(gs)-1).Draw(r, "molecule")]
		perm := make([]int, g.N())
		for v := range perm {
			perm[v] = v
		}
		g = g.Permute(rapid.Permutation(perm).Draw(r, "numbering"))
		s, err := WriteSMILES(g)
		if err != nil {
			r.Fatal(err)
		}
		m, err := ParseSMILES(s)
		if err != nil {
			r.Fatalf("%s: %v", s, err)
		}
		h, err := m.Graph(g.Vocabulary(), Options{})
		if err != nil {
			r.Fatal(err)
		}
		if !graph.Isomorphic(g, h) {
			r.Errorf("%s: another graph", s)
		}
	})
}

// TestPieces checks that pieces of molecules, which cut through rings, are
// written so that they read back, or refused.
func TestPieces(t *testing.T) {
	gs := graphs(t)
	rapid.Check(t, func(r *rapid.T) {
		g := gs[rapid.IntRange(0, len(gs)-1).Draw(r, "molecule")]
		centre := rapid.IntRange(0, g.N()-1).Draw(r, "centre")
		nodes, _ := g.Neighbourhood(centre, g.N(), rapid.IntRange(1, 20).Draw(r, "size"))
		g = g.Induced(nodes)
		s, err := WriteSMILES(g)
		if errors.Is(err, ErrNotWritable) {
			return
		}
		if err != nil {
			r.Fatal(err)
		}
		m, err := ParseSMILES(s)
		if err != nil {
			r.Fatalf("%s: %v", s, err)
		}
		h, err := m.Graph(g.Vocabulary(), Options{})
		if err != nil {
			r.Fatal(err)
		}
		if !graph.Isomorphic(g, h) {
			r.Errorf("%s: another graph", s)
		}
	})
}

// TestMatching compares the matcher with a search of all matchings.
func TestMatching(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := randomMolecule(r)
		n := len(w.m.Atoms)
		var k matcher
		k.begin(n)
		optional := make([]bool, n)
		for v := range n {
			optional[v] = rapid.IntRange(0, 3).Draw(r, "optional") == 0
			k.add(int32(v), optional[v])
		}
		alone := k.match(w.start, w.arcs, func(int32) bool { return true })
		best := mostMatched(w.m.Bonds, optional, make([]bool, n))
		if (alone >= 0) != (best < 0) {
			r.Fatalf("atom %d stays alone, but the best matching leaves %d", alone, best)
		}
		if alone >= 0 {
			return
		}
		matched := 0
		for v, mate := range k.mate {
			if mate < 0 {
				continue
			}
			matched++
			if k.mate[mate] != int32(v) {
				r.Fatalf("atom %d has the mate %d, which has %d", v, mate, k.mate[mate])
			}
			joined := false
			for _, a := range w.at(int32(v)) {
				joined = joined || a.to == mate
			}
			if !joined {
				r.Fatalf("atom %d has the mate %d without a bond", v, mate)
			}
		}
		if matched != best {
			r.Errorf("%d atoms are matched, %d could be", matched, best)
		}
	})
}

// mostMatched returns how many atoms a matching can cover that covers all that
// are not optional, and -1 if there is none.
func mostMatched(bonds []Bond, optional, taken []bool) int {
	if len(bonds) == 0 {
		count := 0
		for v, t := range taken {
			if t {
				count++
			} else if !optional[v] {
				return -1
			}
		}
		return count
	}
	b := bonds[0]
	best := mostMatched(bonds[1:], optional, taken)
	if !taken[b.From] && !taken[b.To] {
		taken[b.From], taken[b.To] = true, true
		best = max(best, mostMatched(bonds[1:], optional, taken))
		taken[b.From], taken[b.To] = false, false
	}
	return best
}
