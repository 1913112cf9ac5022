package chem

import (
	"testing"

	"github.com/greedgraph/greed/graph"
)

// sameMolecule checks that back is m, whose atom order[i] is atom i of back: its
// elements, charges, isotopes, hydrogens and bonds.
func sameMolecule(t *testing.T, text string, m, back *Molecule, order []int32) {
	t.Helper()
	if len(m.Atoms) != len(back.Atoms) || len(m.Bonds) != len(back.Bonds) {
		t.Errorf("%s: %d atoms and %d bonds, want %d and %d", text, len(back.Atoms), len(back.Bonds), len(m.Atoms), len(m.Bonds))
		return
	}
	// The sum of Kekulé orders and hydrogens does not depend on the choice of
	// the double bonds.
	usedM, usedBack := m.usedValences(m.kekuleOrders()), back.usedValences(back.kekuleOrders())
	for i, v := range order {
		a, b := m.Atoms[v], back.Atoms[i]
		ha, hb := m.hydrogensOf(int(v), usedM[v]), back.hydrogensOf(i, usedBack[i])
		if a.Element != b.Element || a.Charge != b.Charge || a.isotope != b.isotope || a.Aromatic != b.Aromatic || ha != hb {
			t.Errorf("%s: atom %d is %+v with %d hydrogens, want %+v with %d", text, i, b, hb, a, ha)
		}
	}
	want := make(map[[2]int32]Order)
	for _, b := range m.Bonds {
		want[[2]int32{b.From, b.To}], want[[2]int32{b.To, b.From}] = b.Order, b.Order
	}
	for _, b := range back.Bonds {
		if got := want[[2]int32{order[b.From], order[b.To]}]; got != b.Order {
			t.Errorf("%s: bond %d-%d is %d, want %d", text, b.From, b.To, b.Order, got)
		}
	}
}

// TestMoleculesKeepWhatTheyAre: a molecule that is written has its charges,
// hydrogens and isotopes again, of which its graph knows nothing.
func TestMoleculesKeepWhatTheyAre(t *testing.T) {
	smiles, _ := collection(t)
	smiles = append(smiles, "[NH4+]", "[13CH3]C", "[2H]O", "[CH3]", "[CH2]C", "C[N+](C)(C)C.[Cl-]", "[O-]c1ccccc1.[Na+]", "[nH]1cccc1",
		"[cH-]1cccc1", "C[S+](C)[O-]", "*C~C", "N->[Pt](Cl)(Cl)<-N", "C1CN->[Pt]<-N1", "N<-1CC[Pt]1", "O=C1CN->[Cu+2]<-N1", "c1ccn->2c(c1)c1ccccn1->[Ru+2]2", "[H][H]", "[FeH2]", "[BH4-]", "c1c[nH+]ccc1", "[SH4]", "[Na]", "[CH]", "C[n+]1ccccc1", "[235U]")
	identity := make([]int32, 1000)
	for i := range identity {
		identity[i] = int32(i)
	}
	for _, s := range smiles {
		m, err := ParseSMILES(s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		text, order, err := m.SMILES()
		if err != nil {
			t.Error(err)
			continue
		}
		back, err := ParseSMILES(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		sameMolecule(t, s+" as "+text, m, back, order)
		block, err := m.AppendMol(nil, "x")
		if err != nil {
			t.Error(err)
			continue
		}
		if back, err = ParseMol(block); err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		sameMolecule(t, s+" as MOL", m, back, identity[:len(m.Atoms)])
	}
}

// TestKekuleGraphsStayNeutral: a ring drawn with single and double bonds is
// written so, even though it reads back as aromatic.
func TestKekuleGraphsStayNeutral(t *testing.T) {
	ring := func(labels string, orders ...string) *graph.Graph {
		b := graph.NewBuilder(graph.NewVocabulary(), false)
		for _, l := range labels {
			b.AddNode(string(l))
		}
		for i, o := range orders {
			if err := b.AddEdge(i, (i+1)%len(labels), o); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, c := range []struct {
		g     *graph.Graph
		want  string
		notes Notes
	}{
		{ring("CCCCCC", "1", "2", "1", "2", "1", "2"), "C1=CC=CC=C1", NoteReadsAromatic},
		{ring("CCNCC", "2", "1", "1", "2", "1"), "C1=CNC=C1", NoteReadsAromatic},
		{ring("CCNCCC", "2", "1", "2", "1", "2", "1"), "C1=CN=CC=C1", NoteReadsAromatic},
		{ring("CCCCC", "2", "1", "2", "1", "1"), "C1=CC=CC1", 0},
		{ring("NCOCC", "2", "1", "1"), "N=COC.C", 0},
		{ring("NCOO", "1", "2"), "NC=O.O", 0},
		{ring("CNCC", "2", "2"), "C=[N+]=C.C", NoteInferredCharge},
	} {
		s, err := Spell(c.g)
		if err != nil {
			t.Error(err)
			continue
		}
		want, err := ParseSMILES(c.want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseSMILES(s.SMILES)
		if err != nil {
			t.Fatal(err)
		}
		opt := Options{Charge: true}
		vocab := graph.NewVocabulary()
		g, err := got.Graph(vocab, opt)
		if err != nil {
			t.Fatal(err)
		}
		h, err := want.Graph(vocab, opt)
		if err != nil {
			t.Fatal(err)
		}
		if !graph.Isomorphic(g, h) || s.Notes != c.notes {
			t.Errorf("wrote %s with notes %v, want %s with %v", s.SMILES, s.Notes.Texts(), c.want, c.notes.Texts())
		}
	}
}
