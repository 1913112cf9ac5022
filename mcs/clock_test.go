package mcs

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/processor"
)

// hub returns a node with n neighbours, each with a leaf of one of so many labels, and as many nodes without edges.
func hub(t *testing.T, vocab *graph.Vocabulary, n, labels int, directed bool) *graph.Graph {
	t.Helper()
	b := graph.NewBuilder(vocab, directed)
	b.AddNode("hub")
	for range 2 * n {
		b.AddNode("C")
	}
	for v := range n {
		b.AddNode("alone")
		label := fmt.Sprint(v % labels)
		for _, e := range [][2]int{{0, v + 1}, {v + 1, n + v + 1}} {
			if err := b.AddEdge(e[0], e[1], label); err != nil {
				t.Fatal(err)
			}
		}
		if directed {
			if err := b.AddEdge(v+1, 0, label); err != nil {
				t.Fatal(err)
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestHubsObeyTheClock: whatever the degrees of nodes, searches end soon after their time. Processor time is
// compared with wide margins; before, edges of hubs of 4,000 took 16 s of a limit of 1 s, and of 16,000 for ever.
func TestHubsObeyTheClock(t *testing.T) {
	const limit, most = 100 * time.Millisecond, 2 * time.Second
	for _, n := range []int{4000, 16000} {
		for _, labels := range []int{1, 3} {
			for _, directed := range []bool{false, true} {
				vocab := graph.NewVocabulary()
				q, g := hub(t, vocab, n, labels, directed), hub(t, vocab, n+3, labels+1, directed)
				for name, run := range map[string]func(context.Context){
					"edges": func(ctx context.Context) {
						_, _ = LargestEdges(ctx, q, g, EdgeOptions{Time: limit})
					},
					"connected edges": func(ctx context.Context) {
						_, _ = LargestEdges(ctx, q, g, EdgeOptions{Time: limit, Connected: true, Rings: true})
					},
					"nodes":    func(ctx context.Context) { _, _ = Largest(ctx, q, g, Options{Time: limit}) },
					"subgraph": func(ctx context.Context) { _, _, _ = new(Matcher).Find(ctx, q, g, Kind{}, 0) },
				} {
					ctx, cancel := context.WithTimeout(t.Context(), limit)
					before := processor.Time()
					run(ctx)
					cancel()
					took := processor.Time() - before
					t.Logf("%d neighbours, %d labels, directed %v, %s: %v", n, labels, directed, name, took)
					if took > most {
						t.Errorf("%d neighbours, %d labels, directed %v, %s: %v", n, labels, directed, name, took)
					}
				}
			}
		}
	}
}
