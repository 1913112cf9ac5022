package search_test

import (
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/search"
)

// TestNoModelWithinRadiusZero: a model has nothing to say of distances that are all 0, so nothing is embedded, and the
// answers are those without it, at the model's costs. Within any other radius it predicts.
func TestNoModelWithinRadiusZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	vocab := graph.NewVocabulary()
	list := records(rng, vocab, 60)
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		c := search.NewCollection(vocab, list)
		if err := c.Attach(t.Context(), untrained(task, vocab), nil, nil); err != nil {
			t.Fatal(err)
		}
		q := list[7].Graph
		if task == edit.SED {
			q = graphtest.Tree(rng, vocab, 3)
		}
		for _, radius := range []float64{0, 2} {
			opt := search.Options{Task: task, Radius: &radius, Time: search.NoLimit}
			got, err := c.Search(t.Context(), q, opt)
			if err != nil {
				t.Fatal(err)
			}
			opt.NoModel = true
			want, err := c.Search(t.Context(), q, opt)
			if err != nil {
				t.Fatal(err)
			}
			if len(want.Answers) == 0 && radius > 0 || len(got.Answers) != len(want.Answers) || !got.Proven() {
				t.Fatalf("%v within %v: %d answers, without the model %d", task, radius, len(got.Answers), len(want.Answers))
			}
			if used := radius > 0; got.Model != used || (got.Embed > 0) != used {
				t.Errorf("%v within %v: model %v, %v of embedding", task, radius, got.Model, got.Embed)
			}
			for i, a := range got.Answers {
				if w := want.Answers[i]; a.Position != w.Position || a.Upper != w.Upper || a.Exact != w.Exact || (a.Predicted != nil) != (radius > 0) {
					t.Errorf("%v within %v: answer %d is %+v, want %+v", task, radius, i, a, w)
				}
			}
		}
	}
}
