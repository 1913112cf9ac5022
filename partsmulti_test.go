package greed_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// TestPartsOfMultigraphs: the parts of a graph are those whose SED to it is 0, whatever
// self-loops and parallel edges there are.
func TestPartsOfMultigraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(58, 3))
	for trial := range 20 {
		vocab := graph.NewVocabulary()
		shape := gedtest.Shape{MinNodes: 1, MaxNodes: 4, Density: 0.4, NodeLabels: 2, EdgeLabels: 2, Directed: trial%2 == 0, Multi: 0.2}
		var list []greed.Record
		for i := range 30 {
			list = append(list, greed.Record{ID: strconv.Itoa(i), Graph: gedtest.Graph(r, vocab, shape)})
		}
		c, err := greed.FromRecords(vocab, list)
		if err != nil {
			t.Fatal(err)
		}
		q := list[0].Graph
		got, err := c.Parts(t.Context(), q, greed.PartsOptions{K: len(list), Time: greed.NoLimit})
		if err != nil {
			t.Fatal(err)
		}
		var ids, want []string
		for _, p := range got.Parts {
			ids = append(ids, p.ID)
		}
		for _, rec := range list {
			d, err := greed.Distance(t.Context(), greed.SED, rec.Graph, q, greed.DistanceOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if d.Upper == 0 {
				want = append(want, rec.ID)
			}
		}
		slices.Sort(ids)
		slices.Sort(want)
		if !slices.Equal(ids, want) || got.Open != 0 {
			t.Fatalf("parts %v, want %v; %d open", ids, want, got.Open)
		}
	}
}
