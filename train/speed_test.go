package train_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/train"
)

// sizes are those of molecules as in AIDS700nef, and of large neighbourhoods.
var sizes = []struct{ nodes, edges, count int }{{9, 9, 20_000}, {60, 130, 2000}}

// sparse returns random connected graphs with 29 node labels, one edge label and
// as many nodes and edges each.
func sparse(count, nodes, edges int) []*graph.Graph {
	rng := rand.New(rand.NewPCG(4, 2))
	vocab := graph.NewVocabulary()
	graphs := make([]*graph.Graph, count)
	for i := range graphs {
		b := graph.NewBuilder(vocab, false)
		joined := make(map[[2]int]bool)
		join := func(u, v int) {
			if u >= v || joined[[2]int{u, v}] {
				return
			}
			joined[[2]int{u, v}] = true
			if err := b.AddEdge(u, v, "e"); err != nil {
				panic(err)
			}
		}
		for v := range nodes {
			b.AddNode(fmt.Sprint("n", rng.IntN(29)))
			if v > 0 {
				join(rng.IntN(v), v)
			}
		}
		for len(joined) < edges {
			join(rng.IntN(nodes), rng.IntN(nodes))
		}
		g, err := b.Build()
		if err != nil {
			panic(err)
		}
		graphs[i] = g
	}
	return graphs
}

// batchNodes is how many nodes a batch has at most.
const batchNodes = 8192

// shapes are the encoders measured: the paper's and the default one.
func shapes(graphs []*graph.Graph) map[string]train.Recipe {
	return map[string]train.Recipe{
		"paper":   train.PaperRecipe(edit.GED, edit.Uniform(), graphs),
		"default": train.DefaultRecipe(edit.GED, edit.Uniform(), graphs),
	}
}

func untrained(r train.Recipe, graphs []*graph.Graph) *model.Model {
	meta := model.Metadata{
		Task: edit.GED, Costs: edit.Uniform(), Config: r.Config, Vocabulary: graphs[0].Vocabulary(),
		Training: model.Training{Directed: graphs[0].Directed()},
	}
	return model.New(meta, rand.New(rand.NewPCG(1, 1)))
}

// BenchmarkEmbed turns graphs, all different, into vectors.
func BenchmarkEmbed(b *testing.B) {
	for _, s := range sizes {
		graphs := sparse(s.count, s.nodes, s.edges)
		for name, r := range shapes(graphs) {
			m := untrained(r, graphs)
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/nodes=%d/workers=%d", name, s.nodes, workers), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if _, err := m.Embed(context.Background(), graphs, workers); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.N*len(graphs))/b.Elapsed().Seconds(), "graphs/s")
				})
			}
		}
	}
}

// BenchmarkStep trains on batches: forward, backward, update.
func BenchmarkStep(b *testing.B) {
	for _, s := range sizes {
		graphs := sparse(400, s.nodes, s.edges)
		var blocks []train.Block
		const side = 32
		for from := 0; from+side <= len(graphs); from += side {
			ids, bounds := make([]int32, side), make([]float32, side*side)
			for i := range ids {
				ids[i] = int32(from + i)
			}
			for i := range bounds {
				bounds[i] = float32(i % 9)
			}
			blocks = append(blocks, train.Block{Queries: ids, Targets: ids, Lower: bounds, Upper: bounds})
		}
		for name, r := range shapes(graphs) {
			for _, workers := range []int{1, 2} {
				opt := r.Options
				opt.Workers = workers
				opt.Graphs = min(opt.Graphs, batchNodes/s.nodes) // more than fit are not drawn
				t, err := train.New(untrained(r, graphs), train.Data{Graphs: graphs, Train: blocks, Valid: blocks[:1]}, opt)
				if err != nil {
					b.Fatal(err)
				}
				b.Run(fmt.Sprintf("%s/nodes=%d/workers=%d", name, s.nodes, workers), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if _, err := t.Step(); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.N*opt.Graphs)/b.Elapsed().Seconds(), "graphs/s")
				})
			}
		}
	}
}
