package dataset_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/dataset"
)

const propanol = " propanol\n  4  3\n    0.0 0.0 0.0 C\n 1.0 0.0 0.0 C\n 2.0 0.0 0.0 C \n 3.0 0.0 0.0 O\n  1  2  1  1\n  2  3  1  1\n  3  4  1  1\n"

func TestConnectionTables(t *testing.T) {
	list, _ := mustRead(t, propanol, "a", dataset.Options{})
	if rec := list[0]; rec.ID != "propanol" || rec.SMILES != "CCCO" || drawing(rec.Graph) != "C C C O; 0-1:1 1-2:1 2-3:1" {
		t.Errorf("%s, %s, %s", rec.ID, rec.SMILES, drawing(rec.Graph))
	}
	for text, want := range map[string]string{
		strings.Replace(propanol, "  3  4  1", "  3  5  1", 1): "a:9: record 0: found atom 5, but the atoms are 1 to 4",
		strings.Replace(propanol, " O\n", "\n", 1):             `a:6: record 0: found " 3.0 0.0 0.0", expected atom 4: X Y Z SYMBOL`,
		strings.Replace(propanol, "  4  3", "  4  9", 1):       "a:10: record 0: found the end, expected a bond: FROM TO ORDER",
	} {
		if _, _, err := readText(text, "a", dataset.Options{}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	wide := "x\n100 99\n" + strings.Repeat("0 0 0 C\n", 100)
	for i := range 99 {
		wide += strings.Repeat(" ", i%2) + "  " + string(rune('0'+(i+1)/100)) + string(rune('0'+(i+1)/10%10)) + string(rune('0'+(i+1)%10)) + " 100 1\n"
	}
	if list, _ = mustRead(t, wide, "a", dataset.Options{}); list[0].Graph.M() != 99 {
		t.Errorf("%d edges", list[0].Graph.M())
	}
}

func TestListOfConnectionTables(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"train.ds":    "m/1.ct 0\nm/2.ct 1\n",
		"test.ds":     "3.ct -12.5\nm/2.ct 1\n\n",
		"3.ct":        propanol,
		"README":      "nothing",
		"outside.txt": "../3.ct 1\nnone.ct 2\n3.ct\n",
	})
	sub := writeFiles(t, map[string]string{"1.ct": propanol, "2.ct": strings.Replace(propanol, " O", " N", 1)})
	moveFolder(t, sub, filepath.Join(dir, "m"))
	got := make(map[string]string)
	list, err := dataset.ReadAll(dir, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range list {
		got[rec.ID] = rec.SMILES + " " + rec.Attributes["class"].(string)
	}
	if diff := cmp.Diff(map[string]string{"m/1": "CCCO 0", "m/2": "CCCN 1", "3": "CCCO -12.5"}, got); diff != "" {
		t.Error(diff)
	}
	list, err = dataset.ReadAll(filepath.Join(dir, "outside.txt"), dataset.Options{Format: "ds", SkipBad: true})
	if err != nil || len(list) != 1 || list[0].ID != "3" || list[0].Attributes != nil {
		t.Errorf("%v, %v", list, err)
	}
	_, err = dataset.ReadAll(filepath.Join(dir, "outside.txt"), dataset.Options{Format: "ds"})
	var bad *dataset.BadRecord
	if !errors.As(err, &bad) || bad.Line != 1 || !strings.Contains(err.Error(), "expected a name inside the folder of the list") {
		t.Error(err)
	}
}

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
