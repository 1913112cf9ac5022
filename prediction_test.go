package greed_test

import (
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/truth"
)

// TestPredictor: raw predictions are the norm, which others leave only towards the distance.
func TestPredictor(t *testing.T) {
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		t.Fatal(err)
	}
	queries, targets := dataset.Graphs(records[:30]), dataset.Graphs(records[30:90])
	for _, task := range []greed.Task{greed.GED, greed.SED} {
		m, err := bundle.Model(task)
		if err != nil {
			t.Fatal(err)
		}
		predict := func(opt greed.PredictionOptions) ([]float64, []truth.Pair) {
			t.Helper()
			p, err := greed.NewPredictor(t.Context(), m, queries, targets, opt)
			if err != nil {
				t.Fatal(err)
			}
			pairs := truth.AllPairs(len(queries), len(targets))
			list, err := p.Predict(t.Context(), nil, pairs)
			if err != nil {
				t.Fatal(err)
			}
			return list, pairs
		}
		raw, pairs := predict(greed.PredictionOptions{Raw: true})
		within, _ := predict(greed.PredictionOptions{})
		searched, bounds := predict(greed.PredictionOptions{States: 100})
		zq, err := m.Embed(t.Context(), queries, 0)
		if err != nil {
			t.Fatal(err)
		}
		zt, err := m.Embed(t.Context(), targets, 0)
		if err != nil {
			t.Fatal(err)
		}
		clipped, dim := 0, m.Norm().Dim()
		for i, pair := range pairs {
			q, u := int(pair.Query), int(pair.Target)
			if want := m.Norm().Distance(zq[q*dim:][:dim], zt[u*dim:][:dim]); raw[i] != want {
				t.Fatalf("%v of %d and %d: %v, want the norm %v", task, q, u, raw[i], want)
			}
			// Bounds of the distance contain those that more work finds.
			lower, upper := bounds[i].Lower, bounds[i].Upper
			if searched[i] < lower || searched[i] > upper {
				t.Fatalf("%v of %d and %d: %v is not within %v and %v", task, q, u, searched[i], lower, upper)
			}
			switch {
			case within[i] > raw[i] && raw[i] >= upper, within[i] < raw[i] && raw[i] <= lower:
				t.Fatalf("%v of %d and %d: %v for %v leads away from %v to %v", task, q, u, within[i], raw[i], lower, upper)
			case within[i] != raw[i]:
				clipped++
			}
		}
		if clipped == 0 {
			t.Errorf("%v: no prediction of %d is kept within bounds", task, len(pairs))
		}
	}
}
