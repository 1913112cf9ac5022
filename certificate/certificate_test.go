package certificate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/certificate"
	"github.com/greedgraph/greed/certificate/verify"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// counted lists the kinds of costs that have a unit.
var counted = []string{
	"uniform", "ignore edge labels", "chem1", "chem2", "dear edge labels", "dear labels", "integer weights", "decimal weights",
	"node table", "edge table", "tables", "tables with default", "rings", "table with rings", "free nodes",
}

// question is a random pair, or a query with some graphs, with their distances.
type question struct {
	task   edit.Task
	costs  edit.Costs
	q      *graph.Graph
	t      []*graph.Graph
	truth  []float64
	best   []edit.NodeMap
	claims []certificate.Claim
}

func ask(t testing.TB, r *rand.Rand, graphs int) *question {
	x := &question{task: edit.Task(r.IntN(2)), costs: gedtest.Costs()[counted[r.IntN(len(counted))]](r)}
	shape := gedtest.Shape{
		MaxNodes: 5, Density: r.Float64(), NodeLabels: 1 + r.IntN(3), EdgeLabels: 1 + r.IntN(2),
		Directed: r.IntN(3) == 0, Wildcards: max(0, r.Float64()-0.6),
	}
	if graphs > 1 || shape.Directed {
		shape.MaxNodes = 4
	}
	if r.IntN(3) == 0 {
		shape.MaxNodes, shape.Multi = min(shape.MaxNodes, 4), 0.3
	}
	vocab := graph.NewVocabulary()
	x.q = gedtest.Graph(r, vocab, shape)
	for i := range graphs {
		g := gedtest.Graph(r, vocab, shape)
		p, err := edit.Price(x.task, x.costs, x.q, g)
		if err != nil {
			t.Fatal(err)
		}
		d, m := gedtest.BruteForce(p, x.q, g)
		x.t, x.truth, x.best = append(x.t, g), append(x.truth, d), append(x.best, m)
		x.claims = append(x.claims, certificate.Claim{ID: string(rune('A' + i)), Query: x.q, QueryID: "q", Target: g})
	}
	return x
}

// fix fixes some pairs of the graphs, those of a random node map, and restricts the truth to maps that have them.
func (x *question) fix(t testing.TB, r *rand.Rand) {
	q, g := x.q, x.t[0]
	targets, m := r.Perm(g.N()), make(edit.NodeMap, q.N())
	var all, fixed [][]int
	for v := range m {
		if m[v] = edit.Deleted; v < len(targets) && r.IntN(4) > 0 {
			m[v] = targets[v]
		}
		all = append(all, []int{v, m[v]})
	}
	for w := range g.N() {
		if !slices.Contains(m, w) {
			all = append(all, []int{edit.Deleted, w})
		}
	}
	for _, pair := range all {
		if r.IntN(3) > 0 {
			fixed = append(fixed, pair)
			x.claims[0].Fixed = append(x.claims[0].Fixed, [2]int(pair))
		}
	}
	p, err := edit.Price(x.task, x.costs, q, g)
	if err != nil {
		t.Fatal(err)
	}
	x.truth[0] = math.Inf(1)
	for m := range gedtest.NodeMaps(q.N(), g.N()) {
		if cost := edit.InducedCost(p, q, g, m); cost < x.truth[0] && keeps(m, fixed) {
			x.truth[0], x.best[0] = cost, slices.Clone(m)
		}
	}
}

func (x *question) write(t testing.TB, set *certificate.Set) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := certificate.Write(context.Background(), &out, x.task, x.costs, x.claims, set, 1); err != nil {
		t.Fatalf("%v: %v %+v\n%s", err, x.task, x.costs, gedtest.Text(x.q))
	}
	return out.Bytes()
}

func accepted(t testing.TB, text []byte) (*verify.Header, []verify.Pair) {
	t.Helper()
	h, pairs, err := verify.Read(bytes.NewReader(text), func() {})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return h, pairs
}

