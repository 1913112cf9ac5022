package search_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/search"
)

// TestLazyModel: a model whose vectors are computed late gives the same answers and
// predictions, and its vectors are computed when a search needs them, not before.
func TestLazyModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	vocab := graph.NewVocabulary()
	list := records(rng, vocab, 60)
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		m := untrained(task, vocab)
		eager, lazy := search.NewCollection(vocab, list), search.NewCollection(vocab, list)
		if err := errors.Join(eager.Attach(t.Context(), m, nil, nil), lazy.AttachLazily(m)); err != nil {
			t.Fatal(err)
		}
		q := graphtest.Tree(rng, vocab, 6)
		compare := func(opt search.Options) {
			t.Helper()
			opt.Task, opt.Time = task, search.NoLimit
			want, err := eager.Search(t.Context(), q, opt)
			if err != nil {
				t.Fatal(err)
			}
			got, err := lazy.Search(t.Context(), q, opt)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Answers) == 0 || len(got.Answers) != len(want.Answers) || got.Model != want.Model {
				t.Fatalf("%+v: %d answers, before %d", opt, len(got.Answers), len(want.Answers))
			}
			for i, a := range got.Answers {
				w := want.Answers[i]
				if a.Position != w.Position || a.Upper != w.Upper || a.Predicted == nil || *a.Predicted != *w.Predicted {
					t.Errorf("%+v: answer %d is %+v, before %+v", opt, i, a, w)
				}
			}
		}
		compare(search.Options{K: 5})
		compare(search.Options{Radius: new(6.0)})
		if lazy.Embedded(task) != nil {
			t.Error("a proof computed all vectors")
		}
		// A change keeps the model, though it has no vectors to append to.
		next, err := lazy.With(search.Step{Drop: []int{3}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := next.Search(t.Context(), q, search.Options{Task: task, Mode: search.Predicted, K: 3}); err != nil {
			t.Error(err)
		}
		if lazy.Embedded(task) != nil || next.Embedded(task) == nil {
			t.Error("the vectors are of the wrong collection")
		}
		stopped, stop := context.WithCancel(t.Context())
		stop()
		if _, err := lazy.Search(stopped, q, search.Options{Task: task, Mode: search.Predicted, K: 3}); !errors.Is(err, context.Canceled) {
			t.Errorf("a search that is cancelled: %v", err)
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { compare(search.Options{Mode: search.Predicted, K: 7}) })
		}
		all.Wait()
		compare(search.Options{Mode: search.Checked, K: 4})
		compare(search.Options{K: 5})
		if !reflect.DeepEqual(lazy.Embedded(task), eager.Embedded(task)) {
			t.Error("the vectors differ")
		}
	}
}

// TestLazyModelOfNothing: a collection without graphs has no vectors, which is no error.
func TestLazyModelOfNothing(t *testing.T) {
	vocab := graph.NewVocabulary()
	q := graphtest.Tree(rand.New(rand.NewPCG(1, 1)), vocab, 4)
	c := search.NewCollection(vocab, []dataset.Record{})
	if err := c.AttachLazily(untrained(edit.GED, vocab)); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []search.Mode{search.Proven, search.Checked, search.Predicted} {
		if r, err := c.Search(t.Context(), q, search.Options{Mode: mode}); err != nil || len(r.Answers) != 0 {
			t.Error(mode, r, err)
		}
	}
}
