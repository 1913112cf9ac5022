package chem

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// tautomerGraph is the graph of a SMILES that is the same for all its tautomers.
func tautomerGraph(t *testing.T, vocab *graph.Vocabulary, smiles string, opt Options) *graph.Graph {
	t.Helper()
	m, err := ParseSMILES(smiles)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	opt.Tautomers = true
	g, err := m.Graph(vocab, opt)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	return g
}

// TestTautomers: the structures of a line are tautomers, and none of another line.
func TestTautomers(t *testing.T) {
	classes := [][]string{
		{"Oc1ccccn1", "O=c1cccc[nH]1", "O=C1C=CC=CN1", "[O-]c1ccccn1"},
		{"Oc1ccncc1", "O=c1cc[nH]cc1"},
		{"Oc1cccnc1"},
		{"c1ccn2cnnc2c1"},
		{"Cc1cc[nH]n1", "Cc1ccn[nH]1"},
		{"c1ccc2[nH]ncc2c1", "c1ccc2n[nH]cc2c1"},
		{"c1ccc2[nH]nnc2c1", "c1ccc2n[nH]nc2c1"},
		{"Nc1ncnc2[nH]cnc12", "Nc1ncnc2nc[nH]c12", "N=c1[nH]cnc2[nH]cnc12"},
		{"O=c1cc[nH]c(=O)[nH]1", "Oc1ccnc(O)n1", "O=c1ccnc(O)[nH]1", "Oc1cc[nH]c(=O)n1"},
		{"CC(=O)NC", "CC(O)=NC"},
		{"CC(=O)N(C)C"},
		{"CC(=O)O", "CC([O-])=O"},
		{"CC(=O)OC"},
		{"CC(N)=NC", "CC(=N)NC"},
		{"CC(=S)N", "CC(S)=N"},
		{"NC(=O)c1ccccc1", "N=C(O)c1ccccc1"},
		{"Nc1ccc(cc1)C(=O)O"},
		{"N=C1C=CC(=C(O)O)C=C1"},
		{"Oc1ccc(O)cc1"},
		{"O=C1C=CC(=O)C=C1"},
		{"CC(=O)C=C(C)O", "CC(O)=CC(C)=O"},
		{"CC(=O)CC(C)=O"},
		{"Cc1nn[nH]n1", "Cc1nnn[nH]1"},
		{"N=C(N)NC", "NC(N)=NC"},
		{"Nc1nccs1", "N=c1[nH]ccs1"},
		{"Nc1ccccn1", "N=c1cccc[nH]1"},
		{"CN(C)c1ccccn1"},
		{"O=c1[nH]cnc2nc[nH]c12", "Oc1ncnc2[nH]cnc12", "O=c1nc[nH]c2[nH]cnc12"},
		{"C[N+](=O)[O-]"},
		{"O=C1NC(=O)NC1", "OC1=NC(O)=NC1"},
		{"O=[N+]([O-])c1ccc(O)cc1"},
		{"C[n+]1ccc(O)cc1"},
	}
	vocab := graph.NewVocabulary()
	var graphs []*graph.Graph
	var of []int
	for i, class := range classes {
		for _, smiles := range class {
			graphs, of = append(graphs, tautomerGraph(t, vocab, smiles, Options{})), append(of, i)
		}
	}
	at := 0
	for i, class := range classes {
		for _, smiles := range class {
			for k, g := range graphs {
				if alike := graph.Isomorphic(graphs[at], g); alike != (of[k] == i) {
					t.Errorf("%s and a structure of class %v: the same graph: %v", smiles, classes[of[k]], alike)
				}
			}
			at++
		}
	}
	// Hydrogens and charges are those that do not move.
	all := Options{Hydrogens: true, Charge: true}
	for _, class := range classes {
		want := tautomerGraph(t, vocab, class[0], all)
		for _, smiles := range class[1:] {
			if !graph.Isomorphic(want, tautomerGraph(t, vocab, smiles, all)) {
				t.Errorf("%s and %s differ in hydrogens or charges", class[0], smiles)
			}
		}
	}
}

// TestTautomersSpelling: the graph does not depend on the order of the atoms.
func TestTautomersSpelling(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	vocab := graph.NewVocabulary()
	for _, smiles := range []string{
		"O=c1[nH]c(N)nc2nc[nH]c12", "CC(N)=NC", "NC(=N)NCCCC(N)C(=O)O", "Cc1cc(NC(=O)Nc2ccc3[nH]ncc3c2)n[nH]1",
		"O=C1NC(=O)C(c2ccccc2)(c2ccccc2)N1", "Oc1ccnc2ccccc12", "CC(=O)C=C(C)NC", "NS(=O)(=O)c1cc2c(cc1Cl)NCNS2(=O)=O",
	} {
		want := tautomerGraph(t, vocab, smiles, Options{})
		m, err := ParseSMILES(smiles)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			order := make([]int32, len(m.Atoms))
			for i, v := range rng.Perm(len(order)) {
				order[i] = int32(v)
			}
			g, err := m.renumbered(order).Graph(vocab, Options{Tautomers: true})
			if err != nil {
				t.Fatal(err)
			}
			if !graph.Isomorphic(want, g) {
				t.Fatalf("%s in the order %v has another graph", smiles, order)
			}
		}
	}
}

// benzenes counts the carbons of aromatic rings of six carbons.
func benzenes(t *testing.T, smiles string) (count int) {
	t.Helper()
	m, err := ParseSMILES(smiles)
	if err != nil {
		t.Fatal(err)
	}
	w := tautomers{m: m, role: make([]uint8, len(m.Atoms)), inRing: m.RingBonds()}
	w.w.m = m
	w.w.link()
	for v, a := range m.Atoms {
		if a.Aromatic {
			w.role[v] = needs
		}
	}
	for v := range int32(len(m.Atoms)) {
		if w.role[v] == needs && m.Atoms[v].Element == carbon && w.sixCarbons(v, v, v, 6) {
			count++
		}
	}
	return count
}

// TestTautomersRDKit compares with RDKit's tautomer hashes on the pairs of testdata/tautomers.tsv.gz, which
// tautomer_counts.py makes. HetAtomTautomer, too, keeps hydrogens at carbon, but moves others along any conjugated
// system; HetAtomTautomerv2 also moves those of carbon. The counts are those of docs/molecules.md.
func TestTautomersRDKit(t *testing.T) {
	packed, err := os.Open("testdata/tautomers.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	text, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	vocab := graph.NewVocabulary()
	count, at := map[string]int{}, 0
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if at++; testing.Short() && at%20 != 0 {
			continue
		}
		equal := graph.Isomorphic(tautomerGraph(t, vocab, f[0], Options{}), tautomerGraph(t, vocab, f[1], Options{}))
		kind := fmt.Sprintf("equal here %v, by hash 1 %v, by hash 2 %v", equal, f[2] == "1", f[3] == "1")
		switch {
		case equal && f[2] == "0":
			t.Errorf("%s and %s are equal here and not by HetAtomTautomer", f[0], f[1])
		case equal || f[2] == "0":
		case benzenes(t, f[0]) != benzenes(t, f[1]):
			kind += ": one has more benzene rings"
		default:
			kind += ": as many benzene rings"
		}
		count[kind]++
	}
	for kind, n := range count {
		t.Logf("%d pairs: %s", n, kind)
	}
}
