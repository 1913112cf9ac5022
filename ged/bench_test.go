package ged_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// load reads a graph collection of the shared data folder, which lies beside
// the repository, and skips the test where there is none.
func load(tb testing.TB, vocab *graph.Vocabulary, path ...string) []*graph.Graph {
	tb.Helper()
	return loadFile(tb, vocab, filepath.Join(append([]string{"..", "..", "shared", "data"}, path...)...))
}

func loadFile(tb testing.TB, vocab *graph.Vocabulary, name string) []*graph.Graph {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Skipf("needs the shared data: %v", err)
	}
	defer f.Close()
	var graphs []*graph.Graph
	b := graph.NewBuilder(vocab, false)
	flush := func() {
		if b.N() == 0 {
			return
		}
		g, err := b.Build()
		if err != nil {
			tb.Fatal(err)
		}
		graphs = append(graphs, g)
	}
	in := bufio.NewScanner(f)
	for in.Scan() {
		switch w := strings.Fields(in.Text()); w[0] {
		case "t":
			flush()
		case "v":
			b.AddNode(w[2])
		case "e":
			u, err1 := strconv.Atoi(w[1])
			v, err2 := strconv.Atoi(w[2])
			if err1 != nil || err2 != nil {
				tb.Fatalf("%s: bad edge %q", name, in.Text())
			}
			if err := b.AddEdge(u, v, w[3]); err != nil {
				tb.Fatal(err)
			}
		}
	}
	flush()
	return graphs
}

// BenchmarkDistance computes distances between test and training graphs, edge
// labels ignored, and reports the time, the states and the share proven.
func BenchmarkDistance(b *testing.B) {
	for _, c := range []struct {
		task    edit.Task
		data    string
		targets int // 0: all
	}{
		{edit.GED, "aids700nef", 0},
		{edit.GED, "linux", 0},
		{edit.SED, "aids700nef", 100},
	} {
		b.Run(c.task.String()+"/"+c.data, func(b *testing.B) {
			vocab := graph.NewVocabulary()
			queries, targets := load(b, vocab, c.data, "test.txt"), load(b, vocab, c.data, "train.txt")
			if c.targets > 0 {
				targets = targets[:c.targets]
			}
			s, err := ged.NewSolver(c.task, edit.Uniform().IgnoreEdgeLabels())
			if err != nil {
				b.Fatal(err)
			}
			proven, states, sum, i := 0, int64(0), 0.0, 0
			for b.Loop() {
				// A step that is prime to both counts visits all pairs in turn.
				pair := i * 7919 % (len(queries) * len(targets))
				i++
				r, err := s.Distance(context.Background(), queries[pair/len(targets)], targets[pair%len(targets)], ged.Options{Time: time.Second})
				if err != nil {
					b.Fatal(err)
				}
				states += r.States
				sum += r.Upper
				if r.Exact {
					proven++
				}
			}
			b.ReportMetric(float64(proven)/float64(i), "proven")
			b.ReportMetric(float64(states)/float64(i), "states/op")
			b.ReportMetric(sum/float64(i), "distance")
		})
	}
}
