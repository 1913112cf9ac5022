package dataset_test

import (
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestColumnsByContent finds the column of SMILES by what is in it.
func TestColumnsByContent(t *testing.T) {
	for _, c := range []struct{ name, text, want, note string }{
		{"x.csv", "mol,act\nCCO,1\nCCN,2\n", "CCO CCN", `SMILES in column "mol"`},
		{"x.tab", "Drug_ID\tDrug\tY\nLepirudin\tCCO\t0.3\nx\tCCN\t1.2\n", "Lepirudin=CCO x=CCN", `SMILES in column "Drug", ids in column "Drug_ID"`},
		{"stream", "name;Structure;MW\na;CCO;46\nb;CCN;45\n", "a=CCO b=CCN", `SMILES in column "Structure"`},
		{"x.csv", "Assay 7\n\nreviewed,2024\nid,canonical_smiles\na,CCO\n", "a=CCO", "2 lines before the header of a table were left out"},
		{"x.csv", "has_smiles,id,smi\nyes,a,CCO\nno,b,CCN\n", "a=CCO b=CCN", `SMILES in column "smi"`},
		{"x.csv", "formula,first,second\nNO,CCO,CCCCO\nCO,CCN,CCCCN\n", "CCCCO CCCCN", `SMILES in column "second"`},
		{"x.csv", "smiles,id\nCCO\u00a0,a\u00a0\n\u00a0CCN,b\n", "a=CCO b=CCN", ""},
		{"x.smi", "CCO\u00a0a\nCCN b\n", "a=CCO b=CCN", ""},
		{"x.csv", "smiles,id,comment\nCCO,A,\"assay 1: active\nNO\n\nOC\"\nCCN,B,\"ok\"\"\n,\"\r\n\"CCC\",C,ok\n", "A=CCO B=CCN C=CCC", ""},
		{"x.tsv", "\"ChEMBL ID\"\t\"Smiles\"\t\"Note\"\n\"C1\"\t\"CCO\"\t\"a\tb\nNO\"\n\"C2\"\t\"CCN\"\t\"\"\n", "C1=CCO C2=CCN", `ids in column "ChEMBL ID"`},
		{"x.tsv", "id\tsmiles\n\"C1\tCCO\n", "\"C1=CCO", ""},
		{"x.csv", "CCO,a\n\"CCN\",\"b\nCC\"\nCCC,c\n", "a=CCO b\nCC=CCN c=CCC", ""},
		{"x.csv", "smiles,id\nCCO,a \"b\nCCN,\"c\" d\nCCC,e\n", "a \"b=CCO e=CCC", "1 of 3 records are bad"},
	} {
		list, notes, err := readText(c.text, c.name, dataset.Options{SkipBad: true, Unnumbered: true})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		var got []string
		for _, rec := range list {
			if rec.ID != "" {
				rec.SMILES = rec.ID + "=" + rec.SMILES
			}
			got = append(got, rec.SMILES)
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%q: %q, want %q (%q)", c.text, all, c.want, notes)
		}
		if !strings.Contains(strings.Join(notes, "\n"), c.note) {
			t.Errorf("%q: notes %q, want %q", c.text, notes, c.note)
		}
	}
}
