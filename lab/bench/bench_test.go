package bench

import (
	"context"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/sample"
)

// fakeData writes a tiny data folder with the file names of the real one.
func fakeData(t *testing.T) string {
	t.Helper()
	const path = "v 0 A\nv 1 B\nv 2 A\nv 3 C\nv 4 A\ne 0 1 1\ne 1 2 1\ne 2 3 2\ne 3 4 1\n"
	const ring = path + "e 0 4 1\n"
	dir := t.TempDir()
	for name, text := range map[string]string{
		"aids700nef/test.txt":  "t # 1\n" + path,
		"aids700nef/train.txt": "t # 2\n" + ring + "t # 3\n" + path,
		"aids/aids.txt":        "t # 1\n" + ring + "t # 2\n" + ring,
		"aids42k/aids42k.txt":  "t # 1\n" + ring + "t # 2\n" + path + "t # 3\n" + path + "t # 4\nv 0 D\n",
		"cora_ml/cora_ml.txt":  "t # 1\n" + ring,
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestGED(t *testing.T) {
	steps := make(map[string]int)
	table, err := GED(t.Context(), Options{
		Data:  fakeData(t),
		Only:  []string{"ged", "sed/aids700nef", "anytime/aids700nef", "paper/aids", "molecules/1-12"},
		Scale: 0.002,
		Progress: func(s Step) {
			if s.Done == s.Total {
				steps[s.Row] = s.Run
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range table.Rows {
		names = append(names, r.Name)
		absent := r.Name == "ged/linux" || r.Name == "ged/imdb"
		if absent != (r.Skipped != "") || absent != (len(r.Figures) == 0) {
			t.Errorf("%s: skipped %q, figures %v", r.Name, r.Skipped, r.Figures)
		}
		if steps[r.Name] != r.Runs {
			t.Errorf("%s: progress up to run %d of %d", r.Name, steps[r.Name], r.Runs)
		}
		for _, f := range r.Figures {
			if !(f.Value >= 0) || math.IsInf(f.Value, 0) {
				t.Errorf("%s: %s is %v", r.Name, f.Name, f.Value)
			}
			if f.Name == "proven" && r.Name != "anytime/aids700nef/app-bmao:10" && f.Value < 1 {
				t.Errorf("%s: tiny pairs not solved", r.Name)
			}
		}
	}
	want := "ged/aids700nef ged/linux ged/imdb sed/aids700nef molecules/1-12 paper/aids " +
		"anytime/aids700nef/app-bmao:10 anytime/aids700nef/app-bmao:30 anytime/aids700nef/app-bmao:100 " +
		"anytime/aids700nef/states:10 anytime/aids700nef/states:30 anytime/aids700nef/states:100"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("rows %s\nwant %s", got, want)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	table, err := GED(ctx, Options{
		Data: fakeData(t), Only: []string{"ged/aids700nef", "paper/aids", "paper/cora_ml"}, Scale: 1,
		Progress: func(s Step) {
			if s.Row == "paper/cora_ml" {
				cancel()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !table.Interrupted {
		t.Error("the table does not say that it was interrupted")
	}
	for i, runs := range []int{1, 1, 0} {
		if r := table.Rows[i]; r.Runs != runs {
			t.Errorf("%s: %d runs reported, %d made", r.Name, r.Runs, runs)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, scale := range []float64{0, -1, 1.5, math.NaN()} {
		if _, err := GED(t.Context(), Options{Scale: scale}); err == nil {
			t.Errorf("scale %v is accepted", scale)
		}
	}
	for _, name := range []string{"", "ge", "ged/", "nothing"} {
		if _, err := GED(t.Context(), Options{Scale: 1, Only: []string{name}}); err == nil {
			t.Errorf("row %q is accepted", name)
		}
	}
}

// TestPairsStay checks that a smaller scale measures part of the same pairs and
// that pairs are of the kind wanted.
func TestPairsStay(t *testing.T) {
	dir := fakeData(t)
	whole, part := &lab{Options: Options{Data: dir, Scale: 1}}, &lab{Options: Options{Data: dir, Scale: 0.1}}
	vocab := graph.NewVocabulary()
	records, err := dataset.ReadAll(filepath.Join(dir, "aids700nef", "train.txt"), dataset.Options{Vocabulary: vocab})
	if err != nil {
		t.Fatal(err)
	}
	ring := func(q, t *graph.Graph) bool { return q.M() == 5 }
	for name, draw := range map[string]func(*lab) ([]pair, error){
		"random": func(x *lab) ([]pair, error) { return x.random(records, records, 50, ring) },
		"paper": func(x *lab) ([]pair, error) {
			return x.paperPairs(records, 0, sample.BFS{Depth: 5, Keep: 0.9}, 50)
		},
		"neighbourhoods": func(x *lab) ([]pair, error) {
			return x.paperPairs(records, 2, sample.BFS{Depth: 5, Keep: 0.9}, 50)
		},
	} {
		all, err := draw(whole)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		some, err := draw(part)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(all) != 50 || len(some) != 5 {
			t.Errorf("%s: %d and %d pairs, want 50 and 5", name, len(all), len(some))
		}
		for i, p := range some {
			if p.query != all[i].query || p.target != all[i].target || !graph.Isomorphic(p.q, all[i].q) {
				t.Errorf("%s: pair %d differs", name, i)
			}
		}
		for _, p := range all {
			if name == "random" && !ring(p.q, p.t) {
				t.Error("random: a pair that does not fit")
			}
		}
	}
	if _, err := whole.read("nowhere.txt"); err == nil || !strings.Contains(err.Error(), "nowhere.txt") {
		t.Errorf("reading a file that is not there: %v", err)
	} else if _, ok := err.(*fs.PathError); !ok {
		t.Errorf("reading a file that is not there: %T", err)
	}
	never := func(_, _ *graph.Graph) bool { return false }
	if _, err := part.random(records, records, 1, never); err == nil {
		t.Error("pairs were drawn that do not exist")
	}
}

func TestOutcome(t *testing.T) {
	var s outcome
	s.add(&pair{exact: 4, query: "a", target: "b"}, ged.Result{Lower: 3, Upper: 5})
	s.add(&pair{exact: 0}, ged.Result{Exact: true})
	s.add(&pair{exact: 2}, ged.Result{Lower: 2, Upper: 2, Exact: true})
	s.add(&pair{exact: 1}, ged.Result{Lower: 0, Upper: 2})
	for _, c := range []struct {
		figure figure
		want   float64
	}{{proven(), 0.5}, {meanGap(), (0.5 + 2) / 4}, {meanError(), 0.5}} {
		if got := c.figure.of(s); got != c.want {
			t.Errorf("%s is %v, want %v", c.figure.name, got, c.want)
		}
	}
	if len(s.open) != 2 || s.open[0] != (OpenPair{"a", "b", 3, 5}) {
		t.Errorf("open pairs %v", s.open)
	}
	ratio := func(r float64) outcome { return outcome{ratio: r} }
	of := throughputRatio().of
	if got := median(of, []outcome{ratio(3), ratio(1), ratio(2)}); got != 2 {
		t.Errorf("median of three is %v", got)
	}
	if got := median(of, []outcome{ratio(3), ratio(1)}); got != 2 {
		t.Errorf("median of two is %v", got)
	}
}

// TestAppBMao checks that the methods compared answer the same question.
func TestAppBMao(t *testing.T) {
	x := &lab{Options: Options{Data: fakeData(t), Scale: 0.001}, collections: make(map[string][]collection), exact: make(map[string][]pair)}
	costs := edit.Uniform().IgnoreEdgeLabels()
	pairs, err := x.withDistances(t.Context(), "aids700nef", costs)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pairs {
		r, err := appBMao(edit.GED, costs, 100000)(t.Context(), p.q, p.t)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Exact || r.Upper != p.exact {
			t.Errorf("query %s, target %s: %v, want %v", p.query, p.target, r.Upper, p.exact)
		}
	}
}
