package dataset_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/chemname"
	"github.com/greedgraph/greed/dataset"
)

func TestReadOne(t *testing.T) {
	for _, c := range []struct {
		text, format string
		nodes        int
		err          error
	}{
		{"CCO", "smiles", 3, nil},
		{"CCO ethanol\n", "smiles", 3, nil},
		{"t # 0\nv 0 C\n", "", 1, nil},
		{"", "smiles", 0, dataset.ErrEmpty},
		{"CCO\nCC", "smiles", 0, dataset.ErrSeveral},
		{"CCO\nC1C", "smiles", 0, dataset.ErrSeveral},
		{"t # 0\nv 0 C\nt # 1\nv 0 C\n", "tve", 0, dataset.ErrSeveral},
	} {
		rec, err := dataset.ReadOne(c.text, dataset.Options{Format: c.format})
		if !errors.Is(err, c.err) || c.err == nil && err != nil {
			t.Errorf("%q: %v, want %v", c.text, err, c.err)
			continue
		}
		if err == nil && rec.Graph.N() != c.nodes {
			t.Errorf("%q: %d nodes, want %d", c.text, rec.Graph.N(), c.nodes)
		}
	}
	var bad *dataset.BadRecord
	if _, err := dataset.ReadOne("C1CC", dataset.Options{Format: "smiles"}); !errors.As(err, &bad) {
		t.Errorf("error %v, want a bad record", err)
	}
}

// TestNamesOfCompounds reads molecules by their names. What is a SMILES is one, whatever else it is called, and what is neither
// says so and is not called a SMARTS.
func TestNamesOfCompounds(t *testing.T) {
	for text, want := range map[string]string{
		"aspirin": "CC(=O)Oc1ccccc1C(=O)O", "Acetic acid": "CC(=O)O", "64-17-5": "CCO", "CO": "CO", "CCO ethanol": "CCO",
		"N,N-dimethylformamide": "CN(C)C=O",
	} {
		rec, err := dataset.ReadOne(text, dataset.Options{Format: "smiles"})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if rec.SMILES != want {
			t.Errorf("%s is %s, want %s", text, rec.SMILES, want)
		}
		if named := text != "CO" && text != "CCO ethanol"; named != (len(rec.Notes) > 0) || named && rec.Name == "" {
			t.Errorf("%s: name %q, notes %v", text, rec.Name, rec.Notes)
		}
	}
	for _, text := range []string{"asprin", "no such thing", "999999-99-9", "2,4-dinitrowhatever"} {
		_, err := dataset.ReadOne(text, dataset.Options{Format: "smiles"})
		named := errors.Is(err, chemname.ErrUnknown)
		if !named || errors.Is(err, chem.ErrSMARTS) || strings.Contains(err.Error(), "SMARTS") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"C1CC", "[C,N]", "CC(=O)Q"} {
		_, err := dataset.ReadOne(text, dataset.Options{Format: "smiles"})
		if err == nil || errors.Is(err, chemname.ErrUnknown) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
