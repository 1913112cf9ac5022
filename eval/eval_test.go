package eval

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/truth"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// path returns a path of n nodes.
func path(vocab *graph.Vocabulary, n int) *graph.Graph {
	b := graph.NewBuilder(vocab, false)
	for v := range n {
		b.AddNode("A")
		if v > 0 {
			if err := b.AddEdge(v-1, v, "e"); err != nil {
				panic(err)
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}

func paths(sizes ...int) []*graph.Graph {
	vocab := graph.NewVocabulary()
	var graphs []*graph.Graph
	for _, n := range sizes {
		graphs = append(graphs, path(vocab, n))
	}
	return graphs
}

// drawInput draws a matrix of intervals and predictions with many ties.
func drawInput(t *rapid.T) Input {
	rng := newRand(rapid.Uint64().Draw(t, "seed"))
	in := Input{Task: edit.Task(rng.IntN(2)), Queries: paths(2, 5, 6), Targets: paths(1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3)}
	in.Pairs = truth.AllPairs(len(in.Queries), len(in.Targets))
	for i := range in.Pairs {
		p := &in.Pairs[i]
		p.Lower = float64(rng.IntN(8))
		p.Upper = p.Lower + float64(rng.IntN(2)*rng.IntN(3))
		in.Predicted = append(in.Predicted, float64(rng.IntN(36))/4)
	}
	return in
}

var nearly = cmpopts.EquateApprox(1e-12, 1e-12)

func sameFigure(t *rapid.T, name string, got Figure, want float64) {
	t.Helper()
	if !cmp.Equal(float64(got), want, nearly, cmpopts.EquateNaNs()) {
		t.Fatalf("%s is %v, want %v", name, got, want)
	}
}

func TestErrorsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		r, err := Evaluate(in)
		if err != nil {
			t.Fatal(err)
		}
		var squares, absolute, n, provenSquares, provenAbsolute, proven, rounded, roundedAbsolute, similarity float64
		for i, p := range in.Pairs {
			d := in.Predicted[i]
			nearest := math.Max(p.Lower, math.Min(d, p.Upper)) // of the interval
			e := math.Abs(d - nearest)
			squares += e * e
			absolute += e
			n++
			q, g := in.Queries[p.Query], in.Targets[p.Target]
			s := math.Exp(-2*d/float64(q.N()+g.N())) - math.Exp(-2*nearest/float64(q.N()+g.N()))
			if in.Task == edit.SED {
				s = (d - nearest) / float64(q.N()+q.M())
			}
			similarity += s * s
			if p.Lower == p.Upper {
				proven++
				provenSquares += (d - p.Lower) * (d - p.Lower)
				provenAbsolute += math.Abs(d - p.Lower)
				roundedAbsolute += math.Abs(math.Floor(d+0.5) - p.Lower)
				if math.Floor(d+0.5) == p.Lower {
					rounded++
				}
			}
		}
		sameFigure(t, "RMSE", r.All.RMSE, math.Sqrt(squares/n))
		sameFigure(t, "MAE", r.All.MAE, absolute/n)
		sameFigure(t, "proven RMSE", r.All.ProvenRMSE, math.Sqrt(provenSquares/proven))
		sameFigure(t, "proven MAE", r.All.ProvenMAE, provenAbsolute/proven)
		sameFigure(t, "similarity MSE", r.All.SimilarityMSE, 1000*similarity/n)
		sameFigure(t, "MAE after rounding", r.All.RoundedMAE, roundedAbsolute/proven)
		sameFigure(t, "share exact", r.All.Rounded, rounded/proven)
		if r.All.Proven != int(proven) || r.Queries != 3 || r.Targets != 12 {
			t.Fatalf("%d proven, %d queries, %d targets", r.All.Proven, r.Queries, r.Targets)
		}
	})
}

func TestPerfectPredictions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		for i, p := range in.Pairs {
			in.Pairs[i].Upper = p.Lower
			in.Predicted[i] = p.Lower
		}
		r, err := Evaluate(in)
		if err != nil {
			t.Fatal(err)
		}
		m := r.All
		for name, f := range map[string]Figure{"τ": m.Kendall, "ρ": m.Spearman, "p@10": m.PrecisionAt10, "rounded": m.Rounded} {
			if !(math.Abs(float64(f)-1) < 1e-9) {
				t.Fatalf("%s is %v of perfect predictions", name, f)
			}
		}
		if m.RMSE != 0 || m.MAE != 0 || m.SimilarityMSE != 0 {
			t.Fatalf("errors %v, %v, %v of perfect predictions", m.RMSE, m.MAE, m.SimilarityMSE)
		}
		for _, x := range m.Ranges {
			if f := float64(x.Standard.F1); f != 1 && !math.IsNaN(f) {
				t.Fatalf("F1 %v of perfect predictions", f)
			}
		}
	})
}

func TestRangesByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		r, err := Evaluate(in)
		if err != nil {
			t.Fatal(err)
		}
		largest := 0.0
		for _, p := range in.Pairs {
			largest = math.Max(largest, p.Upper)
		}
		type at struct {
			radius float64
			got    Range
		}
		var all []at
		for k, f := range []float64{0.01, 0.05, 0.1, 0.15, 0.2} {
			all = append(all, at{f * largest, r.All.Ranges[k]})
		}
		for k := range 6 {
			all = append(all, at{float64(k), r.All.Near[k]})
		}
		for _, x := range all {
			radius := x.radius
			count := func(take func(truth.Pair, float64) bool) float64 {
				n := 0.0
				for i, p := range in.Pairs {
					if take(p, in.Predicted[i]) {
						n++
					}
				}
				return n
			}
			decided := func(p truth.Pair) bool { return !(p.Lower <= radius && radius < p.Upper) }
			got := x.got
			hits := count(func(p truth.Pair, d float64) bool { return d <= radius && p.Upper <= radius })
			sameFigure(t, "precision", got.Standard.Precision, hits/count(func(p truth.Pair, d float64) bool { return d <= radius && decided(p) }))
			sameFigure(t, "recall", got.Standard.Recall, hits/count(func(p truth.Pair, _ float64) bool { return p.Upper <= radius }))
			whole := func(d float64) bool { return math.Floor(d+0.5) <= radius }
			hits = count(func(p truth.Pair, d float64) bool { return whole(d) && p.Upper <= radius })
			sameFigure(t, "precision, rounded", got.Rounded.Precision, hits/count(func(p truth.Pair, d float64) bool { return whole(d) && decided(p) }))
			sameFigure(t, "recall, rounded", got.Rounded.Recall, hits/count(func(p truth.Pair, _ float64) bool { return p.Upper <= radius }))
			for _, x := range []Retrieval{got.Standard, got.Rounded} {
				if p, r := float64(x.Precision), float64(x.Recall); p > 0 && r > 0 {
					sameFigure(t, "F1", x.F1, 2/(1/p+1/r))
				}
			}
		}
	})
}

func TestEvaluateRefuses(t *testing.T) {
	in := Input{Queries: paths(1), Targets: paths(1)}
	if _, err := Evaluate(in); err == nil {
		t.Error("evaluated nothing")
	}
	in.Pairs, in.Predicted = []truth.Pair{{Upper: 1}}, []float64{math.NaN()}
	if _, err := Evaluate(in); err == nil {
		t.Error("evaluated a prediction that is no number")
	}
	in.Pairs, in.Predicted = truth.AllPairs(1, 1), []float64{0}
	if _, err := Evaluate(in); err == nil {
		t.Error("evaluated an unlabelled pair")
	}
}

func TestCopies(t *testing.T) {
	vocab := graph.NewVocabulary()
	var seen, unseen []*graph.Graph
	for _, n := range []int{3, 4, 4, 6} {
		seen = append(seen, path(vocab, n))
	}
	for _, n := range []int{2, 4, 6, 7} {
		unseen = append(unseen, path(vocab, n).Permute(newRand(1).Perm(n)))
	}
	if diff := cmp.Diff([]bool{false, true, true, false}, Copies(unseen, seen)); diff != "" {
		t.Error(diff)
	}
}

func TestFiguresWithoutCopies(t *testing.T) {
	in := Input{Queries: paths(3, 4), Targets: paths(5, 6), Pairs: truth.AllPairs(2, 2), Predicted: []float64{1, 1, 4, 1}}
	for i := range in.Pairs {
		in.Pairs[i].Upper = 0
	}
	in.QueryCopies = []bool{true, false}
	in.TargetCopies = []bool{false, true}
	r, err := Evaluate(in)
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Copies; c.Queries != 1 || c.Targets != 1 || c.Without.Pairs != 1 || c.Without.MAE != 4 {
		t.Errorf("%+v", c)
	}
	in.TargetCopies = []bool{true, true}
	if r, err := Evaluate(in); err != nil || r.Copies.Without != nil {
		t.Errorf("%v, %v where all are copies", r, err)
	}
}

