package mcs

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
		"nodes":    func(ctx context.Context, q, g *graph.Graph) { _, _ = Largest(ctx, q, g, Options{Time: limit}) },
		"subgraph": func(ctx context.Context, q, g *graph.Graph) { _, _, _ = new(Matcher).Find(ctx, q, g, Kind{}, 0) },
	})
}
