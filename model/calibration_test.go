package model_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/safetensors"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
)

// sampled returns a calibration with n queries, of whose near pairs the predictions are uniform below 1.
func sampled(rng *rand.Rand, n int) *model.Calibration {
	c := &model.Calibration{
		Of: "uniform", Graphs: 10, Nodes: 5, Edges: 4, Radius: 3, Queries: n + 7, MinNodes: 2, MaxNodes: 9,
		NodeLabels: []string{"n0", "n1"}, EdgeLabels: []string{"e0"},
	}
	for range n {
		c.Near = append(c.Near, []model.NearPair{{2, rng.Float64()}, {3, 100}})
	}
	return c
}

// TestCutCovers: of calibrations drawn anew, the share that the model's confidence says have a cut with the recall.
func TestCutCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, c := range []struct {
		n      int
		recall float64
	}{{299, .99}, {1000, .99}, {59, .95}, {400, .95}, {30, .5}} {
		const trials = 2000
		enough := 0
		for range trials {
			by := sampled(rng, c.n)
			if err := by.Check(); err != nil {
				t.Fatal(err)
			}
			cut, err := by.Cut(2, c.recall)
			if err != nil {
				t.Fatal(err)
			}
			if cut >= c.recall { // the share of what is below the cut is the cut itself
				enough++
			}
		}
		// The share of a binomial distribution is at least .95, and below .99 unless there are few queries.
		if got := float64(enough) / trials; got < .935 || c.n > 300 && got > .985 {
			t.Errorf("%d queries: a recall of %v in %v of the calibrations", c.n, c.recall, got)
		}
	}
}

// TestCutIsRefused: for too few queries, and beyond the radius.
func TestCutIsRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	for n, fits := range map[int]bool{0: false, 1: false, 298: false, 299: true} {
		_, err := sampled(rng, n).Cut(2, .99)
		if fits != (err == nil) || err != nil && !errors.Is(err, model.ErrCalibration) {
			t.Errorf("%d queries: %v", n, err)
		}
	}
	c := sampled(rng, 1000)
	if _, err := c.Cut(1.5, .99); err == nil || !strings.Contains(err.Error(), "only 0 of the 1007 queries") {
		t.Error("within 1.5:", err)
	}
	if cut, err := c.Cut(3, .99); cut != 100 || err != nil {
		t.Error("within 3:", cut, err)
	}
	if _, err := c.Cut(3.5, .5); !errors.Is(err, model.ErrCalibration) {
		t.Error("within 3.5:", err)
	}
	if _, err := sampled(rng, 270).Cut(2, .99); err == nil || !strings.Contains(err.Error(), "a recall of 0.988 at most") {
		t.Error("270 queries:", err)
	}
}

// TestCalibrationCovers: queries of another size or with other labels, and other collections, are refused.
func TestCalibrationCovers(t *testing.T) {
	c := sampled(rand.New(rand.NewPCG(3, 3)), 5)
	vocab := newVocabulary()
	path := func(n int, node, edge string) *graph.Graph {
		b := graph.NewBuilder(vocab, false)
		for range n {
			b.AddNode(node)
		}
		for i := 1; i < n; i++ {
			if err := b.AddEdge(i-1, i, edge); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for name, q := range map[string]*graph.Graph{
		"1 nodes": path(1, "n0", "e0"), "10 nodes": path(10, "n0", "e0"), "labels n2": path(3, "n2", "e0"), "labels edge e1": path(3, "n1", "e1"),
	} {
		if err := c.Covers(q); !errors.Is(err, model.ErrCalibration) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := c.Covers(path(9, "n1", "e0")); err != nil {
		t.Error(err)
	}
	for _, of := range []struct {
		graphs       int
		nodes, edges float64
		fits         bool
	}{{10, 5, 4, true}, {12, 5.2, 4.1, true}, {13, 5, 4, false}, {7, 5, 4, false}, {10, 5.3, 4, false}, {10, 5, 3.7, false}} {
		if err := c.Fits(of.graphs, of.nodes, of.edges); (err == nil) != of.fits {
			t.Errorf("%v: %v", of, err)
		}
	}
}

// TestCalibrationInFile: a model file keeps a calibration and what was held out, which change neither the
// fingerprint nor the vectors. One whose numbers do not fit is refused.
func TestCalibrationInFile(t *testing.T) {
	vocab := newVocabulary()
	m := model.New(model.Metadata{
		Task: edit.GED, Costs: edit.Uniform(), Vocabulary: newVocabulary(), Training: model.Training{Graphs: 20},
		Config: model.Config{Conv: model.GIN, Layers: 1, Hidden: 16, Norm: norm.Single(norm.L1, 16, false)},
	}, rand.New(rand.NewPCG(1, 2)))
	var graphs []*graph.Graph
	for n := 1; n < 30; n++ {
		b := graph.NewBuilder(vocab, false)
		for i := range n {
			b.AddNode([]string{"n0", "n1", "new"}[i%3])
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		graphs = append(graphs, g)
	}
	if at, known := m.Unseen(graphs); known || len(at) != len(graphs) {
		t.Error("nothing is known of a model that held nothing out:", at, known)
	}
	m.HoldOut(graphs[20:])
	by := sampled(rand.New(rand.NewPCG(3, 4)), 5)
	var file bytes.Buffer
	if err := m.Calibrated(by).Write(&file); err != nil {
		t.Fatal(err)
	}
	got, err := model.Parse(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got.Fingerprint() != m.Fingerprint() || m.Calibration() != nil || !slices.EqualFunc(got.Calibration().Near, by.Near, slices.Equal) {
		t.Errorf("read %+v", got.Calibration())
	}
	// Read by another vocabulary, the graphs are the same.
	other := graph.NewVocabulary()
	other.Node("other")
	var moved []*graph.Graph
	for _, g := range graphs {
		moved = append(moved, graph.In(other, g))
	}
	if at, known := got.Unseen(moved); !known || len(at) != 9 || at[0] != 20 {
		t.Error("of the training collection unseen are", at, known)
	}
	if at, known := got.Unseen(moved[:21]); !known || len(at) != 1 || at[0] != 20 {
		t.Error("of a part of it unseen are", at, known)
	}
	if at, known := got.Unseen(moved[:20]); !known || len(at) != 20 {
		t.Error("of another collection unseen are", at, known)
	}

	f, err := safetensors.Parse(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for key, text := range map[string]string{
		"greed.model.calibration": `{"near":[[[-1,2]]],"queries":1}`,
		"greed.model.unseen":      "AAAA",
	} {
		before := f.Metadata[key]
		f.Metadata[key] = text
		var bad bytes.Buffer
		if err := safetensors.Write(&bad, f); err != nil {
			t.Fatal(err)
		}
		if _, err := model.Parse(bad.Bytes()); !errors.Is(err, model.ErrFormat) {
			t.Errorf("%s %s: %v", key, text, err)
		}
		f.Metadata[key] = before
	}
	for _, near := range [][]model.NearPair{{}, {{2, 1}, {1, 1}}, {{1, 1}, {1, 1}}, {{4, 1}}, {{1, math.NaN()}}, {{1, math.Inf(1)}}} {
		bad := *by
		bad.Near = [][]model.NearPair{near}
		if bad.Check() == nil {
			t.Errorf("%v is taken for near pairs", near)
		}
	}
}