func TestJoin(t *testing.T) {
	pairs := []truth.Pair{{Query: 1, Target: 2}, {Query: 0, Target: 0}, {Query: 1, Target: 2}}
	got, err := Join(pairs, []truth.Prediction{{Query: 0, Target: 0, Distance: 3}, {Query: 9, Target: 9}, {Query: 1, Target: 2, Distance: 5}, {Query: 0, Target: 0, Distance: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{5, 3, 5}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := Join(pairs, []truth.Prediction{{Query: 1, Target: 2}}); err == nil || !strings.Contains(err.Error(), "1 of 3 pairs") {
		t.Errorf("a missing prediction: %v", err)
	}
	if _, err := Join(pairs, []truth.Prediction{{Distance: 1}, {Distance: 2}}); err == nil {
		t.Error("two predictions of a pair were taken")
	}
}

func TestReportRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		if rapid.Bool().Draw(t, "copies") {
			in.QueryCopies = []bool{true, false, true}
		}
		r, err := Evaluate(in)
		if err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		if err := r.WriteJSON(&buf); err != nil {
			t.Fatal(err)
		}
		got := new(Report)
		if err := json.NewDecoder(&buf).Decode(got); err != nil {
			t.Fatal(err)
		}
		same := cmp.Comparer(func(a, b Figure) bool { return a == b || math.IsNaN(float64(a)) && math.IsNaN(float64(b)) })
		if diff := cmp.Diff(r, got, same); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestReportText(t *testing.T) {
	in := Input{Queries: paths(3, 4), Targets: paths(5, 6), Predicted: []float64{1, 2.25, 4, 1}}
	in.Pairs = truth.AllPairs(2, 2)
	for i, bounds := range [][2]float64{{2, 2}, {2, 2}, {1, 3}, {1, 1}} {
		in.Pairs[i].Lower, in.Pairs[i].Upper = bounds[0], bounds[1]
	}
	in.QueryCopies = []bool{true, false}
	r, err := Evaluate(in)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"ged of 2 queries and 2 targets", "all pairs", "without copies"},
		{"pairs", "4", "2"}, {"proven", "75.00 %", "50.00 %"},
		{"RMSE", "0.718", "0.707"}, {"MSE", "0.516", "0.500"}, {"MAE", "0.562", "0.500"},
		{"RMSE, proven pairs", "0.595", "0.000"}, {"MAE, proven pairs", "0.417", "0.000"},
		{"similarity MSE ×10⁻³", "10.336", "5.233"}, {"MAE after rounding", "0.333", "0.000"},
		{"exact after rounding", "66.67 %", "100.00 %"},
		{"Kendall's τ-b", "1.000", "1.000"}, {"Spearman's ρ", "1.000", "1.000"},
		{"p@10 (strict)", "-", "-"}, {"p@20 (strict)", "-", "-"},
		{"ten nearest among the first 50", "-", "-"}, {"ten nearest among the first 200", "-", "-"},
	}
	columns := regexp.MustCompile(" {2,}")
	lines := strings.Split(text.String(), "\n")
	for i, row := range want {
		if diff := cmp.Diff(row, columns.Split(lines[i], -1)); diff != "" {
			t.Errorf("line %d: %s", i+1, diff)
		}
	}
	for _, line := range []string{
		"within 1: recall, precision, F1  100.00 %, 50.00 %, 66.67 %    100.00 %, 100.00 %, 100.00 %\n",
		"queries 1, targets 0\n",
		"prediction  pairs  RMSE   MAE    bias\n1           2      0.707  0.500  -0.500\n2           1      0.250  0.250  0.250\n4",
		"nodes of the query  pairs  RMSE   MAE    bias\n3                   2      0.729  0.625  -0.375\n4                   2      0.707  0.500  0.500\n",
		"nodes of the target  pairs  RMSE   MAE    bias\n",
		"distance  pairs  RMSE   MAE    bias\n1         1      0.000  0.000  0.000\n2         3      0.829  0.750  0.083\n",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("got\n%s\nwithout\n%s", text.String(), line)
		}
	}
}