// TestForm: whatever an id holds, its certificate is accepted as it was written, and in no other form.
func TestForm(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 7))
	for _, id := range []string{"", "<&>\u2028\"\\", "\xff\xfe", "\\ufffd", "Größe"} {
		x := ask(t, r, 1)
		x.claims[0].ID = id
		text := x.write(t, nil)
		accepted(t, text)
		for what, other := range map[string][]byte{
			"a space":         bytes.Replace(text, []byte(`":`), []byte(`": `), 1),
			"another case":    bytes.Replace(text, []byte(`"lower"`), []byte(`"Lower"`), 1),
			"a member twice":  bytes.Replace(text, []byte(`"lower"`), []byte(`"lower":0,"lower"`), 1),
			"one too much":    bytes.Replace(text, []byte(`"lower"`), []byte(`"low":0,"lower"`), 1),
			"one is missing":  bytes.Replace(text, []byte(`"directed":false,`), nil, 1),
			"a number from 0": bytes.Replace(text, []byte(`"unit":`), []byte(`"unit":0`), 1),
		} {
			if !bytes.Equal(other, text) {
				refused(t, what, other)
			}
		}
	}
}

// rewrite changes the header or the pairs of a certificate.
func rewrite(t testing.TB, text []byte, change func(h *verify.Header, pairs []verify.Pair) []verify.Pair) []byte {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	h := verify.Header{Stop: func() {}}
	if err := d.Decode(&h); err != nil {
		t.Fatal(err)
	}
	var pairs []verify.Pair
	for d.More() {
		var p verify.Pair
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, p)
	}
	pairs = change(&h, pairs)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	if err := e.Encode(h); err != nil {
		t.Fatal(err)
	}
	for _, p := range pairs {
		if err := e.Encode(p); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func refused(t testing.TB, what string, text []byte) {
	t.Helper()
	if _, _, err := verify.Read(bytes.NewReader(text), func() {}); !errors.Is(err, verify.ErrRefused) {
		t.Fatalf("%s: %v\n%s", what, err, text)
	}
}

// trials returns how many trials a test takes. With the race detector, which only the writing of
// many claims at once is for, each takes ten times as long.
func trials() int {
	if testing.Short() {
		return 100
	}
	return 1000
}

// TestDistances has 1,000 certificates of distances accepted, and refused whatever is claimed
// besides: a bound that is better than the distance, in whatever way it is falsified.
func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 37))
	for range trials() {
		x := ask(t, r, 1)
		x.claims[0].Lower, x.claims[0].Map = x.truth[0], x.best[0]
		text := x.write(t, nil)
		h, pairs := accepted(t, text)
		if got := float64(pairs[0].Lower*h.Unit) / float64(h.Scale); pairs[0].Lower != pairs[0].Upper || math.Abs(got-x.truth[0]) > 1e-9 {
			t.Fatalf("[%d, %d] of %v", pairs[0].Lower, pairs[0].Upper, x.truth[0])
		}
		one := func(change func(p *verify.Pair)) []byte {
			return rewrite(t, text, func(_ *verify.Header, pairs []verify.Pair) []verify.Pair {
				change(&pairs[0])
				return pairs
			})
		}
		refused(t, "a higher lower bound", one(func(p *verify.Pair) { p.Lower++ }))
		refused(t, "a bound that overflows", one(func(p *verify.Pair) { p.Lower = math.MaxInt64 - r.Int64N(1<<62) }))
		refused(t, "a lower upper bound", one(func(p *verify.Pair) { p.Upper-- }))
		refused(t, "another number of pairs", rewrite(t, text, func(h *verify.Header, _ []verify.Pair) []verify.Pair { return nil }))
	}
}

