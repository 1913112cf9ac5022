package edit_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

// drawPair draws two graphs of one vocabulary and direction.
func drawPair(t *rapid.T, maxNodes int) (q, g *graph.Graph) {
	vocab := graph.NewVocabulary()
	shape := graphtest.Shape{MaxNodes: maxNodes, NodeLabels: 2, EdgeLabels: 2, Directed: rapid.Bool().Draw(t, "directed")}
	gen := graphtest.Graph(vocab, shape)
	return gen.Draw(t, "query"), gen.Draw(t, "target")
}

// drawMap draws a node map: targets in any order, some of them replaced by
// Deleted.
func drawMap(t *rapid.T, q, g *graph.Graph) edit.NodeMap {
	targets := graphtest.Permutation(g.N()).Draw(t, "targets")
	m := make(edit.NodeMap, q.N())
	for v := range m {
		m[v] = edit.Deleted
		if v < len(targets) && rapid.Bool().Draw(t, fmt.Sprintf("keep %d", v)) {
			m[v] = targets[v]
		}
	}
	return m
}

func drawCosts(t *rapid.T) edit.Costs {
	w := func(name string) float64 { return float64(rapid.IntRange(0, 8).Draw(t, name)) / 4 }
	return edit.Costs{
		NodeInsert: w("node insert"), NodeDelete: w("node delete"), NodeSubstitute: w("node substitute"),
		EdgeInsert: w("edge insert"), EdgeDelete: w("edge delete"), EdgeSubstitute: w("edge substitute"),
	}
}

func drawPricing(t *rapid.T, q, g *graph.Graph) *edit.Pricing {
	task := edit.GED
	if rapid.Bool().Draw(t, "sed") {
		task = edit.SED
	}
	p, err := edit.Price(task, drawCosts(t), q, g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// costByDefinition adds up the induced cost from the definition: over all
// pairs of positions, one at a time, without looking at edges as lists.
func costByDefinition(p *edit.Pricing, q, g *graph.Graph, m edit.NodeMap) float64 {
	inverse := make(map[int]int)
	total := 0.0
	for v, w := range m {
		if w == edit.Deleted {
			total += p.NodeDelete(q.Label(v))
			continue
		}
		inverse[w] = v
		total += p.NodeSubstitute(q.Label(v), g.Label(w))
	}
	for w := range g.N() {
		if _, ok := inverse[w]; !ok {
			total += p.NodeInsert(g.Label(w))
		}
	}
	once := func(u, v int) bool { return u < v || q.Directed() && u != v }
	for u := range q.N() {
		for v := range q.N() {
			a, has := q.Edge(u, v)
			if !once(u, v) || !has {
				continue
			}
			var b graph.Label
			kept := m[u] != edit.Deleted && m[v] != edit.Deleted
			if kept {
				b, kept = g.Edge(m[u], m[v])
			}
			if kept {
				total += p.EdgeSubstitute(a, b)
			} else {
				total += p.EdgeDelete(a)
			}
		}
	}
	for x := range g.N() {
		for y := range g.N() {
			b, has := g.Edge(x, y)
			if !once(x, y) || !has {
				continue
			}
			u, hasU := inverse[x]
			v, hasV := inverse[y]
			if hasU && hasV {
				if _, kept := q.Edge(u, v); kept {
					continue
				}
			}
			total += p.EdgeInsert(b)
		}
	}
	return total
}

func TestInducedCostByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, g := drawPair(t, 5)
		m := drawMap(t, q, g)
		p := drawPricing(t, q, g)
		// The costs are multiples of 1/4, so sums are exact in any order.
		if got, want := edit.InducedCost(p, q, g, m), costByDefinition(p, q, g, m); got != want {
			t.Fatalf("%v costs %v, want %v", m, got, want)
		}
	})
}

func TestPathCostsWhatTheMapCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, g := drawPair(t, 5)
		m := drawMap(t, q, g)
		p := drawPricing(t, q, g)
		sum := 0.0
		for _, op := range edit.Path(p, q, g, m) {
			sum += op.Cost
			if p.Task() == edit.SED && (op.Kind == edit.NodeInsertion || op.Kind == edit.EdgeInsertion) {
				t.Fatalf("%s in a subgraph edit path", op)
			}
		}
		if want := edit.InducedCost(p, q, g, m); sum != want {
			t.Fatalf("path costs %v, map %v", sum, want)
		}
	})
}

// worksheet is a graph under edit: texts by node, query nodes by their number
// and inserted target nodes by n_q + their number.
type worksheet struct {
	nodes map[int]string
	edges map[[2]int]string
}

func (s *worksheet) key(directed bool, u, v int) [2]int {
	if !directed && u > v {
		u, v = v, u
	}
	return [2]int{u, v}
}

// carryOut applies the path to q, refusing any step that is not possible when
// it comes, and returns what became of q.
func carryOut(t *rapid.T, q, g *graph.Graph, m edit.NodeMap, path []edit.Operation) worksheet {
	s := worksheet{make(map[int]string), make(map[[2]int]string)}
	for v := range q.N() {
		s.nodes[v] = q.LabelText(v)
	}
	for e := range q.Edges() {
		s.edges[s.key(q.Directed(), e.From, e.To)] = q.Vocabulary().EdgeText(e.Label)
	}
	inverse := m.Inverse(g)
	place := func(w int) int {
		if inverse[w] != edit.Deleted {
			return inverse[w]
		}
		return q.N() + w
	}
	for _, op := range path {
		var ends [2]int
		if len(op.Query) == 2 {
			ends = s.key(q.Directed(), op.Query[0], op.Query[1])
		} else if len(op.Target) == 2 {
			ends = s.key(q.Directed(), place(op.Target[0]), place(op.Target[1]))
		}
		switch op.Kind {
		case edit.EdgeDeletion:
			if s.edges[ends] != op.From {
				t.Fatalf("%s: no such edge", op)
			}
			delete(s.edges, ends)
		case edit.NodeDeletion:
			for e := range s.edges {
				if e[0] == op.Query[0] || e[1] == op.Query[0] {
					t.Fatalf("%s: still has edge %v", op, e)
				}
			}
			if s.nodes[op.Query[0]] != op.From {
				t.Fatalf("%s: no such node", op)
			}
			delete(s.nodes, op.Query[0])
		case edit.NodeSubstitution:
			if s.nodes[op.Query[0]] != op.From || place(op.Target[0]) != op.Query[0] {
				t.Fatalf("%s: no such node", op)
			}
			s.nodes[op.Query[0]] = op.To
		case edit.EdgeSubstitution:
			if s.edges[ends] != op.From {
				t.Fatalf("%s: no such edge", op)
			}
			s.edges[ends] = op.To
		case edit.NodeInsertion:
			s.nodes[place(op.Target[0])] = op.To
		case edit.EdgeInsertion:
			for _, v := range ends {
				if _, ok := s.nodes[v]; !ok {
					t.Fatalf("%s: node %d is not there", op, v)
				}
			}
			s.edges[ends] = op.To
		}
	}
	return s
}

func TestPathTurnsQueryIntoTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, g := drawPair(t, 5)
		m := drawMap(t, q, g)
		p := drawPricing(t, q, g)
		s := carryOut(t, q, g, m, edit.Path(p, q, g, m))
		inverse := m.Inverse(g)
		place := func(w int) int {
			if inverse[w] != edit.Deleted {
				return inverse[w]
			}
			return q.N() + w
		}
		want := worksheet{make(map[int]string), make(map[[2]int]string)}
		for w := range g.N() {
			want.nodes[place(w)] = g.LabelText(w)
		}
		for e := range g.Edges() {
			want.edges[s.key(g.Directed(), place(e.From), place(e.To))] = g.Vocabulary().EdgeText(e.Label)
		}
		for v, text := range s.nodes {
			if want.nodes[v] != text {
				t.Fatalf("node %d ends as %q, want %q", v, text, want.nodes[v])
			}
		}
		for e, text := range s.edges {
			if want.edges[e] != text {
				t.Fatalf("edge %v ends as %q, want %q", e, text, want.edges[e])
			}
		}
		if p.Task() == edit.GED && (len(s.nodes) != g.N() || len(s.edges) != g.M()) {
			t.Fatalf("%d nodes and %d edges, want %d and %d", len(s.nodes), len(s.edges), g.N(), g.M())
		}
	})
}

func TestIdentityMapIsFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, _ := drawPair(t, 6)
		perm := graphtest.Permutation(q.N()).Draw(t, "perm")
		p := drawPricing(t, q, q)
		g := q.Permute(perm)
		if cost := edit.InducedCost(p, q, g, perm); cost != 0 {
			t.Fatalf("renumbering costs %v", cost)
		}
		if path := edit.Path(p, q, g, perm); len(path) != 0 {
			t.Fatalf("renumbering takes %v", path)
		}
	})
}

// TestFreeEditsOfEmptyLabels guards the test for "nothing happened" against
// labels without text: a free deletion is still a deletion.
func TestFreeEditsOfEmptyLabels(t *testing.T) {
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	b.AddNode("")
	q := graphtest.Must(b.Build())
	g := graphtest.Must(b.Build())
	p, err := edit.Price(edit.GED, edit.Costs{}, q, g)
	if err != nil {
		t.Fatal(err)
	}
	path := edit.Path(p, q, g, edit.NodeMap{edit.Deleted})
	if len(path) != 1 || path[0].Kind != edit.NodeDeletion {
		t.Errorf("path %v, want one deletion", path)
	}
}

func TestOperationForms(t *testing.T) {
	q, g := pair()
	p, err := edit.Price(edit.GED, edit.Uniform(), q, g)
	if err != nil {
		t.Fatal(err)
	}
	text := func(m edit.NodeMap) string {
		var lines []string
		for _, op := range edit.Path(p, q, g, m) {
			lines = append(lines, op.String())
		}
		return strings.Join(lines, "\n")
	}
	for _, c := range []struct {
		m    edit.NodeMap
		want string
	}{
		{edit.NodeMap{0, 1}, "substitute node 1 (N) by 1 (O)\nsubstitute edge 0-1 (-) by 0-1 (=)"},
		{edit.NodeMap{0, edit.Deleted}, "delete edge 0-1 (-)\ndelete node 1 (N)\ninsert node 1 (O) of the target\ninsert edge 0-1 (=) of the target"},
	} {
		if got := text(c.m); got != c.want {
			t.Errorf("path of %v:\n%s\nwant:\n%s", c.m, got, c.want)
		}
	}
	data, err := json.Marshal(edit.Path(p, q, g, edit.NodeMap{0, edit.Deleted}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"op":"delete edge","query":[0,1],"from":"-","cost":1},{"op":"delete node","query":[1],"from":"N","cost":1},` +
		`{"op":"insert node","target":[1],"to":"O","cost":1},{"op":"insert edge","target":[0,1],"to":"=","cost":1}]`
	if string(data) != want {
		t.Errorf("JSON %s\nwant %s", data, want)
	}
}

func TestNodeMapCheck(t *testing.T) {
	q, g := pair()
	for want, m := range map[string]edit.NodeMap{
		"edit: node map of 1 nodes for a query of 2":                      {0},
		"edit: query node 1 is mapped to 2, the target has nodes 0 to 1":  {0, 2},
		"edit: query node 0 is mapped to -2, the target has nodes 0 to 1": {-2, 0},
		"edit: two query nodes are mapped to target node 1":               {1, 1},
	} {
		if err := m.Check(q, g); err == nil || err.Error() != want {
			t.Errorf("error %v, want %q", err, want)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("InducedCost takes %v", m)
				}
			}()
			p, _ := edit.Price(edit.GED, edit.Uniform(), q, g)
			edit.InducedCost(p, q, g, m)
		}()
	}
	for _, m := range []edit.NodeMap{{0, 1}, {1, 0}, {edit.Deleted, 0}, {edit.Deleted, edit.Deleted}} {
		if err := m.Check(q, g); err != nil {
			t.Error(err)
		}
	}
	if inv := (edit.NodeMap{1, edit.Deleted}).Inverse(g); !slices.Equal(inv, edit.NodeMap{edit.Deleted, 0}) {
		t.Errorf("inverse %v", inv)
	}
}

// TestEveryKindHasAName also holds the order that makes a path possible.
func TestEveryKindHasAName(t *testing.T) {
	names := map[edit.Kind]string{
		edit.EdgeDeletion: "delete edge", edit.NodeDeletion: "delete node",
		edit.NodeSubstitution: "substitute node", edit.EdgeSubstitution: "substitute edge",
		edit.NodeInsertion: "insert node", edit.EdgeInsertion: "insert edge",
	}
	for kind, name := range names {
		text, err := kind.MarshalText()
		if err != nil || string(text) != name || kind.String() != name {
			t.Errorf("kind %d: %q, %q, %v", kind, text, kind, err)
		}
	}
}

func TestUnitEditsCostAtMostTheirNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, g := drawPair(t, 5)
		m := drawMap(t, q, g)
		p, err := edit.Price(edit.GED, edit.Uniform(), q, g)
		if err != nil {
			t.Fatal(err)
		}
		path := edit.Path(p, q, g, m)
		if cost := edit.InducedCost(p, q, g, m); cost != float64(len(path)) || math.Signbit(cost) {
			t.Fatalf("%d unit edits cost %v", len(path), cost)
		}
	})
}

// A named edit says names; what has none keeps its number.
func TestNamedEdits(t *testing.T) {
	vocab := graph.NewVocabulary()
	q, g := graph.NewBuilder(vocab, true), graph.NewBuilder(vocab, true)
	for _, l := range []string{"main", "parse", "lex"} {
		q.AddNode(l)
	}
	for _, l := range []string{"main", "scan", "f"} {
		g.AddNode(l)
	}
	for _, e := range []struct {
		b     *graph.Builder
		v, w  int
		label string
	}{{q, 0, 1, "0"}, {q, 1, 2, "calls"}, {g, 1, 0, "0"}} {
		if err := e.b.AddEdge(e.v, e.w, e.label); err != nil {
			t.Fatal(err)
		}
	}
	a, err := q.Build()
	if err != nil {
		t.Fatal(err)
	}
	b, err := g.Build()
	if err != nil {
		t.Fatal(err)
	}
	p, err := edit.Price(edit.GED, edit.Uniform(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	path := edit.Path(p, a, b, edit.NodeMap{0, 1, edit.Deleted})
	for _, c := range []struct {
		query, target []string
		want          string
	}{
		{nil, nil, "delete edge 0-1 (0); delete edge 1-2 (calls); delete node 2 (lex); substitute node 1 (parse) by 1 (scan); insert node 2 (f) of the target; insert edge 1-0 (0) of the target"},
		{[]string{"main", "parse", "lex"}, []string{"main", "scan", "x"},
			"delete edge main→parse; delete edge parse→lex (calls); delete node lex; substitute node parse by scan; insert node x (f); insert edge scan→main"},
		{nil, []string{"main", "scan", "x"},
			"delete edge 0-1 (0); delete edge 1-2 (calls); delete node 2 (lex); substitute node 1 (parse) by scan; insert node x (f); insert edge scan→main"},
	} {
		var said []string
		for _, op := range edit.WithNames(path, c.query, c.target, true) {
			said = append(said, op.String())
		}
		if got := strings.Join(said, "; "); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if path[0].QueryNames != nil {
		t.Error("WithNames changed its argument")
	}
}
