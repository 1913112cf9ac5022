package chem_test

import (
	"bufio"
	"fmt"
	"os"
	"testing"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/graph"
)

// TestTurns: pairs of stereoisomers differ in as many centres and bonds as RDKit says; testdata/turned.py makes the list.
func TestTurns(t *testing.T) {
	f, err := os.Open("testdata/turned.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	vocab := graph.NewVocabulary()
	pairs := 0
	for lines := bufio.NewScanner(f); lines.Scan(); pairs++ {
		var texts [2]string
		var want int
		if _, err := fmt.Sscan(lines.Text(), &texts[0], &texts[1], &want); err != nil {
			t.Fatal(err)
		}
		var molecules [2]*chem.Molecule
		var graphs [2]*graph.Graph
		for i, text := range texts {
			if molecules[i], err = chem.ParseSMILES(text); err != nil {
				t.Fatal(err)
			}
			if graphs[i], err = molecules[i].Graph(vocab, chem.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		to, ok := graph.Isomorphism(graphs[0], graphs[1])
		if !ok {
			t.Fatalf("%s and %s differ without stereochemistry", texts[0], texts[1])
		}
		back := make([]int, len(to))
		for v, w := range to {
			back[w] = v
		}
		if got := chem.Turns(molecules[0], molecules[1], to); len(got) != want {
			t.Errorf("%s and %s: %v, want %d", texts[0], texts[1], got, want)
		}
		if got := chem.Turns(molecules[1], molecules[0], back); len(got) != want {
			t.Errorf("%s and %s: %v, want %d", texts[1], texts[0], got, want)
		}
	}
	if pairs < 500 {
		t.Errorf("only %d pairs", pairs)
	}
}