// TestLower has 1,000 certificates of lower bounds accepted, and none with any proof of a
// bound that is not true.
func TestLower(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 37))
	for range trials() {
		x := ask(t, r, 1)
		x.claims[0].Lower = x.truth[0] * r.Float64()
		text := x.write(t, nil)
		h, pairs := accepted(t, text)
		if pairs[0].Map != nil || float64(pairs[0].Lower*h.Unit)/float64(h.Scale) < x.claims[0].Lower-1e-9 {
			t.Fatalf("%+v", pairs[0])
		}
		beyond := int64(math.Round(x.truth[0]*float64(h.Scale)/float64(h.Unit))) + 1
		refused(t, "a bound above the distance", rewrite(t, text, func(_ *verify.Header, pairs []verify.Pair) []verify.Pair {
			pairs[0].Lower, pairs[0].Proof = beyond, anyProof(r, len(pairs[0].Query.Nodes), len(pairs[0].Target.Nodes), len(pairs[0].Query.Edges)*len(pairs[0].Target.Edges), h.Directed, 4)
			return pairs
		}))
	}
}

// anyProof returns random shares and divisions.
func anyProof(r *rand.Rand, n, m, edges int, directed bool, depth int) *verify.Case {
	c := &verify.Case{}
	if !directed {
		edges *= 2
	}
	if r.IntN(2) == 0 {
		for range edges {
			c.Shares = append(c.Shares, r.Int64N(2000)-500)
		}
	}
	if depth > 0 && n > 0 && r.IntN(3) > 0 {
		c.Row, c.Cases = r.IntN(n), map[int]*verify.Case{}
		for w := -1; w < m; w++ {
			if r.IntN(2) == 0 {
				c.Cases[w] = anyProof(r, n, m, edges, true, depth-1)
			}
		}
	}
	return c
}

// TestSets has 1,000 certificates of all graphs within a radius accepted, and 1,000 of the
// nearest ones, and refused where an answer is missing or wrong.
func TestSets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 37))
	for trial := range 2 * trials() {
		x := ask(t, r, 3+r.IntN(3))
		set := &certificate.Set{Nearest: 1 + r.IntN(len(x.t))}
		limit := x.truth[r.IntN(len(x.truth))]
		if trial%2 == 0 {
			set = &certificate.Set{Radius: limit}
		}
		answers := 0
		for i := range x.claims {
			near := x.truth[i] <= limit+1e-9
			if set.Nearest > 0 {
				closer := 0
				for j, d := range x.truth {
					if d < x.truth[i]-1e-9 || d <= x.truth[i]+1e-9 && j < i {
						closer++
					}
				}
				near = closer < set.Nearest
			}
			c := &x.claims[i]
			if c.Answer = near; near {
				c.Map = x.best[i]
				answers++
			} else {
				c.Lower = x.truth[i]
			}
		}
		text := x.write(t, set)
		accepted(t, text)
		if answers == 0 {
			t.Fatal("no answers")
		}
		refused(t, "an answer less", rewrite(t, text, func(_ *verify.Header, pairs []verify.Pair) []verify.Pair {
			for i := range pairs {
				if pairs[i].Answer {
					pairs[i].Answer = false
					break
				}
			}
			return pairs
		}))
		refused(t, "everything is within the radius, and nothing an answer", rewrite(t, text, func(h *verify.Header, pairs []verify.Pair) []verify.Pair {
			all := int64(math.MaxInt64)
			h.Radius, h.Nearest = &all, 0
			for i := range pairs {
				pairs[i].Answer = false
			}
			return pairs
		}))
		refused(t, "a graph less", rewrite(t, text, func(_ *verify.Header, pairs []verify.Pair) []verify.Pair { return pairs[1:] }))
		refused(t, "a graph twice", rewrite(t, text, func(_ *verify.Header, pairs []verify.Pair) []verify.Pair {
			pairs[0] = pairs[1]
			return pairs
		}))
		if answers < len(x.t) {
			refused(t, "another graph as an answer", rewrite(t, text, func(h *verify.Header, pairs []verify.Pair) []verify.Pair {
				for i := range pairs {
					if !pairs[i].Answer {
						pairs[i].Answer = true
						break
					}
				}
				return pairs
			}))
		}
	}
}

