package postgres

import (
	"encoding/binary"
	"errors"

	"github.com/greedgraph/greed/graph"
)

// appendGraph adds the stored form of a graph: a byte that is 1 if it is directed, then as
// uvarints and texts after their lengths its distinct labels of nodes, its nodes, its
// distinct labels of edges, its edges, and the ids of its nodes. Labels are numbered from
// 1; 0 is the wildcard.
func appendGraph(b []byte, g *graph.Graph, ids []string) []byte {
	directed := byte(0)
	if g.Directed() {
		directed = 1
	}
	b = append(b, directed)
	numbers, texts := make(map[graph.Label]uint64), []string(nil)
	number := func(l graph.Label, text string) {
		if _, ok := numbers[l]; !ok && l != graph.Wildcard {
			texts = append(texts, text)
			numbers[l] = uint64(len(texts))
		}
	}
	for v := range g.N() {
		number(g.Label(v), g.LabelText(v))
	}
	b = appendTexts(b, texts)
	b = binary.AppendUvarint(b, uint64(g.N()))
	for v := range g.N() {
		b = binary.AppendUvarint(b, numbers[g.Label(v)])
	}
	clear(numbers)
	texts = nil
	for e := range g.Edges() {
		number(e.Label, g.Vocabulary().EdgeText(e.Label))
	}
	b = appendTexts(b, texts)
	b = binary.AppendUvarint(b, uint64(g.M()))
	for e := range g.Edges() {
		b = binary.AppendUvarint(b, uint64(e.From))
		b = binary.AppendUvarint(b, uint64(e.To))
		b = binary.AppendUvarint(b, numbers[e.Label])
	}
	return appendTexts(b, ids)
}

func appendTexts(b []byte, texts []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(texts)))
	for _, t := range texts {
		b = append(binary.AppendUvarint(b, uint64(len(t))), t...)
	}
	return b
}

var errGraph = errors.New("a graph is damaged")

// decodeGraph reads what appendGraph wrote.
func decodeGraph(b []byte, vocab *graph.Vocabulary) (g *graph.Graph, ids []string, err error) {
	if len(b) == 0 {
		return nil, nil, errGraph
	}
	d := decoder{b: b[1:]}
	build := graph.NewBuilder(vocab, b[0] == 1)
	texts := d.texts()
	for range d.count() {
		if l := d.label(texts); l == nil {
			build.AddNodeLabel(graph.Wildcard)
		} else {
			build.AddNode(*l)
		}
	}
	texts = d.texts()
	for range d.count() {
		u, v := d.number(), d.number()
		l := d.label(texts)
		if d.failed || u >= uint64(build.N()) || v >= uint64(build.N()) {
			return nil, nil, errGraph
		}
		if l == nil {
			err = build.AddEdgeLabel(int(u), int(v), graph.Wildcard)
		} else {
			err = build.AddEdge(int(u), int(v), *l)
		}
		if err != nil {
			return nil, nil, errGraph
		}
	}
	if n := build.N(); true {
		ids = d.texts()
		if ids != nil && len(ids) != n || d.failed || len(d.b) > 0 || b[0] > 1 {
			return nil, nil, errGraph
		}
	}
	if g, err = build.Build(); err != nil {
		return nil, nil, errGraph
	}
	return g, ids, nil
}

// decoder takes values from the front of b.
type decoder struct {
	b      []byte
	failed bool
}

func (d *decoder) number() uint64 {
	x, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.failed, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return x
}

// count returns a number of things that take a byte each at least.
func (d *decoder) count() uint64 {
	n := d.number()
	if n > uint64(len(d.b)) {
		d.failed, d.b = true, nil
		return 0
	}
	return n
}

func (d *decoder) texts() []string {
	n := d.count()
	if n == 0 {
		return nil
	}
	texts := make([]string, n)
	for i := range texts {
		k := d.count()
		texts[i] = string(d.b[:k])
		d.b = d.b[k:]
	}
	return texts
}

// label returns a label, nil for the wildcard.
func (d *decoder) label(texts []string) *string {
	n := d.number()
	switch {
	case n == 0:
		return nil
	case n > uint64(len(texts)):
		d.failed, d.b = true, nil
		return nil
	}
	return &texts[n-1]
}
