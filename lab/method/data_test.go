package method

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// load reads the test and train graphs of a dataset, or skips.
func load(tb testing.TB, name string) (test, train []*graph.Graph) {
	tb.Helper()
	root := filepath.Join("..", "..", "..", "shared", "data", name)
	if _, err := os.Stat(root); err != nil {
		tb.Skipf("dataset %s is not there: %v", name, err)
	}
	vocab := graph.NewVocabulary()
	read := func(file string) (graphs []*graph.Graph) {
		records, err := dataset.ReadAll(filepath.Join(root, file), dataset.Options{Vocabulary: vocab})
		if err != nil {
			tb.Fatal(err)
		}
		for _, r := range records {
			graphs = append(graphs, r.Graph)
		}
		return graphs
	}
	return read("test.txt"), read("train.txt")
}

// samplePairs draws pairs of a test and a train graph.
func samplePairs(test, train []*graph.Graph, count int) [][2]*graph.Graph {
	r := rand.New(rand.NewPCG(1, 0))
	pairs := make([][2]*graph.Graph, count)
	for i := range pairs {
		pairs[i] = [2]*graph.Graph{test[r.IntN(len(test))], train[r.IntN(len(train))]}
	}
	return pairs
}

// TestMethodsOnMolecules holds every method against the exact distance on real
// graphs.
func TestMethodsOnMolecules(t *testing.T) {
	test, train := load(t, "aids700nef")
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		p, err := edit.Price(task, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		for _, pair := range samplePairs(test, train, 40) {
			x := pairOf(p, pair[0], pair[1])
			exact := x.compute(t, methodNamed(t, "bmao"), ged.Options{})
			for _, m := range Methods() {
				x.check(t, m, x.compute(t, m, ged.Options{}), exact.Upper)
			}
		}
	}
}

func BenchmarkMethods(b *testing.B) {
	for _, name := range []string{"aids700nef", "linux"} {
		b.Run(name, func(b *testing.B) {
			test, train := load(b, name)
			pairs := samplePairs(test, train, 2000)
			for _, m := range append(Methods(), AppBMao(10), AppBMao(30)) {
				for _, task := range []edit.Task{edit.GED, edit.SED} {
					b.Run(fmt.Sprintf("%s/%s", m.Name, task), func(b *testing.B) { benchmark(b, m, task, pairs) })
				}
			}
		})
	}
}

// benchmark reports the time per pair, and the share of pairs proven.
func benchmark(b *testing.B, m Method, task edit.Task, pairs [][2]*graph.Graph) {
	p, err := edit.Price(task, edit.Uniform())
	if err != nil {
		b.Fatal(err)
	}
	proven, total, states := 0, 0, int64(0)
	for i := 0; b.Loop(); i++ {
		pair := pairs[i%len(pairs)]
		r, err := m.Compute(b.Context(), p, pair[0], pair[1], ged.Options{})
		if err != nil {
			b.Fatal(err)
		}
		total++
		states += r.States
		if r.Exact {
			proven++
		}
	}
	b.ReportMetric(float64(proven)/float64(total), "proven/op")
	b.ReportMetric(float64(states)/float64(total), "states/op")
}