// TestDamaged has a certificate refused, without a panic, wherever a byte of numbers is changed
// so that the claim is about something else, or accepted only if the claim is still true.
func TestDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 37))
	for range trials() {
		x := ask(t, r, 1)
		x.claims[0].Lower, x.claims[0].Map = x.truth[0], x.best[0]
		text := x.write(t, nil)
		damaged := bytes.Clone(text)
		for range 1 + r.IntN(3) {
			at := r.IntN(len(damaged))
			damaged[at] = "0123456789-,]["[r.IntN(14)]
		}
		h, pairs, err := verify.Read(bytes.NewReader(damaged), func() {})
		if err != nil {
			continue
		}
		for _, p := range pairs {
			if least := least(h, p.Query, &p.Target, p.Fixed); p.Lower > least || p.Map != nil && p.Upper < least {
				t.Fatalf("[%d, %d] is accepted of %d\n%s", p.Lower, p.Upper, least, damaged)
			}
		}
	}
}

// keeps reports whether a node map has the fixed pairs.
func keeps(m []int, fixed [][]int) bool {
	return !slices.ContainsFunc(fixed, func(x []int) bool {
		if x[0] >= 0 {
			return m[x[0]] != x[1]
		}
		return slices.Contains(m, x[1])
	})
}

// least returns the distance of the graphs of a certificate, by all node maps that have the fixed pairs.
func least(h *verify.Header, q, t *verify.Graph, fixed [][]int) int64 {
	best := int64(math.MaxInt64)
	between := func(g *verify.Graph, u, v int) (labels []int) {
		for _, e := range g.Edges {
			if e[0] == u && e[1] == v || !h.Directed && e[0] == v && e[1] == u {
				labels = append(labels, e[2])
			}
		}
		return labels
	}
	for f := range gedtest.NodeMaps(len(q.Nodes), len(t.Nodes)) {
		if !keeps(f, fixed) {
			continue
		}
		total, from := int64(0), make(map[int]int)
		for v, w := range f {
			if w < 0 {
				total += h.Nodes.Delete[q.Nodes[v]]
				continue
			}
			from[w] = v
			total += h.Nodes.Substitute[q.Nodes[v]][t.Nodes[w]]
		}
		for w, l := range t.Nodes {
			if _, mapped := from[w]; !mapped {
				total += h.Nodes.Insert[l]
			}
		}
		for _, e := range q.Edges {
			total += h.Edges.Delete[e[2]]
		}
		for _, e := range t.Edges {
			total += h.Edges.Insert[e[2]]
		}
		for u := range f {
			for v := range f {
				if f[u] >= 0 && f[v] >= 0 && (h.Directed || u <= v) {
					total -= saves(h, between(q, u, v), between(t, f[u], f[v]))
				}
			}
		}
		best = min(best, total)
	}
	return best
}

// saves returns the most that edges save by becoming others, by all matchings.
func saves(h *verify.Header, from, to []int) int64 {
	if len(from) == 0 {
		return 0
	}
	a := from[0]
	most := saves(h, from[1:], to)
	for j, b := range to {
		rest := append(append([]int{}, to[:j]...), to[j+1:]...)
		most = max(most, h.Edges.Delete[a]+h.Edges.Insert[b]-h.Edges.Substitute[a][b]+saves(h, from[1:], rest))
	}
	return most
}

