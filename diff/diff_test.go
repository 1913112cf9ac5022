package diff_test

import (
	"encoding/json"
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

func pathOf(t interface{ Fatal(...any) }, q, g *graph.Graph, m edit.NodeMap) []edit.Operation {
	p, err := edit.Price(edit.GED, edit.Uniform(), q, g)
	if err != nil {
		t.Fatal(err)
	}
	return edit.Path(p, q, g, m)
}

// The groups together are the path, their costs are its cost, and they share no node if there are not many edits.
func TestGroupsAreThePath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vocab := graph.NewVocabulary()
		gen := graphtest.Graph(vocab, graphtest.Shape{MaxNodes: 8, NodeLabels: 2, EdgeLabels: 2, Directed: rapid.Bool().Draw(t, "directed")})
		q, g := gen.Draw(t, "query"), gen.Draw(t, "target")
		m := make(edit.NodeMap, q.N())
		targets := graphtest.Permutation(g.N()).Draw(t, "targets")
		for v := range m {
			if m[v] = edit.Deleted; v < len(targets) && rapid.IntRange(0, 4).Draw(t, "keep") > 0 {
				m[v] = targets[v]
			}
		}
		path := pathOf(t, q, g, m)
		want := lines(path)
		var got []string
		total, inverse := 0.0, m.Inverse(g)
		old, fresh := make(map[int]bool), make(map[int]bool)
		last := -1.0
		for i, group := range diff.Groups(path, q, g, m) {
			if last >= 0 && group.Cost > last {
				t.Fatalf("group %d costs %v, more than the one before", i, group.Cost)
			}
			last = group.Cost
			sum := 0.0
			for _, c := range group.Changes {
				check(t, q, g, m, inverse, c)
				got = append(got, lines(c.Edits)...)
				sum += c.Cost
			}
			if sum != group.Cost {
				t.Fatalf("changes cost %v, their group %v", sum, group.Cost)
			}
			total += sum
			if len(path) > 16 {
				continue // they may share nodes
			}
			for _, v := range group.Old {
				if old[v] || m[v] != edit.Deleted && fresh[m[v]] {
					t.Fatalf("query node %d is in two groups", v)
				}
			}
			for _, w := range group.New {
				if fresh[w] || inverse[w] != edit.Deleted && old[inverse[w]] {
					t.Fatalf("target node %d is in two groups", w)
				}
			}
			for _, v := range group.Old {
				old[v] = true
			}
			for _, w := range group.New {
				fresh[w] = true
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("the groups have the edits %q, the path %q", got, want)
		}
		if cost := price(path); total != cost {
			t.Fatalf("the groups cost %v, the path %v", total, cost)
		}
	})
}

// check tests one change by its edits alone.
func check(t *rapid.T, q, g *graph.Graph, m, inverse edit.NodeMap, c diff.Change) {
	if cost := price(c.Edits); c.Cost != cost {
		t.Fatalf("a change costs %v, its edits %v", c.Cost, cost)
	}
	if (c.Kind == diff.Moved) != (len(c.Edits) == 2) {
		t.Fatalf("%v has %d edits", c.Kind, len(c.Edits))
	}
	if c.Edge != (len(c.Edits[0].Query) == 2 || len(c.Edits[0].Target) == 2) {
		t.Fatalf("%v: said to be of an edge: %v", c.Edits, c.Edge)
	}
	if c.Kind != diff.Moved {
		return
	}
	gone, come := c.Edits[0], c.Edits[1]
	u, v, x, y := gone.Query[0], gone.Query[1], inverse[come.Target[0]], inverse[come.Target[1]]
	kept := func(v int) bool { return v != edit.Deleted && m[v] != edit.Deleted }
	shared := u == x && kept(x) || v == y && kept(y) || (u == y && v == x) && kept(x) && kept(y) ||
		!q.Directed() && (u == y && kept(y) || v == x && kept(x))
	if gone.Kind != edit.EdgeDeletion || come.Kind != edit.EdgeInsertion || gone.From != come.To || !shared ||
		!(kept(u) && kept(v)) && !(kept(x) && kept(y)) {
		t.Fatalf("%v is said to have become %v", gone, come)
	}
}

