package gedtest_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// published are costs as their source states them, by the texts of labels.
type published struct {
	node, edge       func(r *rand.Rand) string // draws a label
	nodeOut, edgeOut func(label string) float64
	nodeSub, edgeSub func(a, b string) float64
}

func constant(x float64) func(string) float64 { return func(string) float64 { return x } }

func unequal(x float64) func(a, b string) float64 {
	return func(a, b string) float64 {
		if a == b {
			return 0
		}
		return x
	}
}

func oneOf(labels ...string) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return labels[r.IntN(len(labels))] }
}

func number(t *testing.T, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// weights are published costs that only ask whether labels are equal.
func weights(node, relabel, edge, change float64) published {
	atoms, bonds := oneOf("C", "N", "O"), oneOf("1", "2", "ar")
	return published{atoms, bonds, constant(node), constant(edge), unequal(relabel), unequal(change)}
}

// TestNamed holds every named cost against what its source says.
func TestNamed(t *testing.T) {
	order := map[string]float64{"1": 1, "2": 2, "3": 3, "ar": 1.5}
	costs := map[string]published{
		"uniform": weights(1, 1, 1, 1),
		"chem1":   weights(4, 2, 1, 1),
		// 11/4, 11/2, 1.1·3/4: the weighted costs of the source
		"chem2": weights(11.0/4, 11.0/2, 1.1*3/4, 1.1*3/4),
		"mces": {
			node: oneOf("C", "N"), edge: oneOf("1", "2", "3", "ar"),
			nodeOut: constant(0), nodeSub: unequal(math.Inf(1)),
			edgeOut: func(a string) float64 { return order[a] },
			edgeSub: func(a, b string) float64 { return math.Abs(order[a] - order[b]) },
		},
		"letter": {
			node:    func(r *rand.Rand) string { return fmt.Sprintf("%.3f|%.3f", 3*r.Float64(), 3*r.Float64()) },
			edge:    oneOf("0"),
			nodeOut: constant(0.75 * 0.9), edgeOut: constant(0.25 * 1.7),
			nodeSub: func(a, b string) float64 {
				x, y := strings.Split(a, "|"), strings.Split(b, "|")
				dx, dy := number(t, x[0])-number(t, y[0]), number(t, x[1])-number(t, y[1])
				return 0.75 * math.Sqrt(dx*dx+dy*dy)
			},
			edgeSub: unequal(0),
		},
		"fingerprint": {
			node: oneOf("0", "1"), edge: func(r *rand.Rand) string { return fmt.Sprint(math.Pi * (r.Float64() - 0.5)) },
			nodeOut: constant(0.75 * 0.7), edgeOut: constant(0.25 * 0.5),
			nodeSub: unequal(0),
			edgeSub: func(a, b string) float64 {
				d := math.Abs(number(t, a) - number(t, b))
				return 0.25 * min(math.Pi-d, d)
			},
		},
	}
	for _, name := range edit.Names() {
		p, there := costs[name]
		if !there {
			if name == "rings" { // what a ring is, BruteForce finds out in Conform
				continue
			}
			t.Errorf("%s is not held against its source", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, known := edit.Named(name)
			if !known {
				t.Fatal("not known")
			}
			for task := range edit.MCS {
				p.hold(t, task, c)
			}
		})
	}
}

// hold compares the solver under costs c with the least published cost of a node map.
func (p *published) hold(t *testing.T, task edit.Task, c edit.Costs) {
	s, err := ged.NewSolver(task, c)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, uint64(task)))
	for trial := range 60 {
		vocab := graph.NewVocabulary()
		directed := trial%3 == 0
		q, g := p.draw(r, vocab, directed), p.draw(r, vocab, directed)
		want := math.Inf(1)
		for m := range gedtest.NodeMaps(q.N(), g.N()) {
			want = min(want, p.cost(task, q, g, m))
		}
		got, err := s.Distance(context.Background(), q, g, ged.Options{})
		if err != nil || !got.Exact || math.Abs(got.Upper-want) > gedtest.Tolerance {
			t.Fatalf("%v %d: [%v, %v], %v, want %v\nquery %s\ntarget %s", task, trial, got.Lower, got.Upper, err, want, gedtest.Text(q), gedtest.Text(g))
		}
	}
}

func (p *published) draw(r *rand.Rand, vocab *graph.Vocabulary, directed bool) *graph.Graph {
	b := graph.NewBuilder(vocab, directed)
	n := r.IntN(5)
	for range n {
		b.AddNode(p.node(r))
	}
	for u := range n {
		for v := range n {
			if u < v && r.IntN(2) == 0 {
				if err := b.AddEdge(u, v, p.edge(r)); err != nil {
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

// cost is what a node map costs by the published functions; insertions are free for SED.
// Edges may be deleted and inserted instead of changed.
func (p *published) cost(task edit.Task, q, t *graph.Graph, m edit.NodeMap) float64 {
	insert := func(x float64) float64 {
		if task == edit.SED {
			return 0
		}
		return x
	}
	edgeText := q.Vocabulary().EdgeText
	total := 0.0
	for v, w := range m {
		if w == edit.Deleted {
			total += p.nodeOut(q.LabelText(v))
		} else {
			total += p.nodeSub(q.LabelText(v), t.LabelText(w))
		}
	}
	for w := range t.N() {
		if !slices.Contains(m, w) {
			total += insert(p.nodeOut(t.LabelText(w)))
		}
	}
	for e := range t.Edges() {
		total += insert(p.edgeOut(edgeText(e.Label)))
	}
	for e := range q.Edges() {
		away := p.edgeOut(edgeText(e.Label))
		x, y := m[e.From], m[e.To]
		if x != edit.Deleted && y != edit.Deleted {
			if l, ok := t.Edge(x, y); ok {
				saved := insert(p.edgeOut(edgeText(l)))
				total += min(p.edgeSub(edgeText(e.Label), edgeText(l))-saved, away)
				continue
			}
		}
		total += away
	}
	return total
}
