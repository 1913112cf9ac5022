package mces

import (
	"context"
	"testing"
	"time"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/lab/testing/processor"
)

// TestHubsObeyTheClock: whatever the degrees of nodes, searches end soon after their time. Processor time is
// compared with wide margins; before, edges of hubs of 4,000 took 16 s of a limit of 1 s, and of 16,000 for ever.
func TestHubsObeyTheClock(t *testing.T) {
	const limit, most = 100 * time.Millisecond, 2 * time.Second
	for _, n := range []int{4000, 16000} {
		for _, labels := range []int{1, 3} {
			for _, directed := range []bool{false, true} {
				vocab := graph.NewVocabulary()
				q, g := graphtest.Hub(t, vocab, n, labels, directed), graphtest.Hub(t, vocab, n+3, labels+1, directed)
				for name, run := range map[string]func(context.Context){
					"edges": func(ctx context.Context) {
						_, _ = Largest(ctx, q, g, Options{Time: limit})
					},
					"connected edges": func(ctx context.Context) {
						_, _ = Largest(ctx, q, g, Options{Time: limit, Connected: true, Rings: true})
					},
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
