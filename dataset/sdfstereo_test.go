package dataset_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// TestSDFOfSMILES: molecules that differ in stereochemistry alone are different when an SDF that was written of their
// SMILES is read back, with all that can be compared, by the item SMILES and by the drawing alone.
func TestSDFOfSMILES(t *testing.T) {
	texts := []string{
		"N[C@@H](C)C(=O)O", "N[C@H](C)C(=O)O", "NC(C)C(=O)O", `C/C=C/Cl`, `C/C=C\Cl`, "[Na+].[O-]C(=O)[C@@H](O)C", "C[C@]1(F)CCCC(=O)1", "[13CH3][C@H](F)Cl",
		"c1ccc2[nH]ccc2c1", "[H][C@](N)(C)C(=O)O", "C[N+](C)(C)C", "N->[Pt](Cl)(Cl)<-N", "*C[C@H](F)Cl", "[2H]C", "c1cc[n+]([O-])cc1", "O=N(=O)c1ccccc1",
	}
	var opt dataset.Options
	opt.Stereo, opt.Charge, opt.Isotope, opt.Hydrogens = true, true, true, true
	var smiles strings.Builder
	for i, text := range texts {
		smiles.WriteString(text + "\tm" + string(rune('a'+i)) + "\n")
	}
	first, _ := mustRead(t, smiles.String(), "mols.smi", opt)
	for i := range first {
		if i%2 == 1 {
			first[i].Attributes = map[string]any{"pKi": 5.5}
		}
	}
	var file bytes.Buffer
	w, err := dataset.NewWriter(&file, "sdf")
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range first {
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	opt.Vocabulary = first[0].Graph.Vocabulary()
	second, _ := mustRead(t, file.String(), "mols.sdf", opt)
	if len(second) != len(first) {
		t.Fatalf("%d records of %d", len(second), len(first))
	}
	for i, rec := range second {
		if rec.SMILES != texts[i] || drawing(rec.Graph) != drawing(first[i].Graph) || rec.ID != first[i].ID ||
			len(rec.Attributes) != 1+i%2 ||
			rec.Attributes["SMILES"] != texts[i] {
			t.Errorf("%s reads as %s, %v, with %v", texts[i], rec.SMILES, rec.Graph, rec.Attributes)
		}
	}

	// The blocks alone say the same: their places and wedges, and not the item.
	records := strings.SplitAfter(file.String(), "$$$$\n")
	for i, text := range texts {
		block, _, _ := strings.Cut(records[i], "M  END")
		alone, _ := mustRead(t, block+"M  END\n$$$$\n", "one.sdf", opt)
		if !graph.Isomorphic(alone[0].Graph, first[i].Graph) {
			t.Errorf("the block of %s reads as %s", text, alone[0].SMILES)
		}
	}

	// A block that was changed since is what counts, and with it its wedges.
	changes := map[string]string{" N  ": " P  ", "  2  1  1  1": "  2  1  1  6", "  2  3  1  1": "  2  3  1  6"}
	for change, into := range changes {
		if !strings.Contains(records[0], change) {
			continue
		}
		changed, _ := mustRead(t, strings.Replace(records[0], change, into, 1), "one.sdf", opt)
		if rec := changed[0]; rec.SMILES == texts[0] || rec.Attributes["SMILES"] != texts[0] ||
			graph.Isomorphic(rec.Graph, first[0].Graph) {
			t.Errorf("%q for %q: %s with %v", into, change, rec.SMILES, rec.Attributes)
		}
	}
}
