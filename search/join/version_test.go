package join_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/search/join"
	"github.com/greedgraph/greed/truth"
)

// keptJob is the job whose journal is kept in testdata. It must stay as it is.
func keptJob() join.Job {
	vocab := graph.NewVocabulary()
	var list []dataset.Record
	for i, labels := range []string{"A", "AB", "ABC", "CBA", "BB", "ACAC", "ABA", "C"} {
		b := graph.NewBuilder(vocab, false)
		for v, l := range labels {
			b.AddNode(string(l))
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
		list = append(list, dataset.Record{ID: fmt.Sprint("g", i), Graph: g})
	}
	return join.Job{Queries: search.NewCollection(vocab, list), Radius: 2, Costs: edit.Uniform(), Workers: 1}
}

// TestKeptJournal: a join goes on from the journal kept of the first version, and leaves
// that of a later version as it is.
func TestKeptJournal(t *testing.T) {
	want, err := run(t.Context(), keptJob(), filepath.Join(t.TempDir(), "pairs"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join("testdata", "v1.journal"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "pairs.journal")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	var done []int
	j := keptJob()
	j.Progress = func(p join.Progress) { done = append(done, p.Done) }
	got, err := run(t.Context(), j, strings.TrimSuffix(path, ".journal"))
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || len(done) == 0 || done[0] != 4 {
		t.Errorf("queries %v were done, want those from the fourth on; pairs %v, want %v", done, got, want)
	}
	data[7]++
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t.Context(), keptJob(), strings.TrimSuffix(path, ".journal")); !errors.Is(err, truth.ErrJournal) || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("a later version: %v", err)
	}
	if left, err := os.ReadFile(path); err != nil || string(left) != string(data) {
		t.Errorf("the journal of a later version was changed: %v", err)
	}
}
