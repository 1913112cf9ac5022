package edit

import (
	"math"
	"reflect"

	"github.com/greedgraph/greed/graph"
)

var named = []struct {
	name  string
	costs func() Costs
}{{"uniform", Uniform}, {"chem1", Chem1}, {"chem2", Chem2}, {"rings", Rings}, {"mces", MCES}, {"letter", Letter},
	{"fingerprint", Fingerprint}}

// Named returns the costs that go by a name, one of [Names].
func Named(name string) (c Costs, known bool) {
	for _, n := range named {
		if n.name == name {
			return n.costs(), true
		}
	}
	return Costs{}, false
}

// Names returns the names that [Named] knows.
func Names() (names []string) {
	for _, n := range named {
		names = append(names, n.name)
	}
	return names
}

// Uniform returns the unit costs of the paper: every edit costs 1.
func Uniform() Costs { return Costs{1, 1, 1, 1, 1, 1, nil, nil} }

// Chem1 returns the costs that GEDLIB calls CHEM_1: nodes are inserted and
// deleted for 4, edges for 1; a substitution costs 2 for a node, 1 for an edge.
func Chem1() Costs { return Costs{4, 4, 2, 1, 1, 1, nil, nil} }

// Chem2 returns the costs that GEDLIB calls CHEM_2: nodes are inserted and
// deleted for 2.75, edges for 0.825; a substitution costs 5.5 for a node, 0.825
// for an edge. They are those of Abu-Aisheh, Raveaux and Ramel, "A graph database
// repository and performance evaluation metrics for graph edit distance" (GbRPR
// 2015): 11 for a node and 1.1 for an edge, weighed 1 to 3.
func Chem2() Costs { return Costs{2.75, 2.75, 5.5, 0.825, 0.825, 0.825, nil, nil} }

// MCES returns the costs by which GED is the distance of maximum common edge
// subgraphs of molecules (Kretschmer, Seipp, Ludwig, Klau and Böcker, "Coverage
// bias in small molecule machine learning", Nature Communications 2025): atoms map
// to their own element only, atoms cost nothing, a bond that is not common costs its
// order, an aromatic one 1.5, and a common one the difference of the orders. Bonds
// are labelled as package chem does; any other label counts as a single bond of its
// own kind.
func MCES() Costs {
	orders := map[string]float64{"1": 1, "2": 2, "3": 3, "4": 4, "ar": 1.5}
	bonds := &Table{
		Insert: orders, Delete: orders, Substitute: make(map[string]map[string]float64),
		Default: &Default{Insert: 1, Delete: 1, Substitute: 1},
	}
	for a, x := range orders {
		bonds.Substitute[a] = make(map[string]float64)
		for b, y := range orders {
			bonds.Substitute[a][b] = math.Abs(x - y)
		}
	}
	return Costs{
		Nodes: &Table{Default: &Default{Substitute: otherElement}},
		Edges: bonds,
	}
}

// Rings returns unit costs by which it costs 1 more if an edge in a ring becomes one
// that is in none, or the other way round. So a ring of six bonds is opened for 6: one
// bond is deleted, and five leave the ring.
func Rings() Costs {
	c := Uniform()
	c.Edges = &Table{Default: &Default{Insert: 1, Delete: 1, Substitute: 1}, Ring: 1}
	return c
}

// Letter returns the costs that GEDLIB calls Letter, for the drawings of letters in the
// IAM database: nodes at x and y are moved at 0.75 times the distance, and inserted and
// deleted for 0.75 · 0.9; edges have no label and cost 0.25 · 1.7. They are those of
// Riesen and Bunke, "Graph Classification and Clustering Based on Vector Space Embedding"
// (2010), for high distortion.
func Letter() Costs {
	return Costs{
		Nodes: &Table{
			Default: &Default{Insert: 0.675, Delete: 0.675},
			Parts:   []Difference{{Attributes: []string{"x", "y"}, Weight: 0.75}},
			Most:    noLimit,
		},
		EdgeInsert: 0.425, EdgeDelete: 0.425,
	}
}

// Fingerprint returns the costs that GEDLIB calls Fingerprint, from the source of
// [Letter]: nodes cost 0.75 · 0.7 and have no label, edges 0.25 · 0.5, and an edge is
// turned for 0.25 times the angle, of which π is a whole turn.
func Fingerprint() Costs {
	return Costs{
		NodeInsert: 0.525, NodeDelete: 0.525,
		Edges: &Table{
			Default: &Default{Insert: 0.125, Delete: 0.125},
			Parts:   []Difference{{Attributes: []string{"orient"}, Weight: 0.25, Period: math.Pi}},
			Most:    noLimit,
		},
	}
}

// noLimit is more than what two places in a drawing can be apart.
const noLimit = 1 << 16

// otherElement is more than mapping an atom could save by its bonds.
const otherElement = 1 << 16

// Forbids reports whether the costs mean by their price that no node labelled a becomes one labelled
// b, as [MCES] does of atoms of different elements.
func (p *Pricing) Forbids(a, b graph.Label) bool {
	return p.NodeSubstitute(a, b) == otherElement && reflect.DeepEqual(p.costs.Nodes, MCES().Nodes)
}

// IgnoreEdgeLabels returns the costs with relabelling edges free, the paper's
// setting.
func (c Costs) IgnoreEdgeLabels() Costs {
	c.EdgeSubstitute = 0
	c.Edges = c.Edges.freeSubstitution()
	return c
}
