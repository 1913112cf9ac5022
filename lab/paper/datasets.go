package paper

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/bench"
	"github.com/greedgraph/greed/report"
)

// Table A: the collections.

// published sizes: mean nodes and edges of targets and of queries, labels, graphs.
type shape struct{ nodes, edges, labels, graphs, queryNodes, queryEdges float64 }

func publishedShapes() map[string]shape {
	return map[string]shape{
		"sed/pubmed": {19_700, 44_300, 3, 1, 12, 11}, "sed/citeseer": {4200, 5300, 6, 1, 12, 12}, "sed/cora_ml": {3000, 8200, 7, 1, 11, 11},
		"sed/protein": {38, 70, 3, 1071, 9, 11}, "sed/aids": {14, 15, 38, 1811, 7, 7},
		"ged/aids700nef": {9, 9, 29, 700, 9, 9}, "ged/linux": {8, 7, 1, 1000, 8, 7}, "ged/imdb": {13, 65, 1, 1500, 13, 65},
	}
}

func datasets() Experiment {
	exams := []string{"sed/wordnet", "sed/debian", "sed/pubmed", "sed/citeseer", "sed/cora_ml", "sed/protein", "sed/aids", "ged/aids700nef", "ged/linux", "ged/imdb"}
	jobs := func(Settings) []job {
		var list []job
		for _, exam := range exams {
			list = append(list, job{Exam: exam, Kind: "sizes"})
		}
		return list
	}
	return Experiment{
		Name: "datasets", Title: "Collections", Where: "Table A", jobs: jobs,
		show: func(r results) report.Section {
			t := &report.Table{Title: "Collections", Columns: []string{"collection", "nodes", "edges", "labels", "graphs", "nodes of a query", "edges of a query", "nodes of a target", "edges of a target"}}
			for _, exam := range exams {
				row := []report.Cell{report.Text(titles[exam])}
				n := map[string]float64{}
				if out := r.of(job{Exam: exam, Kind: "sizes"}); out != nil {
					n = out.Numbers
				}
				p, known := publishedShapes()[exam]
				for i, f := range []string{"nodes", "edges", "labels", "graphs", "query nodes", "query edges", "target nodes", "target edges"} {
					x, ok := n[f]
					if !ok {
						row = append(row, report.Text(report.Absent))
						continue
					}
					c := report.Short(x)
					if known && i < 6 {
						c = c.Beside([]float64{p.nodes, p.edges, p.labels, p.graphs, p.queryNodes, p.queryEdges}[i])
					}
					row = append(row, c)
				}
				t.Rows = append(t.Rows, row)
			}
			t.Note = "Nodes and edges are means over the graphs of the collection. Queries of SED are drawn from neighbourhoods where the collection is one graph; targets are those that predictions are evaluated on. Labels are those that occur."
			return report.Section{Text: standIns, Blocks: []report.Block{{Table: t}, {Text: r.absences(jobs(r.scale))}}}
		},
	}
}

// measureSizes counts.
func measureSizes(_ context.Context, w *worker, j job) (*outcome, error) {
	x, err := w.open(j.Exam)
	if err != nil {
		return nil, err
	}
	if len(x.Sets) == 0 || len(x.Sets[0].Input.Pairs) == 0 {
		return nil, fmt.Errorf("%s has no pairs to evaluate on", j.Exam)
	}
	in := x.Sets[0].Input
	all := append(append([]*graph.Graph(nil), x.Learn...), x.Check...)
	if len(x.Learn) > 1 { // a single graph is the whole collection
		if isSED(x.Name) {
			all = append(all, in.Targets...)
		} else {
			all = append(all, in.Queries...)
		}
	}
	n := map[string]float64{"graphs": float64(len(all))}
	n["nodes"], n["edges"] = means(all)
	n["query nodes"], n["query edges"] = means(in.Queries)
	n["target nodes"], n["target edges"] = means(in.Targets)
	labels := make(map[graph.Label]bool)
	for _, g := range all {
		for _, l := range g.Labels() {
			labels[l] = true
		}
	}
	n["labels"] = float64(len(labels))
	return &outcome{Numbers: n}, nil
}

func means(graphs []*graph.Graph) (nodes, edges float64) {
	for _, g := range graphs {
		nodes += float64(g.N()) / float64(len(graphs))
		edges += float64(g.M()) / float64(len(graphs))
	}
	return nodes, edges
}

// large is a collection of one graph, and the neighbourhoods that stand for it.
type large struct {
	exam, file string
	hops       int
}

func larges() []large {
	return []large{{"sed/pubmed", "pubmed/pubmed.txt", 2}, {"sed/wordnet", "wordnet/wordnet.txt.gz", 2}, {"sed/debian", "debian/debian_bookworm.txt.gz", 1}}
}

func largeOf(exam string) large {
	for _, l := range larges() {
		if l.exam == exam {
			return l
		}
	}
	panic("paper: " + exam + " is no large graph")
}

// read reads the graph.
func (l large) read(w *worker) (*graph.Graph, error) { return bench.ReadLarge(w.Data, l.file) }
