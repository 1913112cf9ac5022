package space

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// topologies are the attachment points of the components of random reactions. Points in two of them are joined.
var topologies = [][][]int{
	{{}},
	{{1}, {1}}, {{1, 2}, {1, 2}}, {{1, 2, 3}, {1, 2, 3}},
	{{1}, {1, 2}, {2}}, {{1, 2}, {2, 3}, {1, 3}}, {{1, 2, 3}, {1, 2}, {3}},
	{{1}, {1, 2}, {2, 3}, {3}}, {{1, 2, 3}, {1}, {2}, {3}}, {{1, 2}, {2, 3}, {3, 4}, {1, 4}},
	{{1, 4}, {1}}, // one point stays open
}

// fragments have places for attachment points: s for single bonds, d for others, too.
var fragments = []string{
	"C{d}", "N{s}", "O{s}", "S{d}", "[H]{s}", "Cl{s}", "F{s}", "C#N", "CO", "C{d}C{d}", "C{d}OC{d}", "N{s}C{d}", "C{d}(=O)N{s}", "O=N{d}", "O{d}", "CN(=O){d}", "P(=O){d}{s}", "C{d}CC{d}O",
	"c1c{s}c{s}c{s}cc1", "c1c{s}nc{s}c{s}c1", "n1{s}c{s}ccc1{s}", "c1c{s}sc{s}c1", "C1{d}CCC{d}C1", "N1{s}CCN{s}CC1", "C1{d}C=CC{d}C=C1", "c1cccc{s}c1{s}", "C{s}=C{s}", "C{s}=CC{s}=C", "N{s}=C{s}N{s}",
	"c{s}c{s}", "c{s}cc{s}", "c{s}ccc{s}", "n{s}c{s}", "c{s}nc{s}", "o{s}", "[nH]{s}", "C{d}C{d}C{d}", "N{s}(C{d})C{d}", "[C@H]{s}(C)C{s}", "C/C=C/C{s}", "C{d}C(=O)[O-]", "C{s}[N+](=O)[O-]", "[13C]{d}C{d}",
}

// randomSpace returns a space of a few reactions with a few synthons, some of them twice.
func randomSpace(t testing.TB, rng *rand.Rand) *Space {
	for {
		text := "SMILES,synton_id,synton#,reaction_id\n"
		for reaction := range 1 + rng.IntN(3) {
			components := topologies[rng.IntN(len(topologies))]
			var bonds [10]string
			for i := range bonds {
				if bonds[i] = ""; rng.IntN(4) == 0 {
					bonds[i] = "="
				}
			}
			most := []int{0, 12, 8, 5, 3}[len(components)]
			for i, ports := range components {
				for k := range 1 + rng.IntN(most) {
					text += fmt.Sprintf("%s,s%d,%d,r%d\n", randomSynthon(rng, ports, &bonds), k, i+1, reaction)
				}
			}
		}
		if s, err := Read(context.Background(), strings.NewReader(text), "random"); err == nil {
			return s
		}
	}
}

func randomSynthon(rng *rand.Rand, ports []int, bonds *[10]string) string {
	for {
		list := rng.Perm(len(ports))
		text, ok := fragments[rng.IntN(len(fragments))], true
		if strings.Count(text, "{") < len(ports) {
			continue
		}
		for strings.Contains(text, "{") {
			at := strings.IndexByte(text, '{')
			place, rest := "", text[at+3:]
			if n := strings.Count(text, "{"); len(list) > 0 && rng.IntN(n) < len(list) {
				p := ports[list[0]]
				list = list[1:]
				ok = ok && (text[at+1] == 'd' || bonds[p] == "")
				place = fmt.Sprintf("(%s[%d*])", bonds[p], p)
			} else if rng.IntN(8) == 0 && !strings.Contains(text, "[H]") {
				place = []string{"C", "Cl", "(C)", "(O)"}[rng.IntN(4)]
				if place = strings.Trim(place, "()"); rest != "" {
					place = "(" + place + ")"
				}
			}
			text = text[:at] + place + rest
		}
		if ok {
			return text
		}
	}
}

// edited returns a graph with a few random edits.
func edited(rng *rand.Rand, g *graph.Graph, edits int) *graph.Graph {
	v := g.Vocabulary()
	if !v.Extends() {
		v = v.Extend()
	}
	for range edits {
		b := graph.NewBuilder(v, false)
		change, gone := rng.IntN(g.N()), -1
		if g.N() > 2 && rng.IntN(2) == 0 {
			gone, change = change, -1
		}
		number := make([]int, g.N())
		for i := range number {
			switch i {
			case gone:
				continue
			case change:
				number[i] = b.AddNode([]string{"C", "N", "O", "S", "Xx"}[rng.IntN(5)])
			default:
				number[i] = b.AddNode(g.LabelText(i))
			}
		}
		for e := range g.Edges() {
			if e.From == gone || e.To == gone {
				continue
			}
			label := g.Vocabulary().EdgeText(e.Label)
			if rng.IntN(2*g.N()) == 0 {
				label = []string{"1", "2", "ar"}[rng.IntN(3)]
			}
			if err := b.AddEdge(number[e.From], number[e.To], label); err != nil {
				panic(err)
			}
		}
		g = b.MustBuild()
	}
	return g
}

// TestRandomSpaces compares searches of random spaces with ordinary ones of all their products: 1 to 4 components,
// rings closed, aromatic ones among them, symmetric, with duplicates, hydrogens, charges and products that are none.
func TestRandomSpaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 1))
	answers, made := 0, 0
	for range sweep.Trials(200) {
		s := randomSpace(t, rng)
		e := enumerate(t, s)
		made += len(e.texts)
		if len(e.texts) == 0 {
			continue
		}
		for range 4 {
			q := edited(rng, e.query(t, e.texts[rng.IntN(len(e.texts))]), rng.IntN(4))
			for radius := range 5 {
				answers += e.checkGraph(t, q, edit.GED, float64(radius))
			}
			for radius := range 3 {
				answers += e.checkGraph(t, q, edit.SED, float64(radius))
			}
		}
		answers += e.check(t, e.texts[0], edit.GED, 2.5)
		answers += e.check(t, e.texts[0], edit.GED, 1e9)
		answers += e.check(t, e.texts[0], edit.SED, 1e9)
	}
	t.Logf("%d products, %d answers", made, answers)
}

// TestRandomParts compares the atoms and bonds of synthons with those of all products of random spaces.
func TestRandomParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 2))
	loose, bonds := 0, 0
	for range sweep.Trials(1000) {
		s := randomSpace(t, rng)
		m := NewMaker(s.vocab)
		for i := range s.Reactions {
			for p := range products(&s.Reactions[i]) {
				if _, err := m.Graph(p); err == nil {
					l, b := checkParts(t, m, p)
					loose, bonds = loose+l, bonds+b
				}
			}
		}
	}
	t.Logf("%d of %d bonds are not known before", loose, bonds)
}
