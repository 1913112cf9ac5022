package space

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/graph"
)

const shared = "../../shared/data/spaces"

// publicText returns the text of a public space, or skips the test where these are not at hand.
func publicText(t testing.TB, name string) io.Reader {
	t.Helper()
	f, err := os.Open(filepath.Join(shared, name))
	if err != nil {
		t.Skip("the public spaces are not here")
	}
	t.Cleanup(func() { f.Close() })
	if !strings.HasSuffix(name, ".gz") {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func public(t testing.TB, name string) *Space {
	t.Helper()
	s, err := Read(t.Context(), publicText(t, name), name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t testing.TB, text string) *Space {
	t.Helper()
	s, err := Read(t.Context(), strings.NewReader(text), "space.txt")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// products yields all products of a reaction.
func products(r *Reaction) iter.Seq[[]*Synthon] {
	return func(yield func([]*Synthon) bool) {
		at := make([]int, len(r.Components))
		list := make([]*Synthon, len(at))
		for {
			for i, c := range r.Components {
				list[i] = &c.Synthons[at[i]]
			}
			if !yield(list) {
				return
			}
			i := len(at) - 1
			for ; i >= 0; i-- {
				if at[i]++; at[i] < len(r.Components[i].Synthons) {
					break
				}
				at[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}

// canonical returns the canonical SMILES of a SMILES, with the number of each stereodescriptor.
func canonical(t testing.TB, smiles string) string {
	t.Helper()
	m, err := chem.ParseSMILES(smiles)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	text, _, err := new(chem.SMILESWriter).Canonical(m)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	stereo := m.Stereo()
	for _, d := range "RSEZ" {
		text += fmt.Sprintf(" %d%c", bytes.Count(append(stereo.Atoms, stereo.Bonds...), []byte{byte(d)}), d)
	}
	return text
}

// TestProductsAreThoseEnumerated compares all products of the public spaces that others have enumerated.
func TestProductsAreThoseEnumerated(t *testing.T) {
	for _, c := range []struct{ space, enumerated string }{
		{"amide_space.txt", "amide_space_enum.smi"}, {"triazole_space.txt", "triazole_space_enum.smi"},
		{"urea_space.txt", "urea_space_enum.smi"}, {"idorsia_toy_space_a.txt", "idorsia_toy_space_enum.smi.gz"},
	} {
		t.Run(c.space, func(t *testing.T) {
			if testing.Short() && strings.HasSuffix(c.enumerated, ".gz") {
				t.Skip("29,200 products")
			}
			s := public(t, c.space)
			var got, want []string
			m := NewMaker(s.vocab)
			for i := range s.Reactions {
				for p := range products(&s.Reactions[i]) {
					got = append(got, canonical(t, m.Text(p)))
				}
			}
			for in := bufio.NewScanner(publicText(t, c.enumerated)); in.Scan(); {
				smiles, _, _ := strings.Cut(in.Text(), " ")
				want = append(want, canonical(t, strings.ReplaceAll(smiles, "[*:3]", "[3*]")))
			}
			slices.Sort(got)
			slices.Sort(want)
			if len(got) != len(want) {
				t.Errorf("%d products, enumerated %d", len(got), len(want))
			}
			got, want = slices.Compact(got), slices.Compact(want)
			missing := 0
			for _, w := range want {
				if _, found := slices.BinarySearch(got, w); !found {
					if missing++; missing < 10 {
						t.Errorf("%s is missing", w)
					}
				}
			}
			if len(got) != len(want) || missing > 0 {
				t.Errorf("%d different products, enumerated %d, %d of them missing", len(got), len(want), missing)
			}
		})
	}
}

// TestPartsAreWhatProductsHave compares the atoms and bonds of synthons with those of products.
func TestPartsAreWhatProductsHave(t *testing.T) {
	for _, name := range []string{
		"amide_space.txt", "triazole_space.txt", "urea_space.txt", "idorsia_toy_space_a.txt", "amino_acid.txt",
		"map_numbers.txt", "missing_hit.txt", "synthon_space_1M.tsv.gz",
	} {
		s := public(t, name)
		_, total := s.Size()
		every := max(1, int(total)/5000)
		m := NewMaker(s.vocab)
		n, loose, bonds := 0, 0, 0
		for i := range s.Reactions {
			for p := range products(&s.Reactions[i]) {
				if n++; n%every != 0 {
					continue
				}
				l, b := checkParts(t, m, p)
				loose, bonds = loose+l, bonds+b
			}
		}
		t.Logf("%s: %d products, %d of %d bonds are not known before", name, n, loose, bonds)
	}
}

// checkParts checks one product and counts its bonds, and those whose order its synthons leave open.
func checkParts(t *testing.T, m *Maker, p []*Synthon) (loose, bonds int) {
	t.Helper()
	g, err := m.Graph(p)
	if err != nil {
		t.Fatalf("%s: %v", m.Text(p), err)
	}
	from := 0
	var first [maxPort + 1]int
	for i := range first {
		first[i] = -1
	}
	for _, s := range p {
		part := s.part
		for v, l := range part.graph.Labels() {
			if g.Label(from+v) != l {
				t.Fatalf("%s: atom %d is %s, in %s %s", m.Text(p), from+v, g.LabelText(from+v), s.SMILES, part.graph.LabelText(v))
			}
		}
		check := func(v, w int, want graph.Label) {
			bonds++
			l, found := g.Edge(v, w)
			if want == graph.Wildcard {
				loose++
			}
			if !found || want != graph.Wildcard && want != l {
				t.Fatalf("%s: bond %d-%d is %v %d, in %s %d", m.Text(p), v, w, found, l, s.SMILES, want)
			}
		}
		for e := range part.graph.Edges() {
			check(from+e.From, from+e.To, e.Label)
		}
		for _, port := range part.ports {
			if port.folds {
				first[port.number] = -2
				continue
			}
			v := from + int(port.beside)
			switch w := first[port.number]; w {
			case -1:
				first[port.number] = v
			case -2:
			default:
				check(v, w, port.label)
			}
		}
		from += part.graph.N()
	}
	if g.N() != from || g.M() != bonds {
		t.Fatalf("%s: %d atoms and %d bonds, by its synthons %d and %d", m.Text(p), g.N(), g.M(), from, bonds)
	}
	return loose, bonds
}
