package dataset_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestMixedCollections: a graph of another direction than the first is a bad record
// whose message names both, in a file and in a folder.
func TestMixedCollections(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"a.dot": "graph a { x -- y }",
		"b.dot": "digraph b { x -> y }",
		"c.dot": "graph c { x -- y }",
	})
	list, err := dataset.ReadAll(dir, dataset.Options{})
	if len(list) != 1 || !errors.Is(err, dataset.ErrMixed) {
		t.Fatalf("%d records, %v", len(list), err)
	}
	a, b := filepath.Join(dir, "a.dot"), filepath.Join(dir, "b.dot")
	want := b + ":1: record 1 (id b): graph b is directed, but graph a (" + a + ":1) is undirected: the graphs of a collection must all be directed or all be undirected"
	if err.Error() != want {
		t.Errorf("error  %v\nwanted %s", err, want)
	}
	list, err = dataset.ReadAll(dir, dataset.Options{SkipBad: true})
	if err != nil || len(list) != 2 || list[1].ID != "c" {
		t.Errorf("without bad records: %v, %v", list, err)
	}
	if list, err = dataset.ReadAll(dir, dataset.Options{Mixed: true}); err != nil || len(list) != 3 {
		t.Errorf("allowed: %v, %v", list, err)
	}

	text := `{"directed": true, "nodes": [{"id": 0}], "edges": []}` + "\n" + `{"nodes": [{"id": 0}], "edges": []}` + "\n"
	_, _, err = readText(text, "x.ndjson", dataset.Options{})
	if err == nil || !strings.Contains(err.Error(), "x.ndjson:2: record 1 (id 1): graph 1 is undirected, but graph 0 (x.ndjson:1) is directed") {
		t.Errorf("in one file: %v", err)
	}
}

func TestKind(t *testing.T) {
	list, _ := mustRead(t, "graph a { x } digraph b { x }", "x.dot", dataset.Options{Mixed: true})
	var none dataset.Direction
	if none.Known() || none.Check(list[0]) != nil || none.Check(list[1]) != nil {
		t.Error("the direction of no graphs refuses some")
	}
	k := dataset.DirectionOf(dataset.Record{ID: "b", Graph: list[1].Graph})
	if !k.Known() || !k.Directed() || k.Check(list[1]) != nil {
		t.Error("a graph does not fit its own direction")
	}
	want := "graph a is undirected, but graph b is directed: the graphs of a collection must all be directed or all be undirected"
	if err := k.Check(list[0]); !errors.Is(err, dataset.ErrMixed) || err.Error() != want {
		t.Errorf("error %v", err)
	}
}
