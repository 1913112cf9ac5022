package greed_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// arrow returns one edge between two nodes, directed or not.
func arrow(t *testing.T, directed bool) *greed.Graph {
	t.Helper()
	b := graph.NewBuilder(graph.NewVocabulary(), directed)
	b.AddNode("C")
	b.AddNode("C")
	if err := b.AddEdge(0, 1, "1"); err != nil {
		t.Fatal(err)
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestOneKind: a directed and an undirected graph have no distance, so a
// collection has one kind; the other is refused where it comes in.
func TestOneKind(t *testing.T) {
	ctx := context.Background()
	for _, directed := range []bool{false, true} {
		one, other := arrow(t, directed), arrow(t, !directed)
		c := greed.New()
		if _, err := c.Put(ctx, greed.Record{ID: "a", Graph: one}, greed.Record{ID: "b", Graph: other}); !errors.Is(err, greed.ErrMixed) || c.Len() != 0 {
			t.Errorf("both kinds put at once: error %v, %d graphs", err, c.Len())
		}
		if _, err := c.Put(ctx, greed.Record{ID: "a", Graph: one}); err != nil {
			t.Fatal(err)
		}
		if err := c.Save(filepath.Join(t.TempDir(), "index")); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Put(ctx, greed.Record{ID: "b", Graph: other}); !errors.Is(err, greed.ErrMixed) || c.Len() != 1 {
			t.Errorf("the other kind put: error %v, %d graphs", err, c.Len())
		}
		for _, opt := range []greed.Options{{}, {Mode: greed.Checked}, {Task: greed.SED}, {Radius: new(1.0), NoModel: true}} {
			if _, err := c.Search(ctx, other, opt); !errors.Is(err, greed.ErrDirection) {
				t.Errorf("%+v: searched for the other kind: error %v", opt, err)
			}
			if found, err := c.Search(ctx, one, opt); err != nil || len(found.Answers) != 1 || !found.Certified {
				t.Errorf("%+v: searched for its kind: %v, %v", opt, found, err)
			}
		}
		if _, err := greed.Distance(ctx, greed.GED, one, other, greed.DistanceOptions{}); !errors.Is(err, greed.ErrDirection) {
			t.Errorf("their distance: error %v", err)
		}
		if _, err := greed.FromRecords(graph.NewVocabulary(), []greed.Record{{ID: "a", Graph: one}, {ID: "b", Graph: other}}); !errors.Is(err, greed.ErrMixed) {
			t.Errorf("a collection of both: error %v", err)
		}
		// What remains after the last graph has gone has no kind.
		if _, err := c.Delete(ctx, "a"); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Put(ctx, greed.Record{ID: "b", Graph: other}); err != nil {
			t.Errorf("put into an empty collection: %v", err)
		}
	}
}

// TestNoGraph: nil graphs are errors, not crashes.
func TestNoGraph(t *testing.T) {
	ctx := context.Background()
	c := greed.New()
	if _, err := c.Put(ctx, greed.Record{ID: "a", Graph: arrow(t, false)}, greed.Record{ID: "b"}); !errors.Is(err, greed.ErrNoGraph) || c.Len() != 0 {
		t.Errorf("put: error %v, %d graphs", err, c.Len())
	}
	if _, err := greed.FromRecords(graph.NewVocabulary(), []greed.Record{{}}); !errors.Is(err, greed.ErrNoGraph) {
		t.Errorf("collection: error %v", err)
	}
	if found, err := c.Search(ctx, nil, greed.Options{}); !errors.Is(err, greed.ErrNoGraph) || found != nil {
		t.Errorf("search: %v, error %v", found, err)
	}
	if _, err := c.Embed(ctx, greed.GED, nil); !errors.Is(err, greed.ErrNoGraph) {
		t.Errorf("embed: error %v", err)
	}
	if _, err := greed.Distance(ctx, greed.GED, nil, arrow(t, true), greed.DistanceOptions{}); !errors.Is(err, greed.ErrNoGraph) {
		t.Errorf("distance: error %v", err)
	}
}

// TestRecordsOfNoVocabulary: without a vocabulary the records get one.
func TestRecordsOfNoVocabulary(t *testing.T) {
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	b.AddNode("a")
	c, err := greed.FromRecords(nil, []greed.Record{{ID: "x", Graph: b.MustBuild()}})
	if err != nil {
		t.Fatal(err)
	}
	if r, there := c.Get("x"); !there || r.Graph.LabelText(0) != "a" {
		t.Errorf("%v, %v", r, there)
	}
}

// TestRulesOfAnIndex: an index keeps the rules of its collection, and options that ask for others are refused.
func TestRulesOfAnIndex(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	made, err := greed.Open(t.Context(), greed.Source{Records: []greed.Record{}, As: &dataset.Rules{Charge: true}})
	if err == nil {
		err = made.Save(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := greed.Open(t.Context(), greed.Source{Path: dir, Options: dataset.Options{Rules: dataset.Rules{Charge: true}}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if rules, known := c.Rules(); !known || !rules.Charge {
		t.Errorf("rules %v, known: %v", rules, known)
	}
	if _, err := greed.Open(t.Context(), greed.Source{Path: dir, Options: dataset.Options{Rules: dataset.Rules{Stereo: true}}}); !errors.Is(err, greed.ErrReadAs) {
		t.Errorf("other rules: %v", err)
	}
	if _, err := greed.Open(t.Context(), greed.Source{Path: dir, Options: dataset.Options{IDColumn: "name"}}); err == nil || !strings.Contains(err.Error(), "id_column says how files are read") {
		t.Errorf("an option of files: %v", err)
	}
}
