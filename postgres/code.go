package postgres

import (
	"encoding/binary"
	"errors"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/varint"
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
		b = varint.AppendText(b, t)
	}
	return b
}

var errGraph = errors.New("a graph is damaged")

// decodeGraph reads what appendGraph wrote.
func decodeGraph(b []byte, vocab *graph.Vocabulary) (g *graph.Graph, ids []string, err error) {
	d := varint.Reader{Rest: b}
	directed := d.Number(1)
	build := graph.NewBuilder(vocab, directed == 1)
	texts := readTexts(&d)
	for range d.Count() {
		if n := d.Number(len(texts)); n == 0 {
			build.AddNodeLabel(graph.Wildcard)
		} else {
			build.AddNode(texts[n-1])
		}
	}
	texts = readTexts(&d)
	for range d.Count() {
		u, v, n := d.Number(graph.MaxNodes), d.Number(graph.MaxNodes), d.Number(len(texts))
		switch {
		case d.Err != nil || u >= build.N() || v >= build.N():
			return nil, nil, errGraph
		case n == 0:
			err = build.AddEdgeLabel(u, v, graph.Wildcard)
		default:
			err = build.AddEdge(u, v, texts[n-1])
		}
		if err != nil {
			return nil, nil, errGraph
		}
	}
	ids = readTexts(&d)
	if d.Err != nil || len(d.Rest) > 0 || ids != nil && len(ids) != build.N() {
		return nil, nil, errGraph
	}
	if g, err = build.Build(); err != nil {
		return nil, nil, errGraph
	}
	return g, ids, nil
}

func readTexts(d *varint.Reader) []string {
	n := d.Count()
	if n == 0 {
		return nil
	}
	texts := make([]string, n)
	for i := range texts {
		texts[i] = d.Text()
	}
	return texts
}
