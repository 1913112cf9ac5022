package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

type datasetInfo struct {
	Input string `arg:"" help:"A file, a folder, - for standard input, or a SMILES."`
	readFlags
}

// Run describes the collection.
func (c *datasetInfo) Run(s *session) error {
	src := c.source(s)
	if src.Format == "" && greed.IsSpace(c.Input) || isSpaceIndex(c.Input) {
		return describeSpace(s, c.Input)
	}
	src.Mixed = true
	d := &description{vocab: src.Vocabulary, hashes: make(map[uint64]struct{}), nodes: make(map[graph.Label]int),
		edges: make(map[graph.Label]int)}
	shown := s.bar(-1, "graphs")
	_, err := s.each(src, c.Input, func(rec dataset.Record) error {
		shown.Add(1)
		d.add(rec.Graph)
		return nil
	})
	shown.Finish()
	if err != nil {
		return err
	}
	d.finish()
	d.Notes = s.allNotes()
	if s.json {
		return s.out.printJSON(d)
	}
	return d.print(s.out)
}

// description sums up a collection.
type description struct {
	Graphs    int `json:"graphs"`
	Directed  int `json:"directed"`
	Connected int `json:"connected"`
	// Distinct is the number of isomorphism classes, as far as colour refinement separates
	// them.
	Distinct   int          `json:"distinct"`
	Nodes      spread       `json:"nodes"`
	Edges      spread       `json:"edges"`
	NodeLabels []labelCount `json:"node_labels"`
	EdgeLabels []labelCount `json:"edge_labels"`

	Notes []dataset.Note `json:"notes,omitempty"`

	vocab        *graph.Vocabulary
	hashes       map[uint64]struct{}
	nodes, edges map[graph.Label]int
}

// spread summarises a number that every graph has.
type spread struct {
	Total int     `json:"total"`
	Mean  float64 `json:"mean"`
	Min   int     `json:"min"`
	Max   int     `json:"max"`
}

func (s *spread) add(x int, first bool) {
	if first || x < s.Min {
		s.Min = x
	}
	s.Max = max(s.Max, x)
	s.Total += x
}

// labelCount is the number of nodes or edges with a label.
type labelCount struct {
	Label string `json:"label"`
	Count int    `json:"count"`
}

func (d *description) add(g *graph.Graph) {
	d.Nodes.add(g.N(), d.Graphs == 0)
	d.Edges.add(g.M(), d.Graphs == 0)
	d.Graphs++
	if g.Directed() {
		d.Directed++
	}
	if _, parts := g.Components(); parts == 1 {
		d.Connected++
	}
	d.hashes[g.Hash()] = struct{}{}
	for _, l := range g.Labels() {
		d.nodes[l]++
	}
	for e := range g.Edges() {
		d.edges[e.Label]++
	}
}

// finish computes what depends on all graphs.
func (d *description) finish() {
	d.Distinct = len(d.hashes)
	for _, s := range []*spread{&d.Nodes, &d.Edges} {
		s.Mean = float64(s.Total) / float64(d.Graphs)
	}
	d.NodeLabels = byCount(d.nodes, d.vocab.NodeText)
	d.EdgeLabels = byCount(d.edges, d.vocab.EdgeText)
}

// byCount lists labels, the most frequent first.
func byCount(counts map[graph.Label]int, text func(graph.Label) string) []labelCount {
	list := make([]labelCount, 0, len(counts))
	for l, n := range counts {
		list = append(list, labelCount{text(l), n})
	}
	slices.SortFunc(list, func(a, b labelCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Label, b.Label))
	})
	return list
}

func (d *description) print(out io.Writer) error {
	directed := "undirected"
	switch d.Directed {
	case 0:
	case d.Graphs:
		directed = "directed"
	default:
		directed = fmt.Sprintf("%d directed, %d undirected", d.Directed, d.Graphs-d.Directed)
	}
	size := func(s spread) string {
		return fmt.Sprintf("%.2f on average, %d to %d, %d in all", s.Mean, s.Min, s.Max, s.Total)
	}
	_, err := fmt.Fprintf(out, `graphs       %d, of which %d different and %d connected
edges are    %s
nodes        %s
edges        %s
node labels  %s
edge labels  %s
`, d.Graphs, d.Distinct, d.Connected, directed, size(d.Nodes), size(d.Edges), labelList(d.NodeLabels), labelList(d.EdgeLabels))
	return err
}

// labelsShown is how many labels are printed; JSON has them all.
const labelsShown = 12

func labelList(labels []labelCount) string {
	if len(labels) == 0 {
		return "none"
	}
	var parts []string
	for _, l := range labels[:min(len(labels), labelsShown)] {
		parts = append(parts, fmt.Sprintf("%s (%d)", printable(l.Label), l.Count))
	}
	if more := len(labels) - labelsShown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}
