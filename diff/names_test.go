package diff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

func TestIdentify(t *testing.T) {
	for _, c := range []struct {
		name         string
		old, fresh   string // labels
		ids, freshID string
		wanted       bool
		want         [][2]int // nil: no identities
	}{
		{"labels", "main parse lex", "lex main scan", "", "", false, [][2]int{{0, 1}, {2, 0}}},
		{"labels of some nodes", "main parse lex init init", "init init main parse lex", "", "", false, nil},
		{"labels of most nodes", "main parse lex load run save init init", "init init main parse lex load run save", "", "", false, [][2]int{{0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 6}, {5, 7}}},
		{"some labels are wanted", "main parse init init", "init main init parse", "", "", true, [][2]int{{0, 1}, {1, 3}}},
		{"kinds", "call call loop", "call loop call", "", "", false, nil},
		{"few in common", "a b c d e", "a v w x y", "", "", false, nil},
		{"ids", "call call call", "call call call", "main parse lex", "lex scan main", false, [][2]int{{0, 2}, {2, 0}}},
		{"numbered ids", "call call call", "call call call", "n0 n1 n2", "n2 n0 n1", false, nil},
		{"numbered ids are wanted", "call call call", "call call call", "n0 n1 n2", "n2 n0 n1", true, [][2]int{{0, 1}, {1, 2}, {2, 0}}},
		{"ids that other kinds of nodes have", "call call call", "loop loop loop", "a b c", "a b c", false, nil},
		{"a changed label", "x y z", "x w z", "a b c", "a b c", false, [][2]int{{0, 0}, {2, 2}, {1, 1}}},
		{"empty", "", "a", "", "", true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			vocab := graph.NewVocabulary()
			q, g := labelled(vocab, strings.Fields(c.old)), labelled(vocab, strings.Fields(c.fresh))
			ids := [2][]string{}
			if c.ids != "" {
				ids = [2][]string{strings.Fields(c.ids), strings.Fields(c.freshID)}
			}
			var got [][2]int
			if s := diff.Identify(q, g, ids, c.wanted); s != nil {
				got = s.Fixed
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("fixed %v, want %v", got, c.want)
			}
		})
	}
}

func labelled(vocab *graph.Vocabulary, labels []string) *graph.Graph {
	b := graph.NewBuilder(vocab, true)
	for _, l := range labels {
		b.AddNode(l)
	}
	return b.MustBuild()
}

// TestRenames: a node was renamed if half of its edges, of two at least, or a third of its edges and its name speak for it.
func TestRenames(t *testing.T) {
	for _, c := range []struct{ name, old, edges, fresh, freshEdges, want string }{
		{"half of the edges", "a b c x", "a>x b>x c>x", "a b c y", "a>y b>y", "x-y"},
		{"one edge", "a b x", "a>x a>b", "a b y", "a>y a>b", ""},
		{"one edge and the name", "a b load", "a>load a>b", "a b loaded", "a>loaded a>b", "load-loaded"},
		{"one of five edges", "a b c d load", "a>load b>load load>a load>b load>c load>d", "a b c d loaded", "a>loaded a>b a>c a>d", ""},
		{"the old name is still there", "a b load", "a>load b>load", "a b load load2", "a>load2 b>load2", ""},
		{"a name among others that fit", "a b go stop", "a>go b>go a>stop b>stop", "a b stopped going", "a>stopped b>stopped a>going b>going", "go-going stop-stopped"},
		{"no edges", "a b load", "a>b", "a b loaded other", "a>b", "load-loaded"},
		{"no edges, other names", "a b load", "a>b", "a b other", "a>b", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			vocab := graph.NewVocabulary()
			q, g := build(t, vocab, c.old, c.edges), build(t, vocab, c.fresh, c.freshEdges)
			s := diff.Identify(q, g, [2][]string{}, true)
			s.FixLone()
			alone := make(map[[2]int]bool)
			for _, pair := range s.Fixed {
				alone[pair] = true
			}
			// Any map of the rest that is as large as can be, in the order of the nodes.
			m := slices.Repeat(edit.NodeMap{edit.Deleted}, q.N())
			taken := make([]bool, g.N())
			for _, pair := range s.Fixed {
				if pair[0] >= 0 && pair[1] >= 0 {
					m[pair[0]], taken[pair[1]] = pair[1], true
				}
			}
			for v := range m {
				for w := range g.N() {
					if m[v] == edit.Deleted && !taken[w] && !alone[[2]int{v, edit.Deleted}] && !alone[[2]int{edit.Deleted, w}] {
						m[v], taken[w] = w, true
					}
				}
			}
			s.ChooseTwins(m)
			s.DropUnsupported(m)
			var got []string
			for v, w := range m {
				if w >= 0 && q.Label(v) != g.Label(w) {
					got = append(got, q.LabelText(v)+"-"+g.LabelText(w))
				}
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("renamed %q, want %q", text, c.want)
			}
		})
	}
}

// TestTwinsCostTheSame, and keep the pairs that names fix.
func TestTwinsCostTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vocab := graph.NewVocabulary()
		gen := graphtest.Graph(vocab, graphtest.Shape{MaxNodes: 9, NodeLabels: 1, EdgeLabels: 2, Directed: rapid.Bool().Draw(t, "directed")})
		names := rapid.SliceOfN(rapid.StringMatching("[ab]{1,3}"), 20, 20)
		q, g := renamed(gen.Draw(t, "query"), names.Draw(t, "old")), renamed(gen.Draw(t, "target"), names.Draw(t, "new"))
		s := diff.Identify(q, g, [2][]string{}, true)
		if s == nil {
			return
		}
		m := slices.Repeat(edit.NodeMap{edit.Deleted}, q.N())
		taken := make([]bool, g.N())
		for _, pair := range s.Fixed {
			m[pair[0]], taken[pair[1]] = pair[1], true
		}
		for v := range m {
			if w := rapid.IntRange(-1, g.N()-1).Draw(t, "image"); m[v] == edit.Deleted && w >= 0 && !taken[w] {
				m[v], taken[w] = w, true
			}
		}
		p, err := edit.Price(edit.GED, edit.Uniform(), q, g)
		if err != nil {
			t.Fatal(err)
		}
		before := edit.InducedCost(p, q, g, m)
		s.ChooseTwins(m)
		if cost := edit.InducedCost(p, q, g, m); cost != before {
			t.Fatalf("the map cost %v, with other twins %v", before, cost)
		}
		fixed := len(s.Fixed)
		removed := s.DropUnsupported(m)
		if len(s.Fixed) != fixed+2*removed {
			t.Fatalf("%d pairs removed, %d fixed", removed, len(s.Fixed)-fixed)
		}
		for _, pair := range s.Fixed {
			if pair[0] >= 0 && m[pair[0]] != pair[1] {
				t.Fatalf("node %d is fixed to %d and mapped to %d", pair[0], pair[1], m[pair[0]])
			}
		}
	})
}

// renamed returns g with other labels.
func renamed(g *graph.Graph, labels []string) *graph.Graph {
	b := graph.NewBuilder(g.Vocabulary(), g.Directed())
	for v := range g.N() {
		b.AddNode(labels[v%len(labels)])
	}
	for e := range g.Edges() {
		if err := b.AddEdgeLabel(e.From, e.To, e.Label); err != nil {
			panic(fmt.Sprint(err))
		}
	}
	return b.MustBuild()
}
