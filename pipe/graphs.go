package pipe

import (
	"errors"
	"fmt"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/chemname"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// graphSet is a list of graphs in a request. Molecules come as SMILES, others
// as arrays, of which there are five:
//
//	NAME.kinds   u1 [graphs]      0: the next SMILES, 1: the next of the arrays
//	NAME.sizes   i4 [others, 3]   nodes, edges, 1 if directed
//	NAME.labels  i4 [all nodes]   positions in Nodes, -1 for the wildcard
//	NAME.ends    i4 [all edges, 2]
//	NAME.edges   i4 [all edges]   positions in Edges, -1 for the wildcard
//
// Where all are SMILES there are no arrays.
type graphSet struct {
	SMILES []string `json:"smiles"`
	Nodes  []string `json:"nodes"`
	Edges  []string `json:"edges"`
	Charge bool     `json:"charge"` // atoms are labelled with their charge, too
}

// graphReader reads the graphs of one set, in their order.
type graphReader struct {
	set       *graphSet
	side      string // for errors
	parser    chem.Parser
	converter *chem.Converter
	builder   [2]*graph.Builder // undirected, directed
	nodes     []graph.Label
	edges     []graph.Label

	read  map[molecule]*graph.Graph // of the request, whatever the set
	vocab *graph.Vocabulary

	sizes                []int32
	labels, ends, marked []int32 // what is left of the arrays
}

// graphs returns the graphs of the set that the request calls name, over vocab.
// smiles holds their SMILES or nothing.
func (r *request) graphs(name, side string, set *graphSet,
	vocab *graph.Vocabulary) (list []*graph.Graph, smiles []string, err error) {
	if r.molecules == nil {
		r.molecules = make(map[molecule]*graph.Graph)
	}
	g := &graphReader{set: set, side: side, read: r.molecules, vocab: vocab,
		converter: chem.NewConverter(vocab, r.molecular(set))}
	kinds := make([]byte, len(set.SMILES))
	if _, ok := r.arrays[name+".kinds"]; ok {
		if kinds, err = r.arrays.bytes(name + ".kinds"); err != nil {
			return nil, nil, err
		}
		if err := g.open(r.arrays, name, vocab); err != nil {
			return nil, nil, err
		}
	}
	if nodes, edges := r.rules.Unlabelled(); (nodes || edges) && len(set.SMILES) > 0 {
		return nil, nil,
			badRequest("the graphs of the collection were read without labels, which molecules always have")
	}
	list = make([]*graph.Graph, len(kinds))
	smiles = make([]string, len(kinds))
	molecules := set.SMILES
	for i, kind := range kinds {
		if i%1000 == 999 && r.ctx.Err() != nil {
			return nil, nil, r.ctx.Err()
		}
		switch {
		case kind != 0:
			list[i], err = g.next()
		case len(molecules) == 0:
			err = errors.New("fewer SMILES than graphs")
		default:
			smiles[i] = molecules[0]
			list[i], err = g.molecule(molecules[0])
			molecules = molecules[1:]
		}
		if err != nil {
			return nil, nil, &failure{Code: "graph", Message: err.Error(), Record: &i, Side: side}
		}
	}
	return list, smiles, nil
}

// sides are graphs that are compared.
type sides struct {
	Queries graphSet `json:"queries"`
	Targets graphSet `json:"targets"`
}

// both returns the graphs of both sides, and what they have as SMILES.
func (r *request) both(set *sides) (queries, targets []*graph.Graph, smiles [2][]string, err error) {
	vocab := graph.NewVocabulary()
	if queries, smiles[0], err = r.graphs("queries", "query", &set.Queries, vocab); err == nil {
		targets, smiles[1], err = r.graphs("targets", "target", &set.Targets, vocab)
	}
	return queries, targets, smiles, err
}

// paired returns an error unless there is a target for each query.
func paired(queries, targets int) error {
	if queries != targets {
		return badRequest("%d queries and %d targets cannot be paired", queries, targets)
	}
	return nil
}

// molecular returns how molecules of the set become graphs.
func (r *request) molecular(set *graphSet) chem.Options {
	rules := r.rules
	rules.Charge = rules.Charge || set.Charge
	return rules.Molecular()
}

// open finds the arrays.
func (g *graphReader) open(all arrays, name string, vocab *graph.Vocabulary) (err error) {
	for _, a := range []struct {
		into *[]int32
		name string
		dims int
	}{{&g.sizes, "sizes", 2}, {&g.labels, "labels", 1}, {&g.ends, "ends", 2}, {&g.marked, "edges", 1}} {
		if *a.into, err = all.ints(name+"."+a.name, a.dims); err != nil {
			return err
		}
	}
	g.builder = [2]*graph.Builder{graph.NewBuilder(vocab, false), graph.NewBuilder(vocab, true)}
	for _, text := range g.set.Nodes {
		g.nodes = append(g.nodes, vocab.Node(text))
	}
	for _, text := range g.set.Edges {
		g.edges = append(g.edges, vocab.Edge(text))
	}
	return nil
}

// molecule is a SMILES and all that decides which graph it is.
type molecule struct {
	text   string
	charge bool
	vocab  *graph.Vocabulary
}

// molecule reads a SMILES, once for each request: lists of pairs repeat them.
func (g *graphReader) molecule(text string) (*graph.Graph, error) {
	key := molecule{text, g.set.Charge, g.vocab}
	if known := g.read[key]; known != nil {
		return known, nil
	}
	m, err := g.parser.Parse(text)
	if err != nil {
		if _, unknown := chemname.Resolve(text, err); errors.Is(unknown, chemname.ErrUnknown) {
			return nil, unknown
		}
		return nil, fmt.Errorf("SMILES %q: %w", text, err)
	}
	if len(m.Atoms) == 0 {
		return nil, fmt.Errorf("SMILES %q: %w", text, dataset.ErrNoNodes)
	}
	out, err := g.converter.Graph(m)
	if err == nil {
		g.read[key] = out
	}
	return out, err
}

var errShort = errors.New("the arrays end before the graph does")

// next builds the next graph of the arrays.
func (g *graphReader) next() (*graph.Graph, error) {
	if len(g.sizes) < 3 {
		return nil, errShort
	}
	n, m, b := int(g.sizes[0]), int(g.sizes[1]), g.builder[min(max(g.sizes[2], 0), 1)]
	g.sizes = g.sizes[3:]
	if n < 0 || m < 0 || n > len(g.labels) || m > len(g.marked) || 2*m > len(g.ends) {
		return nil, errShort
	}
	b.Reset()
	for v, l := range g.labels[:n] {
		label, ok := pick(g.nodes, l)
		if !ok {
			return nil, fmt.Errorf("node %d: there is no label %d", v, l)
		}
		b.AddNodeLabel(label)
	}
	for e, l := range g.marked[:m] {
		label, ok := pick(g.edges, l)
		if !ok {
			return nil, fmt.Errorf("edge %d: there is no label %d", e, l)
		}
		if err := b.AddEdgeLabel(int(g.ends[2*e]), int(g.ends[2*e+1]), label); err != nil {
			return nil, err
		}
	}
	g.labels, g.marked, g.ends = g.labels[n:], g.marked[m:], g.ends[2*m:]
	return b.Build()
}

func pick(labels []graph.Label, l int32) (graph.Label, bool) {
	switch {
	case l == -1:
		return graph.Wildcard, true
	case l < 0 || int(l) >= len(labels):
		return 0, false
	}
	return labels[l], true
}

// addGraphs adds graphs to an answer, in the form of a graphSet without SMILES,
// under the name "graphs".
func (a *answer) addGraphs(list []*graph.Graph) (set graphSet) {
	var sizes, labels, ends, marked []int32
	nodes, edges := newNumbering(&set.Nodes), newNumbering(&set.Edges)
	kinds := make([]byte, len(list))
	for i, g := range list {
		kinds[i] = 1
		directed := int32(0)
		if g.Directed() {
			directed = 1
		}
		sizes = append(sizes, int32(g.N()), int32(g.M()), directed)
		for v, l := range g.Labels() {
			labels = append(labels, nodes.number(l, func() string { return g.LabelText(v) }))
		}
		for e := range g.Edges() {
			ends = append(ends, int32(e.From), int32(e.To))
			marked = append(marked, edges.number(e.Label, func() string { return g.Vocabulary().EdgeText(e.Label) }))
		}
	}
	add(a, "graphs.kinds", kinds, len(kinds))
	add(a, "graphs.sizes", sizes, len(list), 3)
	add(a, "graphs.labels", labels, len(labels))
	add(a, "graphs.ends", ends, len(marked), 2)
	add(a, "graphs.edges", marked, len(marked))
	return set
}

// numbering numbers the labels of a set as they come.
type numbering struct {
	texts *[]string
	of    map[graph.Label]int32
}

func newNumbering(texts *[]string) numbering {
	*texts = []string{}
	return numbering{texts, make(map[graph.Label]int32)}
}

func (n numbering) number(l graph.Label, text func() string) int32 {
	if l == graph.Wildcard {
		return -1
	}
	i, ok := n.of[l]
	if !ok {
		i = int32(len(*n.texts))
		*n.texts = append(*n.texts, text())
		n.of[l] = i
	}
	return i
}
