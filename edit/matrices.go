package edit

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// ElementCosts are the costs of the nodes, or of the edges, of one pair of graphs,
// element by element, so that any function of a caller can be expressed. Edges are
// counted in the order of [graph.Graph.Edges]. Costs are like those of [Costs].
type ElementCosts struct {
	Substitute []float64 // [query, target], row-major
	Delete     []float64 // [query]
	Insert     []float64 // [target]
}

// Matrices are costs of one pair of graphs, element by element. Where Nodes or Edges is
// nil, costs by label stay as they are.
type Matrices struct {
	Nodes, Edges *ElementCosts
}

// ElementCostsOf calls the functions for all n elements of a query and m of a target.
func ElementCostsOf(n, m int, substitute func(i, j int) float64, remove, insert func(i int) float64) *ElementCosts {
	c := &ElementCosts{make([]float64, 0, n*m), make([]float64, n), make([]float64, m)}
	for i := range n {
		c.Delete[i] = remove(i)
		for j := range m {
			c.Substitute = append(c.Substitute, substitute(i, j))
		}
	}
	for j := range m {
		c.Insert[j] = insert(j)
	}
	return c
}

// Label expresses x by labels: it returns graphs of the structure of q and t, and costs
// by label under which they have the distance that q and t have under x. Labels of their
// own vocabulary stand for nodes, or edges, that x does not tell apart. Costs of what x
// has no matrix for are those of base. The error wraps [ErrCosts].
func (x *Matrices) Label(q, t *graph.Graph, base Costs) (*graph.Graph, *graph.Graph, Costs, error) {
	vocab := graph.NewVocabulary()
	left, right := newRelabelling(vocab, q), newRelabelling(vocab, t)
	if c := x.Nodes; c != nil {
		if err := c.check("nodes", q.N(), t.N()); err != nil {
			return nil, nil, base, err
		}
		by := c.label()
		left.nodes, right.nodes = by.query, by.target
		base.NodeInsert, base.NodeDelete, base.NodeSubstitute, base.Nodes = by.ins, by.del, by.sub, by.table
	}
	if c := x.Edges; c != nil {
		if err := c.check("edges", q.M(), t.M()); err != nil {
			return nil, nil, base, err
		}
		by := c.label()
		left.edges, right.edges = by.query, by.target
		base.EdgeInsert, base.EdgeDelete, base.EdgeSubstitute, base.Edges = by.ins, by.del, by.sub, by.table
	}
	if err := base.Check(); err != nil {
		return nil, nil, base, err
	}
	return left.graph(), right.graph(), base, nil
}

// WithLabels returns a path between graphs that [Matrices.Label] made with the labels of
// q and t, from which they were made. A substitution of a label by itself at no cost is
// no edit.
func (x *Matrices) WithLabels(path []Operation, q, t *graph.Graph) []Operation {
	var left, right map[edgeNamed][]string
	if x.Edges != nil && !(q.Simple() && t.Simple()) {
		by := x.Edges.label()
		left, right = textsBy(q, by.query), textsBy(t, by.target)
	}
	text := func(g *graph.Graph, ends []int, label string, texts map[edgeNamed][]string) string {
		switch {
		case len(ends) == 1:
			return g.LabelText(ends[0])
		case len(ends) == 2 && g.Simple():
			l, _ := g.Edge(ends[0], ends[1])
			return g.Vocabulary().EdgeText(l)
		case len(ends) == 2 && texts != nil:
			k := nameEdge(g, ends[0], ends[1], label)
			text := texts[k][0]
			texts[k] = texts[k][1:]
			return text
		}
		return label
	}
	var list []Operation
	for _, op := range path {
		op.From, op.To = text(q, op.Query, op.From, left), text(t, op.Target, op.To, right)
		if op.Cost > 0 || op.From != op.To {
			list = append(list, op)
		}
	}
	return list
}

// edgeNamed is an edge by its ends and a label; several may have the same.
type edgeNamed struct {
	from, to int
	label    string
}

func nameEdge(g *graph.Graph, from, to int, label string) edgeNamed {
	if !g.Directed() && from > to {
		from, to = to, from
	}
	return edgeNamed{from, to, label}
}

// textsBy returns the texts of the labels of edges, which have other labels elsewhere.
func textsBy(g *graph.Graph, labels []string) map[edgeNamed][]string {
	texts := make(map[edgeNamed][]string)
	i := 0
	for e := range g.Edges() {
		k := nameEdge(g, e.From, e.To, labels[i])
		texts[k] = append(texts[k], g.Vocabulary().EdgeText(e.Label))
		i++
	}
	return texts
}

// Match returns the cheapest matching of some elements of the query and some of the target,
// such as parallel edges: the number in target of the partner of each, or [Deleted].
func (c *ElementCosts) Match(query, target []int) []int {
	partner := slices.Repeat([]int{Deleted}, len(query))
	if len(query) == 0 || len(target) == 0 {
		return partner
	}
	apart := func(i, j int) float64 { return c.Delete[query[i]] + c.Insert[target[j]] }
	substitute := func(i, j int) float64 { return c.Substitute[query[i]*len(c.Insert)+target[j]] }
	swapped := len(query) > len(target)
	n, m := len(query), len(target)
	if swapped {
		n, m = m, n
	}
	saved := make([]float64, 0, n*m)
	for a := range n {
		for b := range m {
			i, j := a, b
			if swapped {
				i, j = b, a
			}
			saved = append(saved, min(0, substitute(i, j)-apart(i, j)))
		}
	}
	for k, flow := range transport(saved, slices.Repeat([]int{1}, n), slices.Repeat([]int{1}, m)) {
		i, j := k/m, k%m
		if swapped {
			i, j = j, i
		}
		if flow > 0 && substitute(i, j) <= apart(i, j) {
			partner[i] = j
		}
	}
	return partner
}

