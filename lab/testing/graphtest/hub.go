package graphtest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/processor"
)

// HubsObeyTheClock runs searches of pairs of hubs, and fails those that use much more processor time than the limit
// after which their context ends. The margin is wide; where edges did not look at the clock, hubs of 4,000 neighbours
// took 16 s of a limit of 1 s, and of 16,000 for ever.
func HubsObeyTheClock(t *testing.T, limit time.Duration, searches map[string]func(ctx context.Context, q, g *graph.Graph)) {
	t.Helper()
	const most = 2 * time.Second
	for _, n := range []int{4000, 16000} {
		for _, labels := range []int{1, 3} {
			for _, directed := range []bool{false, true} {
				vocab := graph.NewVocabulary()
				q, g := Hub(t, vocab, n, labels, directed), Hub(t, vocab, n+3, labels+1, directed)
				for name, search := range searches {
					ctx, cancel := context.WithTimeout(t.Context(), limit)
					before := processor.Time()
					search(ctx, q, g)
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

// Hub returns a node with n neighbours, each with a leaf of one of so many labels, and as many nodes without edges.
func Hub(t *testing.T, vocab *graph.Vocabulary, n, labels int, directed bool) *graph.Graph {
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
