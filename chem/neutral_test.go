package chem

import (
	"testing"

	"github.com/greedgraph/greed/graph"
)

// TestNeutralise: the SMILES on the right is what the one on the left becomes, and stays so.
func TestNeutralise(t *testing.T) {
	for smiles, want := range map[string]string{
		"CC(=O)[O-]":                     "CC(=O)O",
		"C[NH3+]":                        "CN",
		"[NH3+][C@@H](C)C(=O)[O-]":       "N[C@@H](C)C(=O)O",
		"C[N+](C)(C)C":                   "C[N+](C)(C)C",
		"C[N+](C)(C)CC(=O)[O-]":          "C[N+](C)(C)CC(=O)O",
		"[Na+].[Cl-]":                    "[Na+].Cl",
		"C[S+](C)[O-]":                   "CS(C)=O",
		"C[S@+](CC)[O-]":                 "C[S@](CC)=O",
		"C[P+](C)(C)[O-]":                "CP(C)(C)=O",
		"C[N+](=O)[O-]":                  "C[N+](=O)[O-]",
		"CN(=O)=O":                       "C[N+](=O)[O-]",
		"[O-][n+]1ccccc1":                "[O-][n+]1ccccc1",
		"CN=[N+]=[N-]":                   "CN=[N+]=[N-]",
		"c1cc[nH+]cc1":                   "c1ccncc1",
		"c1cc[n-]c1":                     "c1cc[nH]c1",
		"CC(N)=[NH2+]":                   "CC(N)=N",
		"[O-]S(=O)(=O)[O-].[Mg+2]":       "OS(=O)(=O)O.[Mg+2]",
		"C[S+](C)(C)":                    "C[S+](C)C",
		"[H+]":                           "[H+]",
		"[OH3+]":                         "O",
		"[O-][N+](=O)c1ccc([O-])cc1":     "[O-][N+](=O)c1ccc(O)cc1",
		"CCO":                            "CCO",
		"C[N+]([O-])(C)C":                "C[N+]([O-])(C)C",
		"[13CH3][NH2+][C@H](F)[18O-]":    "[13CH3]N[C@H](F)[18OH]",
		"C[N-]S(=O)(=O)c1ccc(cc1)[NH3+]": "CNS(=O)(=O)c1ccc(cc1)N",
	} {
		m, err := ParseSMILES(smiles)
		if err != nil {
			t.Fatalf("%s: %v", smiles, err)
		}
		c := NewConverter(graph.NewVocabulary(), Options{Neutralise: true})
		c.Reduce(m)
		var w SMILESWriter
		got, _, err := w.Canonical(m)
		if err != nil {
			t.Fatalf("%s: %v", smiles, err)
		}
		o, err := ParseSMILES(want)
		if err != nil {
			t.Fatal(err)
		}
		if text, _, _ := w.Canonical(o); got != text {
			t.Errorf("%s becomes %s, want %s", smiles, got, text)
		}
		if c.Reduce(m) {
			t.Errorf("%s changes twice", smiles)
		}
	}
}
