package store_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/embedding"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/store"
)

func sample(t *testing.T) store.Store {
	t.Helper()
	vocab := graph.NewVocabulary()
	var s store.Store
	s.Vocabulary = vocab
	b := graph.NewBuilder(vocab, false)
	for i, id := range []string{"first", "second"} {
		for range 3 + i {
			b.AddNode("C")
		}
		if err := b.AddEdge(0, 1+i, "2"); err != nil {
			t.Fatal(err)
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		s.Records = append(s.Records, dataset.Record{ID: id, Name: "name of " + id, Graph: g, SMILES: "text", Meta: map[string]any{"class": "a"}})
	}
	m := model.New(model.Metadata{
		Task: edit.SED, Costs: edit.Uniform(), Vocabulary: vocab,
		Config: model.Config{Conv: model.GIN, Layers: 1, Hidden: 16, Norm: norm.Single(norm.L2, 16, true)},
	}, rand.New(rand.NewPCG(1, 1)))
	z, err := m.Embed(context.Background(), []*graph.Graph{s.Records[0].Graph, s.Records[1].Graph}, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.Engines = []store.Engine{{Model: m, Vectors: z}}
	return s
}

func create(t *testing.T, s store.Store) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "index")
	if err := store.Create(dir, s); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRoundTrip(t *testing.T) {
	want := sample(t)
	got, err := store.Open(create(t, want))
	if err != nil {
		t.Fatal(err)
	}
	for i, rec := range got.Records {
		w := want.Records[i]
		if rec.ID != w.ID || rec.Name != w.Name || rec.SMILES != w.SMILES || rec.Meta["class"] != "a" {
			t.Errorf("record %+v, want %+v", rec, w)
		}
		if !graph.Isomorphic(rec.Graph, graph.In(got.Vocabulary, w.Graph)) {
			t.Errorf("another graph %d", i)
		}
	}
	if len(got.Engines) != 1 || got.Engines[0].Model.Fingerprint() != want.Engines[0].Model.Fingerprint() ||
		!slices.Equal(got.Engines[0].Vectors, want.Engines[0].Vectors) {
		t.Error("another model or other vectors")
	}
}

func TestRefusals(t *testing.T) {
	s := sample(t)
	dir := create(t, s)
	if err := store.Create(dir, s); !errors.Is(err, store.ErrExists) {
		t.Errorf("created over another: error %v", err)
	}
	if _, err := store.Open(t.TempDir()); !errors.Is(err, store.ErrFormat) {
		t.Errorf("empty folder: error %v", err)
	}
	newer := create(t, s)
	if err := os.WriteFile(filepath.Join(newer, "manifest.json"), []byte(`{"version":9}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(newer); !errors.Is(err, store.ErrVersion) {
		t.Errorf("newer version: error %v", err)
	}
	mixed := create(t, s)
	other := model.New(s.Engines[0].Model.Metadata(), rand.New(rand.NewPCG(2, 2)))
	if err := other.Save(filepath.Join(mixed, "sed.safetensors")); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(mixed); !errors.Is(err, embedding.ErrMismatch) {
		t.Errorf("embeddings of another model: error %v", err)
	}
}

// TestFailedCreateLeavesNothing: a record that cannot be written leaves no
// folder behind.
func TestFailedCreateLeavesNothing(t *testing.T) {
	s := sample(t)
	s.Engines[0].Vectors = s.Engines[0].Vectors[:16]
	dir := filepath.Join(t.TempDir(), "index")
	if err := store.Create(dir, s); err == nil {
		t.Fatal("one vector for two graphs was accepted")
	}
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