func lines(path []edit.Operation) (list []string) {
	for _, op := range path {
		text, err := json.Marshal(op)
		if err != nil {
			panic(err)
		}
		list = append(list, string(text))
	}
	return list
}

func price(path []edit.Operation) (cost float64) {
	for _, op := range path {
		cost += op.Cost
	}
	return cost
}

// build makes a directed graph: nodes are named by their labels, edges written a>b.
func build(t *testing.T, vocab *graph.Vocabulary, nodes, edges string) *graph.Graph {
	t.Helper()
	b := graph.NewBuilder(vocab, true)
	at := make(map[string]int)
	for _, name := range strings.Fields(nodes) {
		at[name] = b.AddNode(name)
	}
	for _, e := range strings.Fields(edges) {
		from, to, _ := strings.Cut(e, ">")
		if err := b.AddEdge(at[from], at[to], "0"); err != nil {
			t.Fatal(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGroups(t *testing.T) {
	vocab := graph.NewVocabulary()
	q := build(t, vocab, "main parse lex emit log", "main>parse parse>lex main>emit main>log")
	g := build(t, vocab, "main parse scan emit log file", "main>parse parse>scan parse>emit log>main log>file")
	path := edit.WithNames(pathOf(t, q, g, edit.NodeMap{0, 1, 2, 3, 4}),
		[]string{"main", "parse", "lex", "emit", "log"}, []string{"main", "parse", "scan", "emit", "log", "file"}, true)
	var got []string
	for _, group := range diff.Groups(path, q, g, edit.NodeMap{0, 1, 2, 3, 4}) {
		for _, c := range group.Changes {
			got = append(got, fmt.Sprint(c.Kind, c.Edits))
		}
		got = append(got, fmt.Sprint("cost ", group.Cost, group.Old, group.New))
	}
	want := []string{
		"moved[delete edge main→emit insert edge parse→emit]", "moved[delete edge main→log insert edge log→main]",
		"added[insert node file]", "added[insert edge log→file]", "cost 6 [0 3 4] [0 1 3 4 5]",
		"renamed[substitute node lex by scan]", "cost 1 [2] [2]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if groups := diff.Groups(nil, q, q, edit.NodeMap{0, 1, 2, 3, 4}); groups != nil {
		t.Errorf("equal graphs differ by %v", groups)
	}
}

// TestMovesAtChangedNodes: an edge that leads to an added node in place of another, or from a removed one to another, has
// moved, unless several edges might have.
func TestMovesAtChangedNodes(t *testing.T) {
	vocab := graph.NewVocabulary()
	for _, c := range []struct {
		what                      string
		before, after, was, fresh string
		m                         edit.NodeMap
		want                      string
	}{
		{"to an added node", "a b", "a b x", "a>b", "a>x", edit.NodeMap{0, 1}, "added node x, moved a→b a→x"},
		{"from a removed node", "a b x", "a b", "a>x", "a>b", edit.NodeMap{0, 1, edit.Deleted}, "removed node x, moved a→x a→b"},
		{"between", "a b", "a b x", "a>b", "a>x x>b", edit.NodeMap{0, 1}, "added node x, moved a→b x→b, added a→x"},
		{
			"from a removed node to an added one", "a y", "a x", "a>y", "a>x", edit.NodeMap{0, edit.Deleted},
			"removed node y, added node x, removed a→y, added a→x",
		},
		{
			"several", "a b c", "a b c x", "a>b a>c", "a>x", edit.NodeMap{0, 1, 2},
			"added node x, removed a→b, removed a→c, added a→x",
		},
		{"first to what is kept", "a b c", "a b c x", "a>b", "a>c a>x", edit.NodeMap{0, 1, 2}, "added node x, moved a→b a→c, added a→x"},
	} {
		q, g := build(t, vocab, c.before, c.was), build(t, vocab, c.after, c.fresh)
		path := edit.WithNames(pathOf(t, q, g, c.m), strings.Fields(c.before), strings.Fields(c.after), true)
		var nodes, edges []string
		for _, group := range diff.Groups(path, q, g, c.m) {
			for _, x := range group.Changes {
				text := string(x.Kind)
				if !x.Edge {
					text += " node"
				}
				for _, op := range x.Edits {
					if op.Query != nil {
						text += " " + op.Before()
					} else {
						text += " " + op.After()
					}
				}
				if x.Edge {
					edges = append(edges, text)
				} else {
					nodes = append(nodes, text)
				}
			}
		}
		if got := strings.Join(append(nodes, edges...), ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// TestGroupsOfHubs: changes that only a hub holds together are grouped by the nodes that changed, the rest by the hub.
func TestGroupsOfHubs(t *testing.T) {
	vocab := graph.NewVocabulary()
	names, edges, fresh := "log", "", ""
	var after []string
	for i := range 12 {
		names += fmt.Sprintf(" a%d", i)
		edges += fmt.Sprintf(" a%d>log", i) // of each the call is removed
		fresh += fmt.Sprintf(" b%d>log b%d>a%d", i, i, i)
		after = append(after, fmt.Sprintf("b%d", i))
	}
	q, g := build(t, vocab, names, edges), build(t, vocab, names+" "+strings.Join(after, " "), fresh)
	m := make(edit.NodeMap, q.N())
	for v := range m {
		m[v] = v
	}
	path := edit.WithNames(pathOf(t, q, g, m), strings.Fields(names), append(strings.Fields(names), after...), true)
	groups := diff.Groups(path, q, g, m)
	var about []string
	for _, group := range groups {
		about = append(about, fmt.Sprintf("%s %v", group.About, group.Cost))
	}
	slices.Sort(about)
	var want []string
	for i := range 12 {
		want = append(want, fmt.Sprintf("b%d 3", i))
	}
	want = append(want, "log 12")
	slices.Sort(want)
	if !slices.Equal(about, want) {
		t.Errorf("groups about %q, want %q", about, want)
	}
	if got, want := diff.Summarise(groups), []string{"12 added (b0, b1, b2 and 9 more)", "24 edges of these nodes", "edges between other nodes: 12 removed"}; !slices.Equal(got, want) {
		t.Errorf("summary %q, want %q", got, want)
	}
}

func TestSummarise(t *testing.T) {
	vocab := graph.NewVocabulary()
	before := "main io.read io.close net::dial p/q.run a/flag@v1.0.5"
	after := "main io.readAll io.close http::dial io.open[a.B] p/q.run a/flag@v1.0.6"
	q := build(t, vocab, before, "main>io.read main>net::dial main>p/q.run")
	g := build(t, vocab, after, "main>io.readAll main>http::dial main>io.open[a.B] p/q.run>main")
	m := edit.NodeMap{0, 1, 2, 3, 5, 6}
	path := edit.WithNames(pathOf(t, q, g, m), strings.Fields(before), strings.Fields(after), true)
	want := []string{
		"io: 1 renamed (read → readAll), 1 added (open[a.B])", "a: 1 renamed (flag@v1.0.5 → flag@v1.0.6)",
		"http: 1 renamed (net::dial → http::dial)", "1 edge of these nodes",
		"edges between other nodes: 1 moved",
	}
	if got := diff.Summarise(diff.Groups(path, q, g, m)); !slices.Equal(got, want) {
		t.Errorf("summary %q, want %q", got, want)
	}
}

// TestGroupsOfManyNodes: a new function with many calls and another, which call each other, are a group each; what only
// one of them calls belongs to it.
func TestGroupsOfManyNodes(t *testing.T) {
	vocab := graph.NewVocabulary()
	names, fresh := "log", "x>y"
	after := "log x y leaf"
	for i := range 10 {
		names += fmt.Sprintf(" a%d", i)
		after += fmt.Sprintf(" a%d", i)
		fresh += fmt.Sprintf(" x>a%d a%d>y", i, i)
	}
	fresh += " x>leaf"
	q, g := build(t, vocab, names, ""), build(t, vocab, after, fresh)
	m := edit.NodeMap{0}
	for i := range 10 {
		m = append(m, 4+i)
	}
	path := edit.WithNames(pathOf(t, q, g, m), strings.Fields(names), strings.Fields(after), true)
	var about []string
	for _, group := range diff.Groups(path, q, g, m) {
		about = append(about, fmt.Sprintf("%s %v", group.About, group.Cost))
	}
	if want := []string{"x 14", "y 11"}; !slices.Equal(about, want) {
		t.Errorf("groups about %q, want %q", about, want)
	}
}
