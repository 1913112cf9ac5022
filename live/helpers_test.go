package live_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/store"
)

type fatal interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func must(t fatal, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// inMemory returns a folder whose files need no disk, where there is such a place.
func inMemory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "greed-live-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	return dir
}

// small returns a model that embeds fast.
func small(task edit.Task) *model.Model {
	vocab := graph.NewVocabulary()
	for _, label := range []string{"C", "N", "O"} {
		vocab.Node(label)
	}
	return model.New(model.Metadata{
		Task: task, Costs: edit.Uniform(), Vocabulary: vocab,
		Config: model.Config{Conv: model.GIN, Layers: 1, Hidden: 16, Norm: norm.Single(norm.L2, 16, task == edit.SED)},
	}, rand.New(rand.NewPCG(1, 1)))
}

// path returns a chain of n carbon atoms, the last of which has a label.
func path(vocab *graph.Vocabulary, n int, label string) *graph.Graph {
	b := graph.NewBuilder(vocab, false)
	for v := range n {
		if v == n-1 {
			b.AddNode(label)
		} else {
			b.AddNode("C")
		}
		if v > 0 {
			if err := b.AddEdge(v-1, v, "1"); err != nil {
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

// record returns a record that id and version determine, in a vocabulary of its own.
func record(id string, version int) live.Record {
	return live.Record{
		ID: id, Name: fmt.Sprint(version), Attributes: map[string]any{"version": float64(version)},
		Graph: path(graph.NewVocabulary(), 2+version%7, fmt.Sprint("L", version%13)),
	}
}

// build makes an index with models and records in a folder.
func build(t fatal, dir string, models []*model.Model, records []live.Record) {
	t.Helper()
	ctx := background()
	must(t, store.Build(dir, func(s *store.Store) error {
		for _, m := range models {
			must(t, s.AddEmbedding(ctx, m.Metadata().Task.String(), m))
		}
		for from := 0; from < len(records); from += 4096 {
			if _, _, err := s.Add(ctx, records[from:min(from+4096, len(records))], false, 0); err != nil {
				return err
			}
		}
		return s.WriteSegment(ctx, 0)
	}))
}

// open opens an index for as long as the test runs.
func open(t *testing.T, dir string) *live.Collection {
	t.Helper()
	c, err := live.Open(background(), dir)
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

// numbered returns records 0 to n−1.
func numbered(n int) []live.Record {
	list := make([]live.Record, n)
	for i := range list {
		list[i] = record(fmt.Sprint(i), i)
	}
	return list
}

// molecules returns n molecules, the bundled ones and then copies of them after 0
// to 9 random edits, as the benchmark of indexes has them.
func molecules(t fatal, n int) []live.Record {
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	must(t, err)
	var all []*graph.Graph
	for _, r := range records {
		all = append(all, r.Graph)
	}
	editor := sample.NewEditor(all, 70)
	rng := rand.New(rand.NewPCG(1, 10))
	for len(records) < n {
		g, _ := editor.Edit(rng, all[rng.IntN(len(all))], rng.IntN(10))
		records = append(records, dataset.Record{ID: fmt.Sprint("copy", len(records)), Graph: g})
	}
	return records[:n]
}

func bundledModels(t fatal) []*model.Model {
	var list []*model.Model
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		m, err := bundle.Model(task)
		must(t, err)
		list = append(list, m)
	}
	return list
}

// mappings returns how many parts of files of a folder this process has mapped,
// and their bytes; ok is false where the system does not tell.
func mappings(t *testing.T, dir string) (count int, ok bool) {
	t.Helper()
	real, err := filepath.EvalSymlinks(dir)
	must(t, err)
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return 0, false
	}
	return strings.Count(string(text), real), true
}

// heap returns the bytes that are in use after the garbage is collected.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
