package bench

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
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

- ged/x: 64 numbers per graph under l1 or l1:max:8x8; test × train 2 pairs, 50 % proven, mean gap 0.5; trained in 12 s.
`
	if got := text.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestStrata compares strata with errors found pair by pair.
func TestStrata(t *testing.T) {
	rng := newRand(3)
	vocab := graph.NewVocabulary()
	size := func(n int) *graph.Graph {
		b := graph.NewBuilder(vocab, false)
		for range n {
			b.AddNode("A")
		}
		return graphtest.Must(b.Build())
	}
	in := eval.Input{Task: edit.SED}
	for i := range 300 {
		in.Queries = append(in.Queries, size(3+rng.IntN(20)))
		in.Targets = append(in.Targets, size(5+rng.IntN(80)))
		p := truth.NewPair(i, i)
		p.Lower = float64(rng.IntN(9))
		p.Upper = p.Lower + float64(rng.IntN(2))
		in.Pairs = append(in.Pairs, p)
		in.Predicted = append(in.Predicted, 10*rng.Float64())
	}
	r, err := eval.Evaluate(in)
	if err != nil {
		t.Fatal(err)
	}
	list := strataOf(random, r.Errors)
	seen := make(map[string]int)
	for _, s := range list {
		squares, signed, count := 0.0, 0.0, 0
		for i, p := range in.Pairs {
			x := map[string]float64{
				"query nodes": float64(in.Queries[i].N()), "target nodes": float64(in.Targets[i].N()), "distance": (p.Lower + p.Upper) / 2,
			}[s.By]
			if x < s.From || x >= s.To {
				continue
			}
			e := max(0, in.Predicted[i]-p.Upper) - max(0, p.Lower-in.Predicted[i])
			squares += e * e
			signed += e
			count++
		}
		seen[s.By] += s.Count
		if n := float64(count); count != s.Count || count == 0 || math.Abs(s.RMSE-math.Sqrt(squares/n)) > 1e-9 || math.Abs(s.Bias-signed/n) > 1e-9 {
			t.Errorf("%+v, want %d pairs, RMSE %v, bias %v", s, count, math.Sqrt(squares/n), signed/n)
		}
	}
	if len(seen) != 3 || seen["query nodes"] != 300 || seen["target nodes"] != 300 || seen["distance"] != 300 {
		t.Errorf("pairs %v, want all by each axis", seen)
	}
	double := slices.Clone(list)
	for i := range double {
		double[i].RMSE *= 3
	}
	for i, s := range meanStrata(append(slices.Clone(list), double...), 2) {
		if math.Abs(s.RMSE-2*list[i].RMSE) > 1e-9 || s.Bias != list[i].Bias {
			t.Errorf("the mean of %v and %v is %v", list[i], double[i], s)
		}
	}
	var text strings.Builder
	if err := (&AccuracyTable{Scale: 1, Rows: []AccuracyRow{{Name: "sed/x", Strata: list}}}).Write(&text); err != nil {
		t.Fatal(err)
	}
	if got := text.String(); !strings.Contains(got, "| sed/x | random pairs | query nodes ") || strings.Count(got, " to below ") != len(list) {
		t.Error(got)
	}
}

// TestLoosen: loose bounds hold the distance, and their mean gap is no more than what is
// wanted, but some.
func TestLoosen(t *testing.T) {
	rng := newRand(8)
	vocab := graph.NewVocabulary()
	in := eval.Input{Task: edit.SED}
	for i := range 60 {
		in.Queries = append(in.Queries, graphtest.Random(rng, vocab, 9, 0.35, false))
		in.Targets = append(in.Targets, graphtest.Random(rng, vocab, 14, 0.3, false))
		in.Pairs = append(in.Pairs, truth.NewPair(i, i))
	}
	bounder := truth.Bounder{Task: edit.SED, Costs: edit.Uniform()}
	exact := slices.Clone(in.Pairs)
	if err := bounder.BoundAll(t.Context(), in.Queries, in.Targets, exact); err != nil {
		t.Fatal(err)
	}
	last := 0.0
	job := truth.Job{Bounder: bounder, Queries: in.Queries, Targets: in.Targets, Journal: filepath.Join(t.TempDir(), "x.journal")}
	kept := func() (bytes int64) {
		files, err := filepath.Glob(filepath.Join(filepath.Dir(job.Journal), "*"))
		for _, f := range files {
			info, e := os.Stat(f)
			if err = errors.Join(err, e); err == nil {
				bytes += info.Size()
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	for _, loose := range []float64{1.9, 0.05, 0.05} {
		s := &pairSet{in: in, loose: loose}
		s.in.Pairs = slices.Clone(in.Pairs)
		before := kept()
		if err := s.loosen(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		if again := loose == last; again != (kept() == before) {
			t.Errorf("gap %v: %d bytes of journals, then %d", loose, before, kept())
		}
		last = loose
		for i, p := range s.in.Pairs {
			if p.Lower > exact[i].Lower || p.Upper < exact[i].Upper {
				t.Fatalf("pair %d: bounds %v to %v of %v", i, p.Lower, p.Upper, exact[i].Lower)
			}
		}
		if got := sizeOf(s.in.Pairs).Gap; got > loose || got == 0 {
			t.Errorf("mean gap %v, want up to %v", got, loose)
		}
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

// TestAccuracySharesTruth: the models of a row learn from the same ground truth, and so do
// those of another length of training; what is done is not done again.
func TestAccuracySharesTruth(t *testing.T) {
	folder, data := t.TempDir(), fakeData(t)
	two := "t # 1\nv 0 A\nv 1 B\ne 0 1 1\nt # 2\nv 0 A\nv 1 B\nv 2 B\ne 0 1 1\ne 1 2 1\n"
	if err := os.WriteFile(filepath.Join(data, "aids700nef", "test.txt"), []byte(two), 0o666); err != nil {
		t.Fatal(err)
	}
	opt := AccuracyOptions{Data: data, Folder: folder, Only: []string{"ged/aids700nef"}, Seeds: 2, Scale: 1, Steps: 2, Pairs: 50, Workers: 1}
	measure := func() AccuracyRow {
		t.Helper()
		table, err := Accuracy(t.Context(), opt)
		if err != nil {
			t.Fatal(err)
		}
		return table.Rows[0]
	}
	count := func(pattern string) int {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	first := measure()
	if f := first.Fingerprints; len(f) != 2 || f[0] == f[1] {
		t.Errorf("models %v, want two that differ", f)
	}
	opt.Seeds = 1
	if f := measure().Fingerprints; f[0] != first.Fingerprints[0] {
		t.Errorf("model %v, want %s of the folder", f, first.Fingerprints[0])
	}
	if n := count("*.safetensors"); n != 2 {
		t.Errorf("%d models, want 2", n)
	}
	opt.Steps = 3
	measure()
	if n := count("truth-*"); n != 1 {
		t.Errorf("%d folders of ground truth, want 1", n)
	}
	if n := count("*.safetensors"); n != 3 {
		t.Errorf("%d models, want 3", n)
	}
}
