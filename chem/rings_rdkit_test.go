package chem

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestRingsByRDKit compares the bonds of the molecules of $GREED_RINGS, which testdata/rings_counts.py
// writes, with RDKit's, and says which differ.
func TestRingsByRDKit(t *testing.T) {
	path := os.Getenv("GREED_RINGS")
	if path == "" {
		t.Skip("GREED_RINGS names no file of testdata/rings_counts.py")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var p Parser
	molecules, differ := 0, 0
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		smiles, want, _ := strings.Cut(sc.Text(), "\t")
		if strings.Contains(want, "?") { // a dative bond
			continue
		}
		molecules++
		m, err := p.Parse(smiles)
		if err != nil {
			differ++
			t.Errorf("%s: %v", smiles, err)
			continue
		}
		if _, bonds := describe(m, ""); bonds != want {
			differ++
			t.Errorf("%s: bonds %s, RDKit has %s", smiles, bonds, want)
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d molecules, %d differ", molecules, differ)
}
