package sampler

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/sample"
)

// load reads a file of the data folder beside the repository without edge
// labels, as the paper does, or skips the test.
func load(t *testing.T, name string) (ids []string, graphs []*graph.Graph) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skip("needs the data folder: ", err)
	}
	records, err := dataset.ReadAll(path, dataset.Options{Rules: dataset.Rules{EdgeLabel: dataset.NoLabel}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		ids = append(ids, r.ID)
		graphs = append(graphs, r.Graph)
	}
	return ids, graphs
}

// TestPublishedSizes compares mean query sizes with simulations that were
// matched to the paper's sizes.
func TestPublishedSizes(t *testing.T) {
	count := max(1000, sweep.Trials(8000)) // fewer are too far from the mean
	for _, c := range []struct {
		file         string
		hops         int // 0: whole graphs
		bfs          sample.BFS
		nodes, edges float64
	}{
		{"cora_ml/cora_ml.txt", 2, sample.BFS{Depth: 2, Keep: 0.3}, 11.27, 10.79},
		{"citeseer/citeseer.txt", 4, sample.BFS{Depth: 4, Keep: 0.5}, 11.55, 12.35},
		{"pubmed/pubmed.txt", 2, sample.BFS{Depth: 2, Keep: 0.4}, 11.81, 11.0},
		{"protein/protein.txt.gz", 0, sample.BFS{Depth: 5, Keep: 0.45}, 8.85, 11.14},
		{"aids/aids.txt", 0, sample.BFS{Depth: 5, Keep: 0.8}, 8.97, 8.62},
	} {
		t.Run(filepath.Dir(c.file), func(t *testing.T) {
			_, graphs := load(t, c.file)
			var source sample.Source = sample.Rooted(graphs)
			if c.hops > 0 {
				source = AllNeighbourhoods(graphs[0], c.hops, 0)
			}
			queries, err := sample.Queries(newRand(1), source, c.bfs, sample.PaperLimits(), count)
			if err != nil {
				t.Fatal(err)
			}
			var nodes, edges, squares float64
			for _, q := range queries {
				nodes += float64(q.Graph.N()) / float64(count)
				edges += float64(q.Graph.M()) / float64(count)
				squares += float64(q.Graph.N()*q.Graph.N()) / float64(count)
			}
			t.Logf("mean %.2f nodes, %.2f edges; standard error of the nodes %.2f",
				nodes, edges, math.Sqrt((squares-nodes*nodes)/float64(count)))
			for _, x := range []struct{ got, want float64 }{{nodes, c.nodes}, {edges, c.edges}} {
				if math.Abs(x.got-x.want) > 0.035*x.want {
					t.Errorf("mean size %.2f, want %.2f within 3.5 %%", x.got, x.want)
				}
			}
		})
	}
}
