package dataset_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestSDFOfSMILES: molecules that differ in stereochemistry alone are different when an SDF that was written of their
// SMILES is read back, with all that can be compared.
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
		if rec.SMILES != texts[i] || drawing(rec.Graph) != drawing(first[i].Graph) || rec.ID != first[i].ID || len(rec.Attributes) != i%2 {
			t.Errorf("%s reads as %s, %v, with %v", texts[i], rec.SMILES, rec.Graph, rec.Attributes)
		}
	}

	// A block that was changed since, or has coordinates, is what counts.
	for change, into := range map[string]string{" N  ": " P  ", "    0.0000    0.0000    0.0000 N": "    1.0000    0.0000    0.0000 N"} {
		opt.Stereo = false
		one, _, _ := strings.Cut(file.String(), "$$$$\n")
		if !strings.Contains(one, change) {
			t.Fatalf("no %q in %s", change, one)
		}
		changed, _ := mustRead(t, strings.Replace(one, change, into, 1)+"$$$$\n", "one.sdf", opt)
		rec := changed[0]
		if strings.Contains(rec.SMILES, "@") || rec.Attributes["SMILES"] != texts[0] {
			t.Errorf("%q for %q: %s with %v", into, change, rec.SMILES, rec.Attributes)
		}
	}
}
