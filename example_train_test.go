package greed_test

import (
	"context"
	"fmt"
	"log"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/train"
)

// A model learns the distance of a collection's graphs and is attached to it:
// then its searches put candidates in a good order, and answer by predictions
// alone if they are asked to. This one is small and trained for moments.
func ExampleCollection_AttachModel() {
	ctx := context.Background()
	bundled, err := greed.Bundled(ctx)
	if err != nil {
		log.Fatal(err)
	}
	vocab := graph.NewVocabulary()
	var records []greed.Record
	var graphs []*graph.Graph
	for r := range bundled.All() {
		if r.Graph = graph.In(vocab, r.Graph); r.Graph.N() <= 8 && len(records) < 60 {
			records, graphs = append(records, r), append(graphs, r.Graph)
		}
	}
	c, err := greed.FromRecords(vocab, records)
	if err != nil {
		log.Fatal(err)
	}
	recipe := train.DefaultRecipe(greed.GED, edit.Uniform(), graphs)
	recipe.Plan.Pairs, recipe.Norms = 2000, nil
	recipe.Config.Layers, recipe.Config.Hidden = 2, 16
	recipe.Options.Steps, recipe.Options.Validate, recipe.Options.Graphs = 40, 20, 16
	m, err := train.Fit(ctx, graphs, nil, recipe)
	if err != nil {
		log.Fatal(err)
	}
	if err := c.AttachModel(ctx, m); err != nil {
		log.Fatal(err)
	}
	found, err := c.Search(ctx, graphs[0], greed.Options{K: 1, Mode: greed.Predicted})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*found.Answers[0].Predicted, found.Answers[0].ID == records[0].ID, found.Verdict)
	// Output: 0 true predicted: by a model's vectors alone, no distances; others may be missed
}
