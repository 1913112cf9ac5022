package truth

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// keptJob is the job whose journal is kept in testdata. It must stay as it is.
func keptJob() Job {
	vocab := graph.NewVocabulary()
	chain := func(labels string) *graph.Graph {
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
		return g
	}
	j := Job{Queries: []*graph.Graph{chain("A"), chain("AB"), chain("ABC")}, Targets: []*graph.Graph{chain(""), chain("CBA"), chain("BB"), chain("ACAC")}, Maps: true}
	j.Pairs = AllPairs(len(j.Queries), len(j.Targets))
	j.Bounder = Bounder{Costs: edit.Uniform(), Workers: 1, NewSolver: fake{}.new}
	return j
}

// TestKeptJournal: a job goes on from the journal kept of the first version, and leaves
// that of a later version as it is.
func TestKeptJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pairs.csv")
	if err := runFile(t, context.Background(), keptJob(), path); err != nil {
		t.Fatal(err)
	}
	// The journal has the first nine pairs, which were solved by a program with other hashes of graphs.
	kept := read(t, filepath.Join("testdata", "v1.csv"))
	rows := bytes.SplitAfter(read(t, path), []byte("\n"))
	want := append(kept, bytes.Join(rows[10:], nil)...)
	journal := read(t, filepath.Join("testdata", "v1.journal"))
	write := func(data []byte) {
		if err := os.WriteFile(path+".journal", data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(journal)
	solved := 0
	j := keptJob()
	j.NewSolver = fake{before: func() error { solved++; return nil }}.new
	if err := runFile(t, context.Background(), j, path); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); string(got) != string(want) || solved != 3 {
		t.Errorf("%d pairs were solved, want 3; %s\nwant %s", solved, got, want)
	}
	journal[len(journalMagic)-1]++
	write(journal)
	if err := runFile(t, context.Background(), keptJob(), path); !errors.Is(err, ErrJournal) || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("a later version: %v", err)
	}
	if string(read(t, path+".journal")) != string(journal) {
		t.Error("the journal of a later version was changed")
	}
}
