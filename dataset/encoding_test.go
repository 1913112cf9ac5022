package dataset_test

import (
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestForeignEncoding: text that is not UTF-8 is read, and a note says so before something
// needs it to be.
func TestForeignEncoding(t *testing.T) {
	for text, records := range map[string]int{"CCO caf\xe9\nCCN b\nCCC \xe8\n": 2, "CCO café\n": 0, "smiles,id,u\nCCO,a,\xb5M\nCCN,b,nM\n": 1} {
		list, notes := mustRead(t, text, "m.smi", dataset.Options{})
		said := 0
		for _, note := range notes {
			if strings.Contains(note, "not UTF-8") {
				said++
				if want := map[int]string{1: "1 record has ", 2: "2 records have "}[records]; !strings.HasPrefix(note, want) {
					t.Errorf("%q: %s", text, note)
				}
			}
		}
		if len(list) == 0 || said != min(records, 1) {
			t.Errorf("%q: %d notes in %q", text, said, notes)
		}
	}
}
