package baseline

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/nn"
	"github.com/greedgraph/greed/train"
)

// fittingOf returns a training that is ready to draw batches.
func fittingOf(d design, data train.Data) *fitting {
	f := &fitting{
		learner: newLearner(d, edit.GED, edit.Uniform()), data: data,
		rng: rand.New(rand.NewPCG(31, 32)), row: make(map[int32]int32),
	}
	f.learnLabels(1)
	f.learn()
	return f
}

// TestDraw: a batch holds pairs that have bounds, with their own bounds, of few graphs.
func TestDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	vocab := graph.NewVocabulary()
	data := train.Data{}
	for range 60 {
		data.Graphs = append(data.Graphs, randomGraph(rng, vocab, 4, false, true))
	}
	data.Learnt = data.Graphs
	// The bounds tell which pair they are of. Of one block every third pair has none, of
	// the other each is there.
	for k := range int32(2) {
		b := train.Block{}
		for i := range int32(30) {
			b.Queries, b.Targets = append(b.Queries, 30*k+i), append(b.Targets, 30*k+29-i)
		}
		for _, q := range b.Queries {
			for _, j := range b.Targets {
				low := float32(100*q + j)
				if k == 0 && (q+j)%3 == 0 {
					low = float32(math.NaN())
				}
				b.Lower, b.Upper = append(b.Lower, low), append(b.Upper, low+0.5)
			}
		}
		data.Train = append(data.Train, b)
	}
	f := fittingOf(simgnnDesign(), data)
	var blocks [2]int
	for range 20 {
		f.draw()
		if len(f.sized) != f.design.batch {
			t.Fatalf("%d pairs, want %d", len(f.sized), f.design.batch)
		}
		if n := f.batch.Graphs(); n > f.design.batch {
			t.Errorf("%d graphs for %d pairs", n, f.design.batch)
		}
		graphOf := make(map[int32]int32)
		for g, row := range f.row {
			graphOf[row] = g
		}
		for i, p := range f.sized {
			q, j := graphOf[f.pairs.q[i]], graphOf[f.pairs.t[i]]
			if p.lower != float32(100*q+j) || p.upper != p.lower+0.5 || p.size != 8 {
				t.Fatalf("graphs %d and %d have the bounds %v and %v and the size %d", q, j, p.lower, p.upper, p.size)
			}
			blocks[q/30]++
		}
	}
	// 600 and 900 pairs.
	if share := float64(blocks[0]) / float64(blocks[0]+blocks[1]); share < 0.3 || share > 0.5 {
		t.Errorf("%.2f of the pairs are of the block of two fifths", share)
	}
}

// TestRest: what is left of a pair is measured by the nodes that are left, as a whole pair
// is by all.
func TestRest(t *testing.T) {
	data, _ := tenPairs(edit.GED, false, true)
	f := fittingOf(astarDesign(), data)
	must(whereMapped(t.Context(), f))
	f.drawMapped()
	whole := 0
	for i, p := range f.sized {
		q, j := len(f.pairs.leftQ[i]), len(f.pairs.leftT[i])
		if p.size != q+j || q == 0 {
			t.Errorf("%d and %d nodes are left, the size is %d", q, j, p.size)
		}
		begin, end := f.batch.Segment[f.pairs.q[i]], f.batch.Segment[f.pairs.q[i]+1]
		if int(end-begin) == q {
			whole++
		}
	}
	if whole == len(f.sized) {
		t.Error("nothing is mapped in any pair")
	}
}

// TestMatchedStates: GOTSim matches what the layers give before their ReLU.
func TestMatchedStates(t *testing.T) {
	data, _ := tenPairs(edit.GED, false, true)
	f := fittingOf(gotsimDesign(), data)
	f.draw()
	for i, k := range f.net.embed(nn.NewTape(f.ps, f.ops, false), &f.batch) {
		least := float32(0)
		for _, x := range k.x.Value {
			least = min(least, x)
		}
		if least == 0 {
			t.Errorf("layer %d has no negative state", i)
		}
	}
}

// TestFall: the rate is whole for half of a training, and gone at its end.
func TestFall(t *testing.T) {
	for done, want := range map[float64]float64{0: 1, 0.3: 1, 0.5: 1, 0.75: 0.5, 1: 0} {
		if got := fall(done); math.Abs(got-want) > 1e-12 {
			t.Errorf("fall(%v) = %v, want %v", done, got, want)
		}
	}
}

// TestDeadNetworks: a network that says the same of all pairs is drawn anew.
func TestDeadNetworks(t *testing.T) {
	data, in := tenPairs(edit.GED, false, true)
	d := simgnnDesign()
	build, draws := d.build, 0
	d.build = func(b *builder, s shape) network {
		n := build(b, s)
		draws++
		if draws <= 2 {
			last := n.(*simgnn).fc.maps
			b.inits = append(b.inits, func(*rand.Rand) {
				for i := range b.ps.Value(last[len(last)-1].b) {
					b.ps.Value(last[len(last)-1].b)[i] = -100
				}
			})
		}
		return n
	}
	l := newLearner(d, edit.GED, edit.Uniform().IgnoreEdgeLabels())
	for _, c := range []struct{ steps, want int }{
		{80, 3},
		{7, 1}, // the first validations are too late to begin again
	} {
		draws = 0
		must(l.Fit(t.Context(), data, Options{Steps: c.steps, Seed: 4, Validations: min(40, c.steps)}))
		if draws != c.want {
			t.Errorf("%d steps: %d networks were drawn, want %d", c.steps, draws, c.want)
		}
	}
	draws = 2
	must(l.Fit(t.Context(), data, Options{Steps: 80, Seed: 4}))
	_, err := l.Predict(t.Context(), &in, Options{})
	must(err)
	for _, p := range in.Predicted {
		if p != in.Predicted[0] {
			return
		}
	}
	t.Errorf("all predictions are %v", in.Predicted[0])
}
