package sample

import (
	"math/rand/v2"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// Editor makes randomly edited copies of the graphs of a collection, with
// labels drawn as often as they occur there. It may be used concurrently.
type Editor struct {
	nodes, edges alphabet
	maxNodes     int
}

// NewEditor returns an editor for the collection. Its copies have at most
// maxNodes nodes, if maxNodes > 0, unless the original has more.
func NewEditor(collection []*graph.Graph, maxNodes int) *Editor {
	nodes, edges := make(map[graph.Label]int), make(map[graph.Label]int)
	for _, g := range collection {
		for _, l := range g.Labels() {
			nodes[l]++
		}
		for e := range g.Edges() {
			edges[e.Label]++
		}
	}
	return &Editor{newAlphabet(nodes), newAlphabet(edges), maxNodes}
}

// vainEdits is how many edits in a row may turn out impossible before a copy is
// taken as it is.
const vainEdits = 200

// Edit returns a copy of g after at most m edits chosen at random and how many
// there were: an upper bound of the unit-cost GED between the two, since edits
// may undo each other. Fewer than m are made where no edit is possible.
//
// No edit takes a connected graph apart, since the collection's graphs mostly
// are not: an inserted node comes with an edge to it (two edits), only nodes
// with at most one edge are deleted, with that edge, and only edges on a cycle. A
// collection without any edge has no label for one: nodes then come alone.
func (e *Editor) Edit(rng *rand.Rand, g *graph.Graph, m int) (*graph.Graph, int) {
	d := newDraft(g)
	edits := 0
	for vain := 0; edits < m && vain < vainEdits; vain++ {
		if n := e.edit(rng, d, m-edits); n > 0 {
			edits += n
			vain = -1
		}
	}
	return d.graph(g.Vocabulary()), edits
}

// edit makes one random edit, with those that it entails, unless they are more
// than limit, and returns how many it made: 0 if the one drawn is impossible.
func (e *Editor) edit(rng *rand.Rand, d *draft, limit int) int {
	switch rng.IntN(6) {
	case 0:
		return e.insertNode(rng, d, limit)
	case 1:
		return d.deleteNode(rng, limit)
	case 2:
		return e.nodes.substitute(rng, len(d.labels), func(v int) *graph.Label { return &d.labels[v] })
	case 3:
		return e.insertEdge(rng, d)
	case 4:
		return d.deleteEdge(rng)
	default:
		return e.edges.substitute(rng, len(d.edges), func(i int) *graph.Label { return &d.edges[i].Label })
	}
}

func (e *Editor) insertNode(rng *rand.Rand, d *draft, limit int) int {
	n := len(d.labels)
	if e.nodes.empty() || e.maxNodes > 0 && n >= e.maxNodes {
		return 0
	}
	if n == 0 || e.edges.empty() {
		d.labels = append(d.labels, e.nodes.draw(rng))
		return 1
	}
	if limit < 2 {
		return 0
	}
	d.labels = append(d.labels, e.nodes.draw(rng))
	d.join(rng, rng.IntN(n), n, e.edges.draw(rng))
	return 2
}

func (e *Editor) insertEdge(rng *rand.Rand, d *draft) int {
	n := len(d.labels)
	if n < 2 || e.edges.empty() {
		return 0
	}
	u := rng.IntN(n)
	v := (u + 1 + rng.IntN(n-1)) % n
	if d.adjacent(u, v) {
		return 0
	}
	d.join(rng, u, v, e.edges.draw(rng))
	return 1
}

// alphabet is a distribution over labels: upTo[i] is the number of occurrences
// of labels[0] to labels[i].
type alphabet struct {
	labels []graph.Label
	upTo   []int
}

func newAlphabet(count map[graph.Label]int) alphabet {
	var a alphabet
	for l := range count {
		a.labels = append(a.labels, l)
	}
	slices.Sort(a.labels)
	total := 0
	for _, l := range a.labels {
		total += count[l]
		a.upTo = append(a.upTo, total)
	}
	return a
}

func (a alphabet) empty() bool { return len(a.labels) == 0 }

func (a alphabet) draw(rng *rand.Rand) graph.Label {
	i, _ := slices.BinarySearch(a.upTo, 1+rng.IntN(a.upTo[len(a.upTo)-1]))
	return a.labels[i]
}

// substitute gives one of n labels another value, and returns how many it changed.
func (a alphabet) substitute(rng *rand.Rand, n int, at func(int) *graph.Label) int {
	if n == 0 {
		return 0
	}
	l := at(rng.IntN(n))
	other, ok := a.drawOther(rng, *l)
	if !ok {
		return 0
	}
	*l = other
	return 1
}

// drawOther draws a label that is not l, if there is one.
func (a alphabet) drawOther(rng *rand.Rand, l graph.Label) (graph.Label, bool) {
	if a.empty() || len(a.labels) == 1 && a.labels[0] == l {
		return 0, false
	}
	for {
		if other := a.draw(rng); other != l {
			return other, true
		}
	}
}
