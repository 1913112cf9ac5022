package eval

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/report"
	"github.com/greedgraph/greed/truth"
)

// TestSectionsShowTheReport: the table has the report's figures, the plots have every pair
// or bin, and the worst pairs are the worst.
func TestSectionsShowTheReport(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	vocab := graph.NewVocabulary()
	in := Input{Task: edit.GED}
	for range 12 {
		in.Queries = append(in.Queries, graphtest.Tree(rng, vocab, 2+rng.IntN(5)))
	}
	in.Targets = in.Queries
	in.Pairs = truth.AllPairs(12, 12)
	for i := range in.Pairs {
		in.Pairs[i].Lower = float64(rng.IntN(9))
		in.Pairs[i].Upper = in.Pairs[i].Lower + float64(rng.IntN(2))
		in.Predicted = append(in.Predicted, in.Pairs[i].Upper+rng.Float64())
	}
	in.Predicted[40] = 99
	r, err := Evaluate(in)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	sections, err := r.Sections(in, Shown{Map: func(q, _ *graph.Graph) (edit.NodeMap, error) {
		asked++
		m := make(edit.NodeMap, q.N())
		for v := range m {
			m[v] = edit.Deleted
		}
		return m, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	figures := make(map[string]float64)
	for _, row := range sections[0].Blocks[0].Table.Rows {
		if row[1].Value != nil {
			figures[row[0].Text] = *row[1].Value
		}
	}
	for name, want := range map[string]Figure{"RMSE": r.All.RMSE, "MSE": r.All.RMSE * r.All.RMSE, "Kendall's τ-b": r.All.Kendall, "pairs": 144} {
		if math.Abs(figures[name]-float64(want)) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, figures[name], want)
		}
	}
	where := sections[2].Blocks
	if n := len(where[0].Plot.Series[0].Points); n != 144 {
		t.Errorf("%d points of 144 pairs", n)
	}
	if n := len(in.Cloud("", 50).Series[0].Points); n < 25 || n > 50 {
		t.Errorf("%d points, want at most 50", n)
	}
	if asked != worstPairs || !strings.HasPrefix(sections[3].Blocks[0].Scene.Title, "3 → 4: ") {
		t.Errorf("%d pairs drawn, the first of them %q", asked, sections[3].Blocks[0].Scene.Title)
	}
	if err := (&report.Document{Sections: sections}).WriteHTML(new(strings.Builder)); err != nil {
		t.Error(err)
	}
	failed := errors.New("no map")
	_, err = r.Sections(in, Shown{Map: func(_, _ *graph.Graph) (edit.NodeMap, error) { return nil, failed }})
	if !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
}

// TestHashDistinguishesTruth: bounds, pairs and graphs change it.
func TestHashDistinguishesTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	vocab := graph.NewVocabulary()
	g, h := graphtest.Tree(rng, vocab, 4), graphtest.Tree(rng, vocab, 5)
	in := Input{Queries: []*graph.Graph{g}, Targets: []*graph.Graph{h}, Pairs: []truth.Pair{{Upper: 1}}}
	seen := map[string]bool{in.Hash(): true}
	in.Pairs = []truth.Pair{{Upper: 2}}
	seen[in.Hash()] = true
	in.Pairs = []truth.Pair{{Upper: 1}, {Upper: 1}}
	seen[in.Hash()] = true
	in.Targets = []*graph.Graph{g}
	seen[in.Hash()] = true
	if len(seen) != 4 {
		t.Errorf("4 truths have %d hashes", len(seen))
	}
}
