package greed_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/sample"
)

// TestNoAnswerIsMissed searches bundled molecules for molecules with one random
// edit, and compares what is found with the distances of all pairs, which the
// solver computes without bounds or a model in front of it. It takes a sample of
// the molecules.
func TestNoAnswerIsMissed(t *testing.T) {
	ctx := context.Background()
	whole := bundled(t)
	rng := rand.New(rand.NewPCG(15, 1))
	molecules := 250
	if testing.Short() {
		molecules = 100 // what is compared with is computed in one goroutine
	}
	var records []greed.Record
	var graphs []*graph.Graph
	for _, i := range rng.Perm(whole.Len())[:molecules] {
		r := whole.Record(i)
		records, graphs = append(records, r), append(graphs, r.Graph)
	}
	c, err := greed.FromRecords(whole.Vocabulary(), records)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AttachBundled(ctx); err != nil {
		t.Fatal(err)
	}
	editor := sample.NewEditor(graphs, 0)
	for i := range sweep.Trials(100) {
		q, _ := editor.Edit(rng, graphs[rng.IntN(len(graphs))], 1)
		for _, ask := range []struct {
			task   greed.Task
			radius float64
			k      int
		}{{greed.GED, 1, 0}, {greed.GED, 3, 0}, {greed.GED, 3, 2}, {greed.SED, 0, 0}, {greed.SED, 1, 5}} {
			opt := greed.Options{Task: ask.task, Radius: &ask.radius, K: ask.k, Time: greed.NoLimit}
			found, err := c.Search(ctx, q, opt)
			if err != nil {
				t.Fatal(err)
			}
			if !found.Certified || found.Status != greed.StatusProven {
				t.Fatalf("query %d, %+v: %s", i, ask, found.Verdict)
			}
			want := within(t, ask.task, q, graphs, ask.radius)
			if ask.k > 0 && len(want) > ask.k {
				want = want[:ask.k]
			}
			var got []float64
			for _, a := range found.Answers {
				d, exact := a.Distance()
				if !exact {
					t.Errorf("query %d, %+v: %s is not exact", i, ask, a.ID)
				}
				got = append(got, d)
			}
			if !slices.Equal(got, want) {
				t.Errorf("query %d, %+v: distances %v, want %v", i, ask, got, want)
			}
		}
	}
}

// within returns the distances up to radius of q to graphs, increasing.
func within(t *testing.T, task greed.Task, q *graph.Graph, graphs []*graph.Graph, radius float64) []float64 {
	t.Helper()
	s, err := ged.NewSolver(task, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	var list []float64
	for _, g := range graphs {
		// What is beyond the radius need not be known.
		r, err := s.Distance(context.Background(), q, g, ged.Options{Upper: radius + 0.5})
		if err != nil {
			t.Fatal(err)
		}
		if r.Exact && r.Upper <= radius {
			list = append(list, r.Upper)
		}
	}
	slices.Sort(list)
	return list
}

// TestWhatTheModelMissed: two queries whose answers the model's candidates left
// out.
func TestWhatTheModelMissed(t *testing.T) {
	c := bundled(t)
	for _, ask := range []struct {
		smiles string
		task   greed.Task
		radius float64
		want   int
	}{
		{"NS(N)(N)(N)(N)N", greed.GED, 1, 4},
		{"C1CCCCC1.C1CCCCC1", greed.SED, 0, 40},
	} {
		found, err := c.Search(context.Background(), parse(t, c, ask.smiles), greed.Options{Task: ask.task, Radius: &ask.radius})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Answers) != ask.want || !found.Certified {
			t.Errorf("%s: %d answers within %v by %v, want %d; %s", ask.smiles, len(found.Answers), ask.radius, ask.task, ask.want, found.Verdict)
		}
		// A model's candidates do not claim to be all.
		found, err = c.Search(context.Background(), parse(t, c, ask.smiles), greed.Options{Task: ask.task, Radius: &ask.radius, Mode: greed.Checked})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Answers) < ask.want && found.Status != greed.StatusChecked {
			t.Errorf("%s: %d answers of %d, but %s", ask.smiles, len(found.Answers), ask.want, found.Verdict)
		}
	}
}

