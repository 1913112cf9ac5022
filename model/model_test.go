package model_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
)

const nodeLabels, edgeLabels = 3, 2

func newVocabulary() *graph.Vocabulary {
	vocab := graph.NewVocabulary()
	for i := range nodeLabels {
		vocab.Node(fmt.Sprint("n", i))
	}
	for i := range edgeLabels {
		vocab.Edge(fmt.Sprint("e", i))
	}
	return vocab
}

func randomGraph(rng *rand.Rand, vocab *graph.Vocabulary, n int, directed bool) *graph.Graph {
	b := graph.NewBuilder(vocab, directed)
	for range n {
		b.AddNode(fmt.Sprint("n", rng.IntN(nodeLabels)))
	}
	for u := range n {
		for v := range n {
			if u != v && (directed || u < v) && rng.Float64() < 0.3 {
				if err := b.AddEdge(u, v, fmt.Sprint("e", rng.IntN(edgeLabels))); err != nil {
					panic(err)
				}
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}

// variants are small models of every kind, with random numbers.
func variants() map[string]*model.Model {
	all := make(map[string]*model.Model)
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		for _, conv := range []model.Conv{model.GIN, model.GINE} {
			for _, directed := range []bool{false, true} {
				meta := model.Metadata{
					Task: task, Costs: edit.Uniform(), Vocabulary: newVocabulary(),
					Config: model.Config{Conv: conv, Layers: 3, Hidden: 32, Skip: !directed,
						Norm: norm.Norm{Widths: []int{8, 8, 16}, Kind: norm.L1, Combine: norm.Max, Hinge: task == edit.SED}},
					Training: model.Training{Directed: directed},
				}
				m := model.New(meta, rand.New(rand.NewPCG(1, 2)))
				all[fmt.Sprintf("%v/%s/directed=%v", task, conv, directed)] = m
			}
		}
	}
	return all
}

func eachVariant(t *testing.T, f func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph)) {
	for name, m := range variants() {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 5))
			vocab := newVocabulary()
			f(t, m, rng, func() *graph.Graph {
				return randomGraph(rng, vocab, 1+rng.IntN(14), m.Metadata().Training.Directed)
			})
		})
	}
}

func predict(t *testing.T, m *model.Model, q, x *graph.Graph) float64 {
	t.Helper()
	d, err := m.Predict(q, x)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestAxioms: the predicted distance is what the paper proves of it, whatever
// the network has learnt. Sums of float32 coordinates leave room for rounding
// in the triangle inequality alone.
func TestAxioms(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		for range 60 {
			a, b, c := draw(), draw(), draw()
			ab, bc, ac := predict(t, m, a, b), predict(t, m, b, c), predict(t, m, a, c)
			if ab < 0 {
				t.Fatalf("distance %v", ab)
			}
			if ac > (ab+bc)*(1+1e-5)+1e-5 {
				t.Fatalf("triangle: %v > %v + %v", ac, ab, bc)
			}
			if d := predict(t, m, a, a); d != 0 {
				t.Fatalf("distance %v to itself", d)
			}
			if m.Metadata().Task == edit.GED && ab != predict(t, m, b, a) {
				t.Fatalf("not symmetric: %v, %v", ab, predict(t, m, b, a))
			}
		}
	})
}

// TestRenumbering: a renumbered graph has the same vector, bit for bit, at
// every level of instructions.
func TestRenumbering(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		for _, level := range kernel.Levels() {
			m := m.WithLevel(level)
			for range 40 {
				g := draw()
				h := g.Permute(rng.Perm(g.N()))
				if d := predict(t, m, g, h); d != 0 {
					t.Fatalf("%v: distance %v to a renumbered copy", level, d)
				}
			}
		}
	})
}

// TestBatchMates: a vector depends on its graph alone.
func TestBatchMates(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		var graphs []*graph.Graph
		for range 100 {
			graphs = append(graphs, draw())
		}
		ctx := context.Background()
		all, err := m.Embed(ctx, graphs, 3)
		if err != nil {
			t.Fatal(err)
		}
		dim := m.Norm().Dim()
		for i, j := range rng.Perm(len(graphs)) {
			z, err := m.Embed(ctx, graphs[j:j+1+rng.IntN(len(graphs)-j)], 1+i%2)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(z[:dim], all[j*dim:][:dim]) {
				t.Fatalf("graph %d has another vector in another batch", j)
			}
		}
	})
}

// TestLevels: the levels agree up to rounding.
func TestLevels(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		for range 30 {
			q, x := draw(), draw()
			want := predict(t, m.WithLevel(kernel.Generic), q, x)
			for _, level := range kernel.Levels() {
				if got := predict(t, m.WithLevel(level), q, x); got < want-1e-3*(1+want) || got > want+1e-3*(1+want) {
					t.Errorf("%v: %v, plain Go says %v", level, got, want)
				}
			}
		}
	})
}

func TestFileRoundTrip(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *model.Model, rng *rand.Rand, draw func() *graph.Graph) {
		path := filepath.Join(t.TempDir(), "m.safetensors")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		again, err := model.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if again.Fingerprint() != m.Fingerprint() {
			t.Error("another fingerprint after loading")
		}
		q, x := draw(), draw()
		if a, b := predict(t, m, q, x), predict(t, again, q, x); a != b {
			t.Errorf("predicts %v before and %v after", a, b)
		}
	})
}

func TestRefusesOtherFiles(t *testing.T) {
	m := variants()["ged/gine/directed=false"]
	var buf bytes.Buffer
	if err := m.Write(&buf); err != nil {
		t.Fatal(err)
	}
	whole := buf.Bytes()
	for _, n := range []int{0, 7, 100, len(whole) / 2, len(whole) - 1} {
		if _, err := model.Parse(whole[:n]); !errors.Is(err, model.ErrFormat) {
			t.Errorf("cut to %d bytes: error %v", n, err)
		}
	}
	newer := bytes.Replace(whole, []byte(`"greed.model.version":"1"`), []byte(`"greed.model.version":"9"`), 1)
	if _, err := model.Parse(newer); !errors.Is(err, model.ErrVersion) || !strings.Contains(err.Error(), "newer greed") {
		t.Errorf("newer version: error %v", err)
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-3] ^= 1
	if _, err := model.Parse(flipped); !errors.Is(err, model.ErrFormat) {
		t.Errorf("a bit flipped: error %v", err)
	}
	nan := bytes.Clone(whole)
	copy(nan[len(nan)-4:], []byte{0, 0, 0xc0, 0x7f})
	if _, err := model.Parse(nan); !errors.Is(err, model.ErrFormat) {
		t.Errorf("not a number: error %v", err)
	}
}

func TestRefusesOtherDirection(t *testing.T) {
	m := variants()["ged/gin/directed=false"]
	g := randomGraph(rand.New(rand.NewPCG(1, 1)), newVocabulary(), 5, true)
	if _, err := m.Embed(context.Background(), []*graph.Graph{g}, 1); !errors.Is(err, model.ErrMismatch) {
		t.Errorf("error %v", err)
	}
}

func FuzzParse(f *testing.F) {
	var buf bytes.Buffer
	if err := variants()["sed/gine/directed=true"].Write(&buf); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := model.Parse(data); err == nil {
			m.Fingerprint()
		}
	})
}
