package bench

import (
	"math"
	"strings"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/truth"
)

func TestAccuracyFigures(t *testing.T) {
	row := AccuracyRow{Name: "ged/x", Dim: 64, Norms: []string{"l1", "l1:max:8x8", "l1"}, Seconds: []float64{12, 0}, Sets: map[string]SetSize{
		testTrain: sizeOf([]truth.Pair{{Lower: 2, Upper: 2}, {Lower: 1, Upper: 3}}),
	}}
	for _, c := range []struct {
		criterion
		values []float64
	}{
		{criterion{testTrain, "MAE", nil, 0.5, 0.4, false}, []float64{0.3, 0.4, 0.2}},
		{criterion{testTrain, "RMSE", nil, none(), 0.4, false}, []float64{0.5, 0.4}},
		{criterion{unseen, "τ", nil, 0.8, 0.8, true}, []float64{0.79}},
		{criterion{unseen, "p@10", nil, none(), none(), true}, []float64{math.NaN()}},
	} {
		row.Figures = append(row.Figures, c.figure(c.values))
	}
	var text strings.Builder
	if err := (&AccuracyTable{Scale: 1, Rows: []AccuracyRow{row}}).Write(&text); err != nil {
		t.Fatal(err)
	}
	want := `| row   | pairs        | figure | the paper | target         | measured | spread |        |
|-------|--------------|--------|-----------|----------------|----------|--------|--------|
| ged/x | test × train | MAE    | 0.500     | at most 0.400  | 0.300    | 0.200  | met    |
|       |              | RMSE   |           | at most 0.400  | 0.450    | 0.100  | missed |
|       | both unseen  | τ      | 0.800     | at least 0.800 | 0.790    |        | missed |
|       |              | p@10   |           |                |          |        |        |

- ged/x: 64 numbers a graph under l1 or l1:max:8x8; test × train 2 pairs, 50 % proven, mean gap 0.5; trained in 12 s.
`
	if got := text.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestStrangers(t *testing.T) {
	rng := newRand(5)
	vocab := graph.NewVocabulary()
	tree := func(parents []int) *graph.Graph {
		b := graph.NewBuilder(vocab, false)
		b.AddNode("A")
		for i, p := range parents {
			b.AddNode("A")
			if err := b.AddEdge(p, i+1, "e"); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	bushy := make([]int, 64) // node 0 has eight neighbours, with the others at them
	for i := 8; i < len(bushy); i++ {
		bushy[i] = 1 + rng.IntN(8)
	}
	test := []*graph.Graph{tree(bushy), tree(bushy)}
	path := tree([]int{0, 1, 2})
	x := &examLab{lab: &lab{Options: Options{Scale: 0.02}}}
	usual := targets{name: "x", hops: 2, queries: sample.BFS{Depth: 2, Keep: 0.6}}
	sets, err := x.strangeSets(usual, []*graph.Graph{path}, test, nil)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]bool)
	for i, s := range allStrangers() {
		set := sets[i]
		if set.name != s.name || len(set.in.Pairs) != 20 || files[set.file] {
			t.Errorf("set %d is %s with %d pairs in %s", i, set.name, len(set.in.Pairs), set.file)
		}
		files[set.file] = true
		for _, q := range set.in.Queries {
			if !s.limits.Admit(q) {
				t.Errorf("%s: a query of %d nodes", s.name, q.N())
			}
		}
	}
}
