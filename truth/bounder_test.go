package truth

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

func TestBoundAllAgainstOneByOne(t *testing.T) {
	vocab := graph.NewVocabulary()
	queries, targets := collection(vocab, 1, 13), collection(vocab, 2, 17)
	want := AllPairs(len(queries), len(targets))
	open := 0
	for i := range want {
		p := &want[i]
		r, err := fake{}.Distance(context.Background(), queries[p.Query], targets[p.Target], ged.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p.Lower, p.Upper = r.Lower, r.Upper
		if !r.Exact {
			open++
		}
	}
	for workers := 1; workers <= 5; workers++ {
		var last Progress
		l := Bounder{Costs: edit.Uniform(), Workers: workers, NewSolver: fake{}.new, Progress: func(p Progress) { last = p }}
		got := AllPairs(len(queries), len(targets))
		if err := l.BoundAll(context.Background(), queries, targets, got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%d workers: %s", workers, diff)
		}
		if last.Done != len(got) || last.Total != len(got) || last.Open != open || last.Left != 0 {
			t.Errorf("%d workers: last progress %+v, want %d pairs, %d open", workers, last, len(got), open)
		}
	}
}

// TestBoundAllExact solves with the solver of package ged.
func TestBoundAllExact(t *testing.T) {
	graphs := collection(graph.NewVocabulary(), 3, 12)
	pairs := AllPairs(len(graphs), len(graphs))
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		l := Bounder{Task: task, Costs: edit.Uniform(), Workers: 2}
		if err := l.BoundAll(context.Background(), graphs, graphs, pairs); err != nil {
			t.Fatal(err)
		}
		for i, p := range pairs {
			back := pairs[int(p.Target)*len(graphs)+int(p.Query)]
			switch {
			case !p.Exact():
				t.Errorf("%v: pair %d is %v", task, i, p)
			case p.Query == p.Target && p.Upper != 0:
				t.Errorf("%v: a graph is %v from itself", task, p.Upper)
			case task == edit.GED && p.Upper != back.Upper:
				t.Errorf("ged: %v and back %v", p, back)
			}
		}
	}
}

func TestBoundAllStops(t *testing.T) {
	vocab := graph.NewVocabulary()
	graphs := collection(vocab, 1, 20)
	pairs := AllPairs(20, 20)
	ctx, step := stopAfter(100)
	l := Bounder{Workers: 3, NewSolver: fake{before: step}.new}
	if err := l.BoundAll(ctx, graphs, graphs, pairs); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	bounded := 0
	for _, p := range pairs {
		if p.Upper == 1e6 {
			t.Fatal("kept the bounds of a search that was cut short")
		}
		if p != NewPair(int(p.Query), int(p.Target)) {
			bounded++
		}
	}
	if bounded < 90 || bounded > 110 {
		t.Errorf("%d pairs bounded, want about 100", bounded)
	}
}

func TestBoundAllReportsThePair(t *testing.T) {
	vocab := graph.NewVocabulary()
	graphs := collection(vocab, 1, 4)
	boom := errors.New("boom")
	var calls atomic.Int64
	l := Bounder{Workers: 1, NewSolver: fake{before: func() error {
		if calls.Add(1) == 7 {
			return boom
		}
		return nil
	}}.new}
	err := l.BoundAll(context.Background(), graphs, graphs, AllPairs(4, 4))
	if !errors.Is(err, boom) || !strings.Contains(err.Error(), "query 1 and target 2") {
		t.Errorf("got %v", err)
	}
	l.NewSolver = func(edit.Task, edit.Costs) (Solver, error) { return nil, boom }
	if err := l.BoundAll(context.Background(), graphs, graphs, AllPairs(4, 4)); !errors.Is(err, boom) {
		t.Errorf("a solver that cannot be made: %v", err)
	}
}

// TestBoundAllRefusesPositions: a pair without graphs is an error, not the end of the program.
func TestBoundAllRefusesPositions(t *testing.T) {
	graphs := collection(graph.NewVocabulary(), 1, 2)
	for _, p := range []Pair{{Query: 2}, {Target: 3}, {Query: -1}, {Query: 1, Target: 1}} {
		err := Bounder{NewSolver: fake{}.new}.BoundAll(t.Context(), graphs, []*graph.Graph{graphs[0], nil}, []Pair{{}, p})
		if err == nil || !strings.Contains(err.Error(), "pair 1 is of query") {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func TestBoundAllOfNothing(t *testing.T) {
	l := Bounder{Workers: 2, NewSolver: fake{}.new, Progress: func(Progress) {}}
	if err := l.BoundAll(context.Background(), nil, nil, nil); err != nil {
		t.Error(err)
	}
}

func TestQueueHandsOutEverythingOnceInOrder(t *testing.T) {
	todo := []span{{0, 3}, {5, 5}, {7, 1000}, {1001, 1002}}
	q := newQueue(todo, 3)
	var got []int
	longestSeen := 0
	for s := q.take(); s.begin < s.end; s = q.take() {
		longestSeen = max(longestSeen, s.end-s.begin)
		for i := s.begin; i < s.end; i++ {
			got = append(got, i)
		}
	}
	var want []int
	for _, s := range todo {
		for i := s.begin; i < s.end; i++ {
			want = append(want, i)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	if longestSeen > longest || longestSeen < 20 {
		t.Errorf("the longest span was of %d", longestSeen)
	}
}
