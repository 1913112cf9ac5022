package bound

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// instance is a random pair of tiny graphs with random costs.
type instance struct {
	task edit.Task
	p    *edit.Pricing
	q, t *graph.Graph
}

func (x instance) String() string {
	return fmt.Sprintf("%v %+v\nquery %v\ntarget %v", x.task, x.p.Costs(), describe(x.q), describe(x.t))
}

func describe(g *graph.Graph) string {
	text := fmt.Sprintf("directed %v, nodes", g.Directed())
	for v := range g.N() {
		text += " " + g.LabelText(v)
	}
	for e := range g.Edges() {
		text += fmt.Sprintf(", %d-%d %s", e.From, e.To, g.Vocabulary().EdgeText(e.Label))
	}
	return text
}

// randomInstance draws graphs of at most maxNodes nodes: disconnected, empty
// and with isolated nodes too, sometimes with wildcards in the query; costs are
// uniform, those of GEDLIB's CHEM_1, arbitrary weights, or tables.
func randomInstance(r *rand.Rand, maxNodes int) instance {
	x := instance{task: edit.Task(r.IntN(2))}
	vocab := graph.NewVocabulary()
	directed := r.IntN(3) == 0
	nodeLabels, edgeLabels := 1+r.IntN(3), 1+r.IntN(3)
	wild := r.IntN(4) == 0
	x.q = randomGraph(r, vocab, directed, r.IntN(maxNodes+1), nodeLabels, edgeLabels, wild)
	x.t = randomGraph(r, vocab, directed, r.IntN(maxNodes+1), nodeLabels, edgeLabels, false)
	p, err := edit.Price(x.task, randomCosts(r, vocab), x.q, x.t)
	if err != nil {
		panic(err)
	}
	x.p = p
	return x
}

func randomGraph(r *rand.Rand, vocab *graph.Vocabulary, directed bool, n, nodeLabels, edgeLabels int, wild bool) *graph.Graph {
	b := graph.NewBuilder(vocab, directed)
	label := func(intern func(string) graph.Label, count int) graph.Label {
		if wild && r.IntN(4) == 0 {
			return graph.Wildcard
		}
		return intern(string(rune('A' + r.IntN(count))))
	}
	for range n {
		b.AddNodeLabel(label(vocab.Node, nodeLabels))
	}
	density := r.Float64()
	for u := range n {
		for v := range n {
			if u != v && (directed || u < v) && r.Float64() < density {
				if err := b.AddEdgeLabel(u, v, label(vocab.Edge, edgeLabels)); err != nil {
					panic(err)
				}
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}

func randomCosts(r *rand.Rand, vocab *graph.Vocabulary) edit.Costs {
	switch r.IntN(6) {
	case 0:
		return edit.Uniform()
	case 1:
		return edit.Uniform().IgnoreEdgeLabels()
	case 2:
		return edit.Chem1()
	}
	cost := func() float64 { return float64(r.IntN(6)) }
	if r.IntN(2) == 0 {
		cost = func() float64 { return 3 * r.Float64() }
	}
	c := edit.Costs{
		NodeInsert: cost(), NodeDelete: cost(), NodeSubstitute: cost(),
		EdgeInsert: cost(), EdgeDelete: cost(), EdgeSubstitute: cost(),
	}
	table := func(count int, text func(graph.Label) string) *edit.Table {
		t := &edit.Table{Insert: map[string]float64{}, Delete: map[string]float64{}, Substitute: map[string]map[string]float64{}}
		for a := range count {
			from := text(graph.Label(a))
			t.Insert[from], t.Delete[from] = cost(), cost()
			t.Substitute[from] = map[string]float64{}
			for b := range count {
				if a != b || r.IntN(3) == 0 {
					t.Substitute[from][text(graph.Label(b))] = cost()
				}
			}
		}
		return t
	}
	if r.IntN(3) == 0 {
		c.Nodes = table(vocab.Nodes(), vocab.NodeText)
	}
	if r.IntN(3) == 0 {
		c.Edges = table(vocab.Edges(), vocab.EdgeText)
	}
	return c
}

// bruteForce returns the least induced cost over all node maps.
func bruteForce(x instance) float64 {
	m := make(edit.NodeMap, x.q.N())
	taken := make([]bool, x.t.N())
	best := math.Inf(1)
	var extend func(v int)
	extend = func(v int) {
		if v == len(m) {
			best = min(best, edit.InducedCost(x.p, x.q, x.t, m))
			return
		}
		m[v] = edit.Deleted
		extend(v + 1)
		for w := range taken {
			if !taken[w] {
				m[v], taken[w] = w, true
				extend(v + 1)
				taken[w] = false
			}
		}
	}
	extend(0)
	return best
}
