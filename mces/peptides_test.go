package mces

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
)

// residues are the 20 amino acids as SMILES that follow each other: N-terminal nitrogen to carbonyl.
var residues = []string{
	"NCC(=O)", "NC(C)C(=O)", "NC(C(C)C)C(=O)", "NC(CC(C)C)C(=O)", "NC(C(C)CC)C(=O)", "N1CCCC1C(=O)", "NC(Cc1ccccc1)C(=O)",
	"NC(Cc1ccc(O)cc1)C(=O)", "NC(Cc1c[nH]c2ccccc12)C(=O)", "NC(CO)C(=O)", "NC(C(C)O)C(=O)", "NC(CS)C(=O)", "NC(CCSC)C(=O)",
	"NC(CC(N)=O)C(=O)", "NC(CCC(N)=O)C(=O)", "NC(CC(=O)O)C(=O)", "NC(CCC(=O)O)C(=O)", "NC(CCCCN)C(=O)", "NC(CCCNC(N)=N)C(=O)",
	"NC(Cc1cnc[nH]1)C(=O)",
}

// peptidePair draws two peptides: of each other by a few exchanged, lost and added residues, or independent.
func peptidePair(r *rand.Rand, kin bool) [2]string {
	draw := func(n int) (list []int) {
		for range n {
			list = append(list, r.IntN(len(residues)))
		}
		return list
	}
	a := draw(8 + r.IntN(7))
	b := draw(8 + r.IntN(7))
	if kin {
		b = slices.Clone(a)
		for range 1 + r.IntN(3) {
			switch at := r.IntN(len(b)); r.IntN(3) {
			case 0:
				b[at] = r.IntN(len(residues))
			case 1:
				b = slices.Delete(b, at, at+1)
			default:
				b = slices.Insert(b, at, r.IntN(len(residues)))
			}
		}
	}
	var pair [2]string
	for i, list := range [][]int{a, b} {
		var s strings.Builder
		for _, x := range list {
			s.WriteString(residues[x])
		}
		pair[i] = s.String() + "O"
	}
	return pair
}

// TestPeptides shows how far connected common subgraphs of peptides of up to 14 amino acids, 58 to 140 atoms or so, are proven.
// GREED_PEPTIDES says how many pairs, and GREED_LIMIT how long each may take.
func TestPeptides(t *testing.T) {
	pairs, limit := 6, 2*time.Second
	if n, err := strconv.Atoi(os.Getenv("GREED_PEPTIDES")); err == nil {
		pairs = n
	}
	if d, err := time.ParseDuration(os.Getenv("GREED_LIMIT")); err == nil {
		limit = d
	}
	const seed = 20
	r := rand.New(rand.NewPCG(seed, 0))
	proven, near := [2]int{}, [2]int{}
	for i := range pairs {
		kin := i % 2
		g := readPair(t, peptidePair(r, kin == 1))
		got, err := Largest(t.Context(), g[0], g[1], Options{Connected: true, Time: limit})
		if err != nil {
			t.Fatal(err)
		}
		if size := mcs.CommonOf(g[0], g[1], got.Map).Edges; size != got.Size {
			t.Errorf("pair %d: %d edges, the map keeps %d", i, got.Size, size)
		}
		open := float64(got.Upper-got.Size) / float64(got.Upper)
		if got.Exact {
			proven[kin]++
		}
		if open <= 0.02 {
			near[kin]++
		}
		t.Logf("pair %d, kin %d: %d and %d atoms, %d to %d edges, %d states, %v", i, kin, g[0].N(), g[1].N(), got.Size, got.Upper, got.States, got.Elapsed)
	}
	t.Logf("of %d independent pairs %d proven, %d within 2 %%; of %d kin %d, %d", (pairs+1)/2, proven[0], near[0], pairs/2, proven[1], near[1])
}

func readPair(t *testing.T, pair [2]string) (g [2]*graph.Graph) {
	t.Helper()
	vocab := graph.NewVocabulary()
	for k, text := range pair {
		m, err := chem.ParseSMILES(text)
		if err != nil {
			t.Fatal(text, err)
		}
		if g[k], err = m.Graph(vocab, chem.Options{}); err != nil {
			t.Fatal(text, err)
		}
	}
	return g
}
