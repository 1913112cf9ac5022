package chem

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestValences compares the hydrogens of charged and neutral atoms with so many bonds, and which
// are refused, with RDKit's. See testdata/valence_counts.py.
func TestValences(t *testing.T) {
	data, err := os.ReadFile("testdata/valences.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		atoms := []string{fmt.Sprintf("%-3s", fields[0])}
		var rest []string
		for n, want := range strings.Split(fields[2], "") {
			if n > 0 {
				atoms = append(atoms, "C  ")
				rest = append(rest, fmt.Sprintf("%3d%3d  1  0", 1, n+1))
			}
			m, err := ParseMol([]byte(molOf(atoms, append(rest[:n:n], "M  CHG  1   1 "+fmt.Sprintf("%3s", fields[1]))...)))
			if err != nil {
				t.Fatal(err)
			}
			got := "x"
			if m.Notes&NoteValence == 0 {
				got = strconv.Itoa(m.Hydrogens()[0])
			}
			if got != want {
				t.Errorf("%s, charge %s, %d bonds: %s hydrogens, RDKit has %s", fields[0], fields[1], n, got, want)
			}
		}
	}
}

// TestValencesOfMolecules compares the hydrogens of the molecules of $GREED_VALENCES, which
// testdata/valence_counts.py writes, and which are refused, with RDKit's.
func TestValencesOfMolecules(t *testing.T) {
	path := os.Getenv("GREED_VALENCES")
	if path == "" {
		t.Skip("GREED_VALENCES names no file of testdata/valence_counts.py")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var p Parser
	molecules, refused, differ := 0, 0, 0
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		smiles, want, _ := strings.Cut(sc.Text(), "\t")
		molecules++
		if want == "x" {
			refused++
		}
		got := "x"
		if m, err := p.Parse(smiles); err != nil {
			got = err.Error()
		} else if m.Notes&NoteValence == 0 {
			got = strings.Trim(strings.ReplaceAll(fmt.Sprint(m.Hydrogens()), " ", ","), "[]")
		}
		if got != want {
			differ++
			t.Errorf("%s: hydrogens %s, RDKit has %s", smiles, got, want)
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d molecules, RDKit refuses %d, %d differ", molecules, refused, differ)
}
