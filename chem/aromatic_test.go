package chem

import (
	"errors"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// TestAromaticity has the bond types that RDKit 2022.09.3 gives.
func TestAromaticity(t *testing.T) {
	for _, c := range []struct{ smiles, bonds string }{
		{"C1=CC=CC=C1", "ar ar ar ar ar ar"},
		{"C1=CC=C1", "2 1 2 1"},
		{"C1=CC=CC=CC=C1", "2 1 2 1 2 1 2 1"},
		{"C1=CC=CC=CC=CC=C1", "ar ar ar ar ar ar ar ar ar ar"},
		{"C1=CC2=CC=CC2=CC=C1", "ar ar ar ar ar ar 1 ar ar ar ar"}, // azulene
		{"C1=CC2=C3C(=C1)C=CC3=CC=C2", "ar ar ar ar ar ar 1 2 1 ar ar ar ar ar"},
		{"C1=CN2C=CC=C2C=C1", "ar ar ar ar ar ar ar ar ar ar"},
		{"c1ccc2c(c1)c1ccccc12", "ar ar ar ar ar ar 1 ar ar ar ar ar ar 1"},
		{"C1=CC=C[NH]1", "ar ar ar ar ar"},
		{"C1=CC=C[N]1", "2 1 2 1 1"},
		{"S1C=CC=C1", "ar ar ar ar ar"},
		{"O=S1C=CC=C1", "2 1 2 1 2 1"},
		{"CS1=CC=CC=C1", "1 2 1 2 1 2 1"},
		{"C[Si]1(C)C=CC=C1", "1 1 1 2 1 2 1"},
		{"[se]1cccc1", "ar ar ar ar ar"},
		{"[te]1cccc1", "ar ar ar ar ar"},
		{"c1cc[si]cc1", "2 1 2 1 2 1"},
		{"[CH-]1C=CC=C1", "ar ar ar ar ar"},
		{"[CH+]1C=CC=C1", "1 2 1 2 1"},
		{"[CH+]1C=CC=CC=C1", "ar ar ar ar ar ar ar"},
		{"C1=C[CH+]1", "ar ar ar"},
		{"[C]1C=CC=C1", "1 2 1 2 1"},
		{"[C]1=CC=CC=C1", "ar ar ar ar ar ar"},
		{"[C+]1=CC=CC=C1", "2 1 2 1 2 1"},
		{"O=C1C=CC=CC=C1", "2 ar ar ar ar ar ar ar"},
		{"O=C1C=CC(=O)C=C1", "2 1 2 1 2 1 2 1"},
		{"C1=CC1=O", "ar ar ar 2"},
		{"C1=CC(=S)C=CO1", "ar ar 2 ar ar ar ar"},
		{"C=C1C=CC=C1", "2 1 2 1 2 1"},
		{"C=C1C=CC=CC1=C", "2 ar ar ar ar ar ar 2"},
		{"O=C1N=CC=N1", "2 1 2 1 2 1"},
		{"O=c1cc[nH]cc1", "2 ar ar ar ar ar ar"},
		{"C1#CC=CC=C1", "3 ar ar ar ar ar"},
		{"C1=C=C=CC=C1", "2 2 2 1 2 1"},
		{"[BH-]1C=CC=CC=1", "ar ar ar ar ar ar"},
		{"N1B=NB=NB=1", "ar ar ar ar ar ar"},
		{"N1BNBNB1", "1 1 1 1 1 1"},
		{"c1cc[o+]cc1", "ar ar ar ar ar ar"},
		{"[nH+]1ccccc1", "ar ar ar ar ar ar"},
		{"[n+]1ccccc1", "2 1 2 1 2 1"},
		{"[cH2]1cccc1", "1 2 1 2 1"},
		{"c1ccccc1c1ccccc1", "ar ar ar ar ar ar 1 ar ar ar ar ar ar"},
		{"c1ccccc1:c1ccccc1", "ar ar ar ar ar ar 1 ar ar ar ar ar ar"},
		{"C1:C:C:C:C:C1", "ar ar ar ar ar ar"},
		{"C1C:CC=CC=1", "ar ar ar ar ar ar"},
		{"C1=C~C=CC=C1", "ar * ar ar ar ar"},
		// Oxygen and sulfur give nothing to macrocycles, since RDKit 2026.09.
		{"C1=CC=CC=CC=CO1", "2 1 2 1 2 1 2 1 1"},
		{"C1=CC=CC=CC=CS1", "2 1 2 1 2 1 2 1 1"},
		// Wildcards.
		{"c1*cccc1", "ar ar ar ar ar ar"},
		{"c1**ccc1", "ar ar ar ar ar ar"},
		{"c1c*cc1", "ar ar ar ar ar"},
		{"C1=*C=CC=C1", "ar ar ar ar ar ar"},
		{"C1=C*C=C1", "ar ar ar ar ar"},
		{"c1ccc2*cccc2c1", "ar ar ar ar ar ar ar ar ar ar ar"},
		{"*c1ccccc1", "1 ar ar ar ar ar ar"},
		{"c1c*CC1", "2 1 1 1 1"},
		{"c1*CCCC1", "1 1 1 1 1 1"},
		{"*1*****1", "1 1 1 1 1 1"},
		{"*1*N1", "1 1 1"}, // two wildcards that may give one electron or two: that leaves too much open
		{"N1**C=N1", "1 1 1 2 1"},
		{"C12=CC=CC=C1*2", "ar ar ar ar ar ar 1 1"},
	} {
		m, err := ParseSMILES(c.smiles)
		if err != nil {
			t.Errorf("%s: %v", c.smiles, err)
			continue
		}
		if got := orders(m); got != c.bonds {
			t.Errorf("%s: %s, want %s", c.smiles, got, c.bonds)
		}
	}
}

func TestKekuleErrors(t *testing.T) {
	for _, c := range []struct{ smiles, message string }{
		{"Cn1cccc1.c1cnccc1.n1cccc1", "columns 19, 21, 22, 23, 24"},
		{"c1ccsc1=O", "columns 1, 3, 4, 5, 6"},
		{"c1cc[n]c1", "columns 1, 3, 4, 5, 8"},
		{"C1CC1cc", "column 6: written as aromatic, but not in a ring"},
	} {
		_, err := ParseSMILES(c.smiles)
		var kekule *KekuleError
		if !errors.As(err, &kekule) {
			t.Errorf("%s: %v, want a *KekuleError", c.smiles, err)
			continue
		}
		if got := err.Error(); len(got) < len(c.message) || got[:len(c.message)] != c.message {
			t.Errorf("%s: %s, want %s…", c.smiles, got, c.message)
		}
	}
}

// TestOneGraph has forms of one molecule that are to give one graph.
func TestOneGraph(t *testing.T) {
	for _, forms := range [][]string{
		{"c1ccccc1", "C1=CC=CC=C1", "C=1C=CC=CC=1", "[cH]1[cH][cH][cH][cH][cH]1", "[H]c1c([H])c([H])c([H])c([H])c1[H]"},
		{"CN(=O)=O", "C[N+](=O)[O-]", "C[N+]([O-])=O"},
		{"c1ccc2[nH]ccc2c1", "C1=CC=C2C(=C1)C=CN2", "C1=CC2=C(C=C1)NC=C2"},
		{"Cc1ccccc1C", "CC1=C(C)C=CC=C1", "CC1=CC=CC=C1C"},
		{"O=n1ccccc1", "[O-][n+]1ccccc1"},
		{"c1ccc2ccccc2c1", "C1=CC=C2C=CC=CC2=C1", "c1ccc2c(c1)cccc2"},
		{"OC(=O)C", "CC(O)=O", "[13CH3]C(=O)[OH:4]"},
	} {
		vocab := graph.NewVocabulary()
		var first *graph.Graph
		for _, s := range forms {
			m, err := ParseSMILES(s)
			if err != nil {
				t.Fatalf("%s: %v", s, err)
			}
			g, err := m.Graph(vocab, Options{})
			if err != nil {
				t.Fatalf("%s: %v", s, err)
			}
			if first == nil {
				first = g
			} else if !graph.Isomorphic(first, g) {
				t.Errorf("%s and %s are different graphs", forms[0], s)
			}
		}
	}
}

// TestBetweenAromaticRings: bonds that join two aromatic rings are single if they can be, however a molecule is written.
func TestBetweenAromaticRings(t *testing.T) {
	for _, text := range []string{
		"COC(=O)c1cccc2c3cccc(C(=O)OC)c3c12", "COC(=O)c1cccc2c1-c1c-2cccc1C(=O)OC", "c1ccc2c(c1)c1ccccc12", "c12c3ccccc3c1cccc2",
	} {
		m, err := ParseSMILES(text)
		if err != nil {
			t.Fatal(err)
		}
		aromatic := 0
		for _, b := range m.Bonds {
			if b.Order == Aromatic {
				aromatic++
			} else if b.Order == Double && m.Atoms[b.From].Aromatic && m.Atoms[b.To].Aromatic {
				t.Errorf("%s: the bond between atoms %d and %d is double", text, b.From, b.To)
			}
		}
		if aromatic != 12 {
			t.Errorf("%s: %d aromatic bonds", text, aromatic)
		}
	}
}