// check returns an error unless c is of n elements of the query and m of the target.
func (c *ElementCosts) check(name string, n, m int) error {
	if len(c.Delete) != n || len(c.Insert) != m || len(c.Substitute) != n*m {
		return fmt.Errorf("%w: %s: %d costs of deletions, %d of insertions and %d of substitutions for %d and %d "+
			"elements", ErrCosts, name, len(c.Delete), len(c.Insert), len(c.Substitute), n, m)
	}
	for what, list := range map[string][]float64{"deletion": c.Delete, "insertion": c.Insert,
		"substitution": c.Substitute} {
		for _, cost := range list {
			if err := usable(name+": a "+what, cost); err != nil {
				return err
			}
		}
	}
	return nil
}

// relabelling is a graph with other labels; nil stands for its own.
type relabelling struct {
	vocab        *graph.Vocabulary
	g            *graph.Graph
	nodes, edges []string
}

func newRelabelling(vocab *graph.Vocabulary, g *graph.Graph) relabelling {
	return relabelling{vocab: vocab, g: g}
}

func (r relabelling) graph() *graph.Graph {
	old := graph.In(r.vocab, r.g)
	b := graph.NewBuilder(r.vocab, old.Directed())
	b.Grow(old.N(), old.M())
	for v, l := range old.Labels() {
		if r.nodes != nil {
			l = r.vocab.Node(r.nodes[v])
		}
		b.AddNodeLabel(l)
	}
	i := 0
	for e := range old.Edges() {
		l := e.Label
		if r.edges != nil {
			l = r.vocab.Edge(r.edges[i])
		}
		i++
		b.MustAdd(e.From, e.To, l)
	}
	return b.MustBuild()
}

// byLabel is what [ElementCosts] amount to in costs by label: the label of each element,
// and either three weights or a table.
type byLabel struct {
	query, target []string
	ins, del, sub float64
	table         *Table
}

// label gives elements with the same costs the same label, since the solver is the
// faster the more there are of those. Where every label of the query costs the same to
// delete, every one of the target the same to insert, and each becomes at most one of
// the others for nothing and all the rest for one price, no table is needed, and that is
// what the solver is made for.
func (c *ElementCosts) label() byLabel {
	n, m := len(c.Delete), len(c.Insert)
	rowOf, rows := classes(n, func(i int, key []byte) []byte {
		key = appendFloat(key, c.Delete[i])
		for _, x := range c.Substitute[i*m : i*m+m] {
			key = appendFloat(key, x)
		}
		return key
	})
	colOf, cols := classes(m, func(j int, key []byte) []byte {
		key = appendFloat(key, c.Insert[j])
		for i := range n {
			key = appendFloat(key, c.Substitute[i*m+j])
		}
		return key
	})
	k := &cells{c, rows, cols}
	row, col := make([]string, len(rows)), make([]string, len(cols))
	for a := range rows {
		row[a] = rowLabel(a)
	}
	for b := range cols {
		col[b] = colLabel(b)
	}
	var out byLabel
	if k.weights(&out) {
		for b := range cols {
			for a := range rows {
				if k.at(a, b) == 0 {
					col[b] = row[a]
				}
			}
		}
	} else {
		out.ins, out.del, out.sub = 1, 1, 1
		out.table = &Table{cells: k}
	}
	out.query, out.target = pick(row, rowOf), pick(col, colOf)
	return out
}

// weights finds the three weights if they say it all.
func (c *cells) weights(out *byLabel) bool {
	out.del, out.ins, out.sub = 1, 1, 1
	for k, i := range c.rows {
		if k > 0 && c.of.Delete[i] != out.del {
			return false
		}
		out.del = c.of.Delete[i]
	}
	for k, j := range c.cols {
		if k > 0 && c.of.Insert[j] != out.ins {
			return false
		}
		out.ins = c.of.Insert[j]
	}
	taken := make([]bool, len(c.cols))
	seen := false
	for a := range c.rows {
		free := false
		for b := range c.cols {
			switch x := c.at(a, b); {
			case x == 0 && (free || taken[b]):
				return false
			case x == 0:
				free, taken[b] = true, true
			case seen && x != out.sub:
				return false
			default:
				out.sub, seen = x, true
			}
		}
	}
	return true
}

// classes numbers the different keys of n elements and returns which element is the first
// of each.
func classes(n int, key func(i int, dst []byte) []byte) (of, first []int) {
	of = make([]int, n)
	number := make(map[string]int)
	var buf []byte
	for i := range n {
		buf = key(i, buf[:0])
		k, ok := number[string(buf)]
		if !ok {
			k = len(first)
			number[string(buf)] = k
			first = append(first, i)
		}
		of[i] = k
	}
	return of, first
}

// appendFloat appends the bits of x, the same for both zeros.
func appendFloat(dst []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(x+0))
}

func pick(texts []string, of []int) []string {
	out := make([]string, len(of))
	for i, k := range of {
		out[i] = texts[k]
	}
	return out
}
