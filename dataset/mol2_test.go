package dataset_test

import (
	"testing"

	"github.com/greedgraph/greed/dataset"
)

func TestMol2Collection(t *testing.T) {
	one := func(name, kind string) string {
		return "@<TRIPOS>MOLECULE\n" + name + "\n 2 1\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n1 C1 0 0 0 C.3\n2 X2 0 0 0 " + kind + "\n@<TRIPOS>BOND\n1 1 2 1\n"
	}
	text := "# Two and a bad one.\n" + one("a", "O.3") + one("bad", "Xx") + one("****", "N.3")
	list, notes := mustRead(t, text, "stream", dataset.Options{SkipBad: true})
	if len(list) != 2 || list[0].ID != "a" || list[0].SMILES != "CO" || list[1].ID != "2" || list[1].SMILES != "CN" || list[1].Line != 24 {
		t.Errorf("%+v", list)
	}
	if !contains(notes, "1 of 3 records are bad and were skipped") {
		t.Errorf("notes %q", notes)
	}
	_, _, err := readText(text, "stream", dataset.Options{})
	if err == nil || err.Error() != `stream:21: record 1: no element has the symbol "Xx"` {
		t.Error(err)
	}
}
