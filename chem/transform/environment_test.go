package transform_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// TestEnvironment: what is around the places of attachment, in several spellings of both molecules and both ways.
func TestEnvironment(t *testing.T) {
	s, err := ged.NewSolver(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		query, target []string
		want          [][]string // by radius, from 1
	}{
		// Methyl on an aromatic carbon, O, N and an aromatic N.
		{[]string{"c1ccccc1", "c1ccc(cc1)"}, []string{"Cc1ccccc1", "c1cccc(C)c1"}, [][]string{{"c"}, {"c(c)c"}, {"c(cc)cc"}, {"c(ccc)ccc"}}},
		{[]string{"Oc1ccccc1", "c1ccccc1O"}, []string{"COc1ccccc1", "c1ccccc1OC"}, [][]string{{"O"}, {"Oc"}, {"Oc(c)c"}}},
		{[]string{"Nc1ccccc1"}, []string{"CNc1ccccc1"}, [][]string{{"N"}, {"Nc"}}},
		{[]string{"c1cc[nH]c1"}, []string{"Cn1cccc1"}, [][]string{{"n"}, {"n(c)c"}}},
		{[]string{"OC(=O)c1ccccc1", "c1cccc(C(O)=O)c1"}, []string{"OC(=O)c1ccc(F)cc1"}, [][]string{{"c"}, {"c(c)c"}, {"c(cc)cc"}, {"c(ccc)ccc"}, {"c(ccc(C)c)ccc(C)c"}}},
		{[]string{"[O-][N+](=O)CCl"}, []string{"BrC[N+]([O-])=O"}, [][]string{{"C"}, {"C[N+]"}, {"C[N+](=O)[O-]"}}},
		{[]string{"[13CH3]CCl"}, []string{"BrC[13CH3]"}, [][]string{{"C"}, {"C[13C]"}}},
		// Two places: the fragments say which is first, or, where they are symmetric, their environments do.
		{[]string{"O=C(c1ccccc1)CC(C)C", "C(C)(C)CC(=O)c1ccccc1"}, []string{"O=S(=O)(c1ccccc1)CC(C)C"}, [][]string{{"C", "c"}}},
		{[]string{"c1ccccc1OCC(C)C", "CC(C)COc1ccccc1"}, []string{"c1ccccc1SCC(C)C", "CC(C)CSc1ccccc1"}, [][]string{{"C", "c"}, {"CC", "c(c)c"}}},
	} {
		for _, q := range c.query {
			for _, x := range c.target {
				for way := range 2 {
					vocab := graph.NewVocabulary()
					from, to := read(t, vocab, q), read(t, vocab, x)
					if way == 1 {
						from, to = to, from
					}
					list := between(t, s, from, to)
					if len(list) != 1 {
						t.Fatalf("%s to %s: %v", q, x, list)
					}
					for i, want := range c.want {
						got := list[0].Environment(from.read, i+1)
						if !slices.Equal(got, want) {
							t.Errorf("%s to %s, way %d, radius %d: %q, want %q", q, x, way, i+1, got, want)
						}
					}
					if got := list[0].Environment(from.read, 0); got != nil {
						t.Errorf("%s to %s, radius 0: %q", q, x, got)
					}
				}
			}
		}
	}
}

// TestEnvironmentSpellings: the environment does not depend on how a molecule with rings and two places is written.
func TestEnvironmentSpellings(t *testing.T) {
	s, err := ged.NewSolver(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	queries := []string{
		"Cc1ccc(OCc2ccncc2)c(Cl)c1", "c1c(C)cc(Cl)c(OCc2ccncc2)c1", "n1ccc(COc2ccc(C)cc2Cl)cc1", "Clc1cc(C)ccc1OCc1ccncc1",
	}
	targets := []string{
		"Cc1ccc(SCc2ccncc2)c(Cl)c1", "n1ccc(CSc2ccc(C)cc2Cl)cc1", "c1cc(CSc2c(Cl)cc(C)cc2)ccn1",
	}
	for radius := 1; radius <= transform.MostRadius; radius++ {
		seen := make(map[string]bool)
		for _, q := range queries {
			for _, x := range targets {
				vocab := graph.NewVocabulary()
				from, to := read(t, vocab, q), read(t, vocab, x)
				forth, back := between(t, s, from, to), between(t, s, to, from)
				seen[fmt.Sprint(forth[0].Environment(from.read, radius))] = true
				seen[fmt.Sprint(back[0].Environment(to.read, radius))] = true
			}
		}
		if len(seen) != 1 {
			t.Errorf("radius %d: %v", radius, seen)
		}
	}
}
