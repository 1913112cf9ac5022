package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestKekule: of a graph that is plainly a molecule with single and double bonds in turn, a note
// says that its bonds are not those of the SMILES; of others none does.
func TestKekule(t *testing.T) {
	ring := func(n int, atom string, orders ...string) string {
		var b strings.Builder
		b.WriteString("t # 0\n")
		for v := range n {
			fmt.Fprintf(&b, "v %d %s\n", v, atom)
		}
		for v := range n {
			fmt.Fprintf(&b, "e %d %d %s\n", v, (v+1)%n, orders[v%len(orders)])
		}
		return b.String()
	}
	toluene := strings.Replace(ring(6, "C", "1", "2"), "e 0 1", "v 6 C\ne 0 6 1\ne 0 1", 1)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"toluene": {toluene, true}, "the other way": {ring(6, "C", "2", "1"), true}, "pyrazine": {ring(6, "N", "1", "2"), true},
		"cyclohexane": {ring(6, "C", "1"), false}, "eight": {ring(8, "C", "1", "2"), false}, "four": {ring(4, "C", "1", "2"), false},
		"no atoms": {ring(6, "x", "1", "2"), false}, "aromatic": {ring(6, "C", "ar"), false}, "chain": {"t # 0\nv 0 C\nv 1 C\ne 0 1 2\n", false},
	} {
		rec, err := dataset.ReadOne(c.text, dataset.Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		if got := strings.Contains(fmt.Sprint(rec.Notes), "1 and 2 in turn"); got != c.want {
			t.Errorf("%s: notes %v", name, rec.Notes)
		}
	}
	rec, err := dataset.ReadOne("Cc1ccccc1", dataset.Options{Format: "smiles"})
	if err != nil || len(rec.Notes) > 0 {
		t.Errorf("a SMILES: %v, %v", rec.Notes, err)
	}
}