func TestRefusals(t *testing.T) {
	x := ask(t, rand.New(rand.NewPCG(5, 37)), 1)
	x.costs = edit.Costs{NodeInsert: math.Pi, NodeDelete: math.E, NodeSubstitute: 1, EdgeInsert: 1, EdgeDelete: 1, EdgeSubstitute: 1}
	vocab := graph.NewVocabulary()
	b := graph.NewBuilder(vocab, false)
	b.AddNode("C")
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	x.task, x.claims = edit.GED, []certificate.Claim{{Query: g, Target: g}}
	if err := certificate.Write(context.Background(), &bytes.Buffer{}, x.task, x.costs, x.claims, nil, 1); !errors.Is(err, certificate.ErrUnit) {
		t.Error(err)
	}
	x.costs, x.claims[0].Lower = edit.Uniform(), 0.5
	if err := certificate.Write(context.Background(), &bytes.Buffer{}, x.task, x.costs, x.claims, nil, 1); !errors.Is(err, certificate.ErrFalse) {
		t.Error(err)
	}
	large := graph.NewBuilder(vocab, false)
	for range 1025 {
		large.AddNode("C")
	}
	if g, err = large.Build(); err != nil {
		t.Fatal(err)
	}
	for _, set := range []*certificate.Set{nil, {Radius: 1}} {
		claims := []certificate.Claim{{Query: x.claims[0].Query, Target: g}, {Query: g, Target: g}}
		if set != nil { // with the same id
			claims[0].Target, claims[1] = claims[0].Query, claims[0]
		}
		if err := certificate.Write(context.Background(), &bytes.Buffer{}, x.task, x.costs, claims, set, 1); !errors.Is(err, certificate.ErrGraphs) {
			t.Error(err)
		}
	}
	for _, text := range []string{"", "{}", "[]", "nonsense", `{"greed_certificate":2}`,
		"{\"greed_certificate\":1,\"task\":\"ged\",\"directed\":false,\"unit\":1,\"scale\":1,\"nodes\":{\"labels\":[\"C\"],\"delete\":[1],\"insert\":[1],\"substitute\":[[0]]},\"edges\":{\"labels\":[\"1\"],\"delete\":[1],\"insert\":[1],\"substitute\":[[0]]},\"pairs\":1}\n" +
			`{"query":{"id":"0","nodes":[0,0],"edges":[[0,1]]},"target":{"id":"0","nodes":[0,0],"edges":[[0,1,0]]},"lower":0,"map":[0,1],"grain":1}`, // an edge without a label
	} {
		if _, _, err := verify.Read(strings.NewReader(text), func() {}); !errors.Is(err, verify.ErrRefused) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestChecker keeps the checker small, and apart from everything else.
func TestChecker(t *testing.T) {
	files, err := filepath.Glob("verify/*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("greedgraph")) {
			t.Errorf("%s imports other packages of this module", name)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				lines++
			}
		}
	}
	if len(files) == 0 || lines > 477 {
		t.Errorf("%d lines of code, want at most 477", lines)
	}
}

// TestTooManyEdges: a pair of graphs whose edges would take too much memory together is refused, by name, before any is
// taken, by both checkers and when it would be written.
func TestTooManyEdges(t *testing.T) {
	header := `{"greed_certificate":1,"task":"ged","directed":false,"unit":1,"scale":1,` +
		`"nodes":{"labels":["C"],"delete":[1],"insert":[1],"substitute":[[0]]},` +
		`"edges":{"labels":["-"],"delete":[1],"insert":[1],"substitute":[[0]]},"pairs":1}` + "\n"
	side := func(id string, edges int) string {
		return `{"id":"` + id + `","nodes":[0,0],"edges":[` + strings.TrimSuffix(strings.Repeat("[0,1,0],", edges), ",") + `]}`
	}
	pair := func(q, g int) string {
		return header + `{"query":` + side("q", q) + `,"target":` + side("g", g) + `,"lower":0,"map":null,"grain":1}` + "\n"
	}
	for edges, refused := range map[[2]int]bool{{2048, 2048}: false, {4096, 1024}: false, {2049, 2048}: true} {
		text := pair(edges[0], edges[1])
		_, _, err := certificate.Read(t.Context(), strings.NewReader(text))
		if refused != (err != nil) || refused && !strings.Contains(err.Error(), "pairs of edges") {
			t.Errorf("%v: %v", edges, err)
		}
	}
}
