package search_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/within"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/search"
)

// TestProgressCounts: a search that comes back to pairs never says that it has
// worked on more candidates than there are.
func TestProgressCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	vocab := graph.NewVocabulary()
	list := records(rng, vocab, 40)
	for i := range list {
		list[i].Graph = graphtest.Tree(rng, vocab, within.MaxNodes+1+rng.IntN(8)) // for the solver alone
	}
	c := search.NewCollection(vocab, list)
	if err := c.Attach(t.Context(), untrained(edit.GED, vocab), nil, nil); err != nil {
		t.Fatal(err)
	}
	q := graphtest.Tree(rng, vocab, within.MaxNodes+4)
	again := false
	for limit := 300 * time.Millisecond; !again && limit < time.Hour; limit *= 4 { // a busy machine comes back to nothing in a short time
		again = progress(t, c, q, limit)
	}
	if !again {
		t.Error("no search came back to pairs often: the test is too easy")
	}
}

// progress makes searches and reports whether one came back to pairs often.
func progress(t *testing.T, c *search.Collection, q *graph.Graph, limit time.Duration) (again bool) {
	for _, opt := range []search.Options{{K: 1}, {K: 3, NoModel: true}, {Radius: new(40.0)}, {K: 2, Mode: search.Checked}} {
		last := search.Progress{}
		opt.Time = limit
		opt.Progress = func(p search.Progress) {
			if p.Solved > p.Candidates || p.Solved < last.Solved || p.Candidates < last.Candidates {
				t.Errorf("%+v: %d of %d after %d of %d", opt, p.Solved, p.Candidates, last.Solved, last.Candidates)
			}
			last = p
		}
		r, err := c.Search(t.Context(), q, opt)
		if err != nil {
			t.Fatal(err)
		}
		if last.Solved != r.Stats.Solved {
			t.Errorf("%+v: told at last of %d solved, want %d", opt, last.Solved, r.Stats.Solved)
		}
		again = again || r.Stats.Calls > last.Candidates
	}
	return again
}
