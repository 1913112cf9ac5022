package mces

import (
	"context"
	"testing"
	"time"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

// TestHubsObeyTheClock: whatever the degrees of nodes, searches end soon after their time.
func TestHubsObeyTheClock(t *testing.T) {
	const limit = 100 * time.Millisecond
	graphtest.HubsObeyTheClock(t, limit, map[string]func(ctx context.Context, q, g *graph.Graph){
		"edges": func(ctx context.Context, q, g *graph.Graph) { _, _ = Largest(ctx, q, g, Options{Time: limit}) },
		"connected edges": func(ctx context.Context, q, g *graph.Graph) {
			_, _ = Largest(ctx, q, g, Options{Time: limit, Connected: true, Rings: true})
		},
	})
}
