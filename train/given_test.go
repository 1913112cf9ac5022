package train_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// sizeDistance is a distance that people could have in mind: the difference of
// the numbers of nodes, threefold.
func sizeDistance(q, t *graph.Graph) float64 { return 3 * math.Abs(float64(q.N()-t.N())) }

func givenPairs(graphs []*graph.Graph, pairs []truth.Pair) []truth.Pair {
	for i, p := range pairs {
		d := sizeDistance(graphs[p.Query], graphs[p.Target])
		pairs[i].Lower, pairs[i].Upper = d, d
	}
	return pairs
}

func TestFitPairsLearnsWhatIsGiven(t *testing.T) {
	graphs := collection(60)
	r := recipe(edit.GED, graphs)
	r.Options.Steps = 600
	m, err := train.FitPairs(context.Background(), graphs, givenPairs(graphs, truth.PairsOnce(len(graphs), len(graphs))), nil, r)
	if err != nil {
		t.Fatal(err)
	}
	if mae := m.Metadata().Metrics[model.MetricMAE]; !(mae < 0.7) {
		t.Errorf("MAE %v of a distance that is up to 6", mae)
	}
	wrong, sum := 0.0, 0.0
	for _, p := range truth.PairsOnce(10, 10) {
		d, err := m.Predict(graphs[p.Query], graphs[p.Target])
		if err != nil {
			t.Fatal(err)
		}
		wrong += math.Abs(d - sizeDistance(graphs[p.Query], graphs[p.Target]))
		sum++
	}
	if wrong/sum > 0.7 {
		t.Errorf("predictions are %v off on average", wrong/sum)
	}
}

// TestGivenHolds looks for pairs to validate with among the pairs to learn from.
func TestGivenHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		graphs, pairs int
		want          train.Held
	}{
		{200, 19900, train.HeldGraphs}, // a matrix
		{400, 8000, train.HeldGraphs},  // sparse
		{40, 780, train.HeldPairs},
		{300, 300, train.HeldPairs},
		{5, 10, train.HeldNothing},
	} {
		graphs := collection(c.graphs)
		pairs := truth.PairsOnce(c.graphs, c.graphs)
		rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		pairs = givenPairs(graphs, pairs[:c.pairs])
		data, err := train.DefaultPlan(edit.GED, edit.Uniform()).Given(graphs, pairs, nil)
		if err != nil {
			t.Fatal(err)
		}
		if data.Held != c.want {
			t.Errorf("%d pairs of %d graphs: held %v, want %v", c.pairs, c.graphs, data.Held, c.want)
		}
		if err := data.Check(); err != nil {
			t.Error(err)
		}
		learnt, learntGraphs := used(data.Train)
		checked, checkedGraphs := used(data.Valid)
		if c.want != train.HeldNothing {
			for p := range checked {
				if learnt[p] {
					t.Fatalf("%d pairs of %d graphs: pair %v is in both parts", c.pairs, c.graphs, p)
				}
			}
		}
		if c.want == train.HeldGraphs {
			for g := range checkedGraphs {
				if learntGraphs[g] {
					t.Fatalf("graph %d is in both parts", g)
				}
			}
		}
		if len(data.Learnt) != len(learntGraphs) {
			t.Errorf("%d graphs learnt, %d are said to be", len(learntGraphs), len(data.Learnt))
		}
		if c.want == train.HeldPairs && len(learnt)+len(checked) != c.pairs {
			t.Errorf("%d and %d pairs, want %d together", len(learnt), len(checked), c.pairs)
		}
	}
}

// used lists the labelled pairs of blocks, and their graphs.
func used(blocks []train.Block) (pairs map[[2]int32]bool, graphs map[int32]bool) {
	pairs, graphs = make(map[[2]int32]bool), make(map[int32]bool)
	for _, b := range blocks {
		for i, q := range b.Queries {
			for j, x := range b.Targets {
				if l := b.Lower[i*len(b.Targets)+j]; l == l {
					pairs[[2]int32{q, x}] = true
					graphs[q], graphs[x] = true, true
				}
			}
		}
	}
	return pairs, graphs
}

func TestGivenBySplit(t *testing.T) {
	graphs := collection(20)
	held := make([]bool, 20)
	held[3], held[7] = true, true
	data, err := train.DefaultPlan(edit.GED, edit.Uniform()).Given(graphs, givenPairs(graphs, truth.PairsOnce(20, 20)), held)
	if err != nil {
		t.Fatal(err)
	}
	checked, _ := used(data.Valid)
	learnt, _ := used(data.Train)
	if len(checked) != 1 || !checked[[2]int32{3, 7}] || len(learnt) != 18*17/2 || len(data.Unseen) != 2 || len(data.Learnt) != 18 {
		t.Errorf("%v and %d pairs, %d graphs held out, %d learnt", checked, len(learnt), len(data.Unseen), len(data.Learnt))
	}
}

func TestGivenTwice(t *testing.T) {
	graphs := collection(4)
	plan := train.DefaultPlan(edit.GED, edit.Uniform())
	pairs := []truth.Pair{{Query: 0, Target: 1, Lower: 1, Upper: 5}, {Query: 1, Target: 0, Lower: 3, Upper: 9}, {Query: 2, Target: 3, Lower: 1, Upper: math.Inf(1)}}
	data, err := plan.Given(graphs, pairs, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, b := range data.Train {
		for i, q := range b.Queries {
			for j, x := range b.Targets {
				if k := i*len(b.Targets) + j; q == 0 && x == 1 {
					found = b.Lower[k] == 3 && b.Upper[k] == 5
				}
			}
		}
	}
	if pairs, _ := used(data.Train); !found || len(pairs) != 2 {
		t.Errorf("blocks %v", data.Train)
	}
	pairs[1].Lower = 6
	var twice *train.ContradictionError
	if _, err := plan.Given(graphs, pairs, nil); !errors.As(err, &twice) || twice.First.Upper != 5 || twice.Second.Lower != 6 {
		t.Errorf("error %v", err)
	}
	if _, err := plan.Given(graphs, nil, nil); !errors.Is(err, train.ErrNoPairs) {
		t.Errorf("no pairs: error %v", err)
	}
}
