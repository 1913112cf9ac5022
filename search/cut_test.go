package search_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/search"
)

// TestCancelledFromTheStart: a search that was cancelled before it looked at a graph
// has no result, or one that accounts for every graph.
func TestCancelledFromTheStart(t *testing.T) {
	vocab := graph.NewVocabulary()
	c := search.NewCollection(vocab, records(rand.New(rand.NewPCG(4, 4)), vocab, 30))
	if err := c.Attach(t.Context(), untrained(edit.GED, vocab), nil, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, noModel := range []bool{false, true} {
		for _, mode := range []search.Mode{search.Proven, search.Checked} {
			for _, opt := range []search.Options{{}, {K: 3}, {Radius: new(20.0)}, {K: 3, Radius: new(20.0)}} {
				opt.Mode, opt.NoModel = mode, noModel
				r, err := c.Search(ctx, c.Record(3).Graph, opt)
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%+v: error %v", opt, err)
				}
				if r != nil && (!r.Complete || len(r.Answers)+len(r.Missing) == 0) {
					t.Errorf("%+v: complete %v, %d answers, %d missing", opt, r.Complete, len(r.Answers), len(r.Missing))
				}
			}
		}
	}
}

// TestMoreThanAll: however many graphs are asked for, there are all.
func TestMoreThanAll(t *testing.T) {
	vocab := graph.NewVocabulary()
	c := search.NewCollection(vocab, records(rand.New(rand.NewPCG(5, 5)), vocab, 40))
	if err := c.Attach(t.Context(), untrained(edit.GED, vocab), nil, nil); err != nil {
		t.Fatal(err)
	}
	c.Drop([]int{2, 9})
	q := c.Record(3).Graph
	for _, mode := range []search.Mode{search.Proven, search.Checked, search.Predicted} {
		for _, noModel := range []bool{false, true} {
			for _, radius := range []*float64{nil, new(4.0)} {
				opt := search.Options{K: 1000, Mode: mode, NoModel: noModel, Radius: radius, Workers: 1, Time: search.NoLimit}
				if mode == search.Predicted && noModel {
					continue
				}
				want, err := c.Search(t.Context(), q, opt)
				if err != nil {
					t.Fatal(err)
				}
				if radius == nil && len(want.Answers) != 38 {
					t.Errorf("%+v: %d answers, want all 38", opt, len(want.Answers))
				}
				for _, opt.K = range []int{38, 39, 40, 1 << 60, 1 << 61, 1 << 62, math.MaxInt} {
					r, err := c.Search(t.Context(), q, opt)
					if err != nil {
						t.Fatal(err)
					}
					if r.K != opt.K || r.Proven() != want.Proven() || !sameAnswers(r.Answers, want.Answers) {
						t.Errorf("%+v: k %d, proven %v, %d answers, want %d", opt, r.K, r.Proven(), len(r.Answers), len(want.Answers))
					}
				}
			}
		}
	}
}

// sameAnswers reports whether two lists hold the same graphs at the same distances, in
// the same order. Other node maps of the same cost will do.
func sameAnswers(a, b []search.Answer) bool {
	return slices.EqualFunc(a, b, func(x, y search.Answer) bool {
		return x.Position == y.Position && x.Lower == y.Lower && x.Upper == y.Upper && x.Exact == y.Exact
	})
}

// TestMoreThanNone: a collection without graphs has no answers, and that is proven.
func TestMoreThanNone(t *testing.T) {
	vocab := graph.NewVocabulary()
	c := search.NewCollection(vocab, nil)
	r, err := c.Search(t.Context(), graphtest.Tree(rand.New(rand.NewPCG(5, 5)), vocab, 4), search.Options{K: math.MaxInt})
	if err != nil || !r.Proven() || len(r.Answers) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestNoQuery(t *testing.T) {
	defer func() {
		if got := recover(); got != "search: there is no query" {
			t.Errorf("panic %v", got)
		}
	}()
	_, err := search.NewCollection(graph.NewVocabulary(), nil).Search(t.Context(), nil, search.Options{})
	t.Errorf("error %v", err)
}
