package dataset_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// bundled is the path of the molecules that come with the program.
var bundled = filepath.Join("..", "bundle", "nci5k.smi.gz")

// sharedData returns the path of a file of the shared data, or skips the test.
func sharedData(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("needs the shared data: %v", err)
	}
	return path
}

// readText reads a text to its end.
func readText(text, name string, opt dataset.Options) (list []dataset.Record, notes []string, err error) {
	r, err := dataset.NewReader(strings.NewReader(text), name, opt)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	for rec, err := range r.All() {
		if err != nil {
			return list, dataset.Texts(r.Notes()), err
		}
		if err := rec.Graph.Check(); err != nil {
			panic(err)
		}
		list = append(list, rec)
	}
	return list, dataset.Texts(r.Notes()), nil
}

// mustRead is readText for text without mistakes.
func mustRead(t testing.TB, text, name string, opt dataset.Options) ([]dataset.Record, []string) {
	t.Helper()
	list, notes, err := readText(text, name, opt)
	if err != nil {
		t.Fatal(err)
	}
	return list, notes
}

// drawing renders a graph: "C O N; 0-1:1 1-2:2", with > for directed edges.
func drawing(g *graph.Graph) string {
	var nodes, edges []string
	for v := range g.N() {
		nodes = append(nodes, g.LabelText(v))
	}
	arrow := "-"
	if g.Directed() {
		arrow = ">"
	}
	for e := range g.Edges() {
		edges = append(edges, fmt.Sprintf("%d%s%d:%s", e.From, arrow, e.To, g.Vocabulary().EdgeText(e.Label)))
	}
	return strings.Join(nodes, " ") + "; " + strings.Join(edges, " ")
}

// equalGraphs compares labels by text and structure by number.
func equalGraphs(a, b *graph.Graph) bool {
	if a.N() != b.N() || a.M() != b.M() || a.Directed() != b.Directed() {
		return false
	}
	b = graph.In(a.Vocabulary(), b)
	for v := range a.N() {
		if a.Label(v) != b.Label(v) {
			return false
		}
	}
	return slices.Equal(slices.Collect(a.Edges()), slices.Collect(b.Edges()))
}

// writeFiles makes a folder of files.
func writeFiles(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), fs.FileMode(0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