// hard returns a collection of labelled random graphs that are too hard to prove
// anything of in little time, and a query.
func hard(t *testing.T, count, n int) (*greed.Collection, *greed.Graph) {
	t.Helper()
	rng := rand.New(rand.NewPCG(15, 3))
	vocab := graph.NewVocabulary()
	random := func(n int) *greed.Graph {
		b := graph.NewBuilder(vocab, false)
		for v := range n {
			b.AddNode(fmt.Sprint(rng.IntN(3)))
			for _, w := range rng.Perm(v)[:min(v, 2)] {
				if err := b.AddEdge(w, v, "1"); err != nil {
					t.Fatal(err)
				}
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	var records []greed.Record
	for i := range count {
		records = append(records, greed.Record{ID: fmt.Sprint(i), Graph: random(n + rng.IntN(5))})
	}
	c, err := greed.FromRecords(vocab, records)
	if err != nil {
		t.Fatal(err)
	}
	return c, random(n)
}

// TestOpenSaysWhatIsOpen: where time ends first, the answers have true bounds, are
// in the order of what is shown, and the graphs that could still be answers are
// counted.
func TestOpenSaysWhatIsOpen(t *testing.T) {
	c, q := hard(t, 60, 40)
	for _, opt := range []greed.Options{{K: 5}, {K: 5, Task: greed.SED}, {Radius: new(60.0)}, {K: 3, Radius: new(60.0)}} {
		opt.Time, opt.Explain, opt.Workers = 100*time.Millisecond, true, 1
		var found *greed.Found
		var err error
		const allowed = 900 * time.Millisecond
		if late := gedtest.Late(t, opt.Time, allowed, func() { found, err = c.Search(t.Context(), q, opt) }); late > allowed {
			t.Errorf("%+v: %v of processor time beyond the limit", opt, late)
		}
		if err != nil {
			t.Fatal(err)
		}
		if found.Status != greed.StatusOpen || found.Certified || found.Open.Missing+found.Open.Inexact == 0 {
			t.Fatalf("%+v: %s, open %+v", opt, found.Status, found.Open)
		}
		if opt.Radius == nil && len(found.Answers) != opt.K {
			t.Errorf("%+v: %d answers", opt, len(found.Answers))
		}
		lastLower, lastUpper := 0.0, 0.0
		inexact := 0
		for _, a := range found.Answers {
			lower, upper := a.Bounds()
			if lower > upper || upper < lastUpper || upper == lastUpper && lower < lastLower {
				t.Errorf("%+v: %v to %v after %v to %v", opt, lower, upper, lastLower, lastUpper)
			}
			if opt.Radius != nil && upper > *opt.Radius {
				t.Errorf("%+v: an answer may lie at %v", opt, upper)
			}
			if lower < upper {
				inexact++
			}
			cost := 0.0
			for _, op := range a.Edits {
				cost += op.Cost
			}
			if cost != upper {
				t.Errorf("%+v: edits cost %v, the upper bound is %v", opt, cost, upper)
			}
			lastLower, lastUpper = lower, upper
		}
		if found.Open.Inexact != inexact || len(found.Open.Graphs) != min(100, found.Open.Missing) {
			t.Errorf("%+v: %d inexact; open %+v", opt, inexact, found.Open)
		}
		// Every graph is an answer, open, or shown to be none.
		excluded := 0
		for _, e := range found.Stats.Excluded {
			excluded += e.Graphs
		}
		if s := found.Stats; s.Graphs != 60 || s.Candidates != 60 || s.Solved+excluded > 60 || len(found.Answers)+found.Open.Missing > 60 {
			t.Errorf("%+v: stats %+v", opt, s)
		}
	}
}

// TestInterrupted: a search whose context ends says what is known. To the end it would
// take hours.
func TestInterrupted(t *testing.T) {
	c, q := hard(t, 60, 40)
	const limit, allowed = 100 * time.Millisecond, 200 * time.Millisecond
	var found *greed.Found
	var err error
	late := gedtest.Late(t, limit, allowed, func() {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		found, err = c.Search(ctx, q, greed.Options{K: 5, Time: greed.NoLimit, Workers: 1})
	})
	if late > allowed {
		t.Errorf("%v of processor time to stop", late)
	}
	if err != context.DeadlineExceeded || found == nil || len(found.Answers) != 5 || found.Status != greed.StatusOpen {
		t.Fatalf("%v, error %v", found, err)
	}
}

// TestManyLabelsInTime: graphs of thousands of nodes that all have their own
// labels take no longer than they may.
func TestManyLabelsInTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 4))
	random := func() *greed.Graph {
		b := graph.NewBuilder(graph.NewVocabulary(), false)
		for v := range 5000 {
			b.AddNode(fmt.Sprint("L", rng.IntN(5000)))
			if v > 0 {
				if err := b.AddEdge(rng.IntN(v), v, fmt.Sprint("E", rng.IntN(5000))); err != nil {
					t.Fatal(err)
				}
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	c, err := greed.FromRecords(graph.NewVocabulary(), []greed.Record{{ID: "a", Graph: random()}, {ID: "b", Graph: random()}, {ID: "c", Graph: random()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []greed.Options{{K: 2}, {K: 2, Task: greed.SED}, {Radius: new(10.0)}} {
		opt.Time, opt.Workers = 300*time.Millisecond, 1
		q := random()
		var found *greed.Found
		var err error
		if late := gedtest.Late(t, opt.Time, 4*opt.Time, func() { found, err = c.Search(t.Context(), q, opt) }); late > 4*opt.Time {
			t.Errorf("%+v: %v of processor time beyond the limit", opt, late)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Answers) != opt.K {
			t.Errorf("%+v: %d answers, %s", opt, len(found.Answers), found.Verdict)
		}
	}
}

// TestNoHardPairStarvesTheRest: without a time limit, too, every pair gets its turn
// before one is worked on for long. One pair alone would take hours.
func TestNoHardPairStarvesTheRest(t *testing.T) {
	c, q := hard(t, 3, 24)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	turns := make(map[string]int)
	_, err := c.Search(ctx, q, greed.Options{Radius: new(90.0), Time: greed.NoLimit, Workers: 1, Progress: func(p greed.Progress) {
		if turns[p.ID]++; len(turns) == 3 {
			cancel()
		}
	}})
	if len(turns) != 3 || !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want all 3 worked on: turns %v", err, turns)
	}
}
