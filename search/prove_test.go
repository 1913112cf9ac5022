package search_test

import (
	"context"
	"testing"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
)

// TestModelSavesProof: with a model the nearest are the same, and fewer pairs are decided.
func TestModelSavesProof(t *testing.T) {
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bundle.Model(edit.GED)
	if err != nil {
		t.Fatal(err)
	}
	c := search.NewCollection(vocab, records)
	if err := c.Attach(context.Background(), m, nil, nil); err != nil {
		t.Fatal(err)
	}
	var decided [2]int
	for at := 100; at < 2000; at += 100 {
		q := records[at].Graph
		if q.N() > 20 {
			continue
		}
		var answers [2]*search.Result
		for i, noModel := range []bool{false, true} {
			opt := search.Options{
				K: 10, NoModel: noModel, Time: search.NoLimit, Workers: 1,
				Accept:   func(position int) bool { return position != at },
				Progress: func(search.Progress) { decided[i]++ },
			}
			if answers[i], err = c.Search(context.Background(), q, opt); err != nil || !answers[i].Proven() {
				t.Fatal("not proven", err)
			}
		}
		for i, a := range answers[0].Answers {
			if b := answers[1].Answers[i]; a.Upper != b.Upper || a.Position != b.Position {
				t.Errorf("query %d, answer %d: %d at %v with a model, %d at %v without", at, i, a.Position, a.Upper, b.Position, b.Upper)
			}
		}
	}
	t.Log(decided)
	// If the model's nearest were not found first, and the others not decided at once, it would be twice as many.
	if decided[0] >= decided[1] || decided[0] > 1500 {
		t.Errorf("%d pairs decided with a model, %d without", decided[0], decided[1])
	}
}
