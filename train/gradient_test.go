package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/nn"
	"github.com/greedgraph/greed/norm"
)

// rings returns cycles and paths of labelled nodes.
func rings(t *testing.T, rng *rand.Rand, count int) []*graph.Graph {
	t.Helper()
	vocab := graph.NewVocabulary()
	var graphs []*graph.Graph
	for range count {
		b := graph.NewBuilder(vocab, false)
		n := 3 + rng.IntN(5)
		for v := range n {
			b.AddNode(fmt.Sprint("n", rng.IntN(3)))
			if v > 0 {
				if err := b.AddEdge(v-1, v, "e"); err != nil {
					t.Fatal(err)
				}
			}
		}
		if rng.IntN(2) == 0 {
			if err := b.AddEdge(n-1, 0, "e"); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		graphs = append(graphs, g)
	}
	return graphs
}

// TestGradientOfTheLoss compares the derivative of a batch's loss along random
// directions with central differences, of graphs that are queries, targets or both.
func TestGradientOfTheLoss(t *testing.T) {
	for _, features := range []bool{false, true} {
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			t.Run(fmt.Sprintf("%v/features=%v", task, features), func(t *testing.T) {
				c := model.Config{Conv: model.GIN, Layers: 2, Hidden: 16, Norm: norm.Single(norm.L2, 16, task == edit.SED), Features: features}
				checkGradient(t, task, c)
			})
		}
	}
}

// TestGradientOfCounts is the same with counts, in the readout and direct.
func TestGradientOfCounts(t *testing.T) {
	counts := []nn.Tally{{Statistic: nn.StatNode, Label: 1, Caps: []int32{4}}, {Statistic: nn.StatBall2, Caps: []int32{8, 7, 6, 2}}, {Statistic: nn.StatRing, Caps: []int32{9, 9, 9}}}
	checkGradient(t, edit.SED, model.Config{Conv: model.GIN, Layers: 0, Hidden: 16, Norm: norm.Single(norm.L2, 32, true), Counts: counts, Direct: 16, Skip: true})
}

func checkGradient(t *testing.T, task edit.Task, c model.Config) {
	t.Helper()
	rng := rand.New(rand.NewPCG(6, 28))
	graphs := rings(t, rng, 12)
	ids := make([]int32, len(graphs))
	for i := range ids {
		ids[i] = int32(i)
	}
	block := Block{Queries: ids[:8], Targets: ids[4:]} // some are both
	for range len(block.Queries) * len(block.Targets) {
		d := float32(rng.IntN(9))
		block.Lower, block.Upper = append(block.Lower, d), append(block.Upper, d)
	}
	opt := Defaults()
	opt.Workers = 1
	m := model.New(model.Metadata{Task: task, Costs: edit.Uniform(), Vocabulary: graphs[0].Vocabulary(), Config: c}, rng)
	tr, err := New(m, Data{Graphs: graphs, Train: []Block{block}, Valid: []Block{block}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	tr.sampler.next(tr.rng, len(graphs), &tr.draw)
	if len(tr.draw.pairs) < 20 {
		t.Fatalf("%d pairs in the batch", len(tr.draw.pairs))
	}
	tr.gradient()
	grad := append([]float32(nil), tr.grad...)
	flat := m.Params().Flat()
	start := append([]float32(nil), flat...)
	for _, p := range m.Params().All() {
		direction := make([]float32, len(flat))
		want, size := 0.0, 0.0
		for i := range p.Of(direction) {
			x := float32(rng.NormFloat64())
			p.Of(direction)[i] = x
			want += float64(x) * float64(p.Of(grad)[i])
			size += math.Abs(float64(x) * float64(p.Of(grad)[i]))
		}
		at := func(h float32) float64 {
			for i := range flat {
				flat[i] = start[i] + h*direction[i]
			}
			return tr.gradient()
		}
		const h = 1e-3
		got := (at(h) - at(-h)) / (2 * h)
		copy(flat, start)
		if size == 0 {
			t.Errorf("%s: no gradient", p.Name)
		}
		if math.Abs(got-want) > 0.03*size+0.02 {
			t.Errorf("%s: difference quotient %g, gradient %g", p.Name, got, want)
		}
	}
}
