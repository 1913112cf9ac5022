package baseline_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/baseline"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// path returns a path of n nodes.
func path(vocab *graph.Vocabulary, n int, labels string) *graph.Graph {
	b := graph.NewBuilder(vocab, false)
	for v := range n {
		b.AddNode(labels[v%len(labels):][:1])
		if v > 0 {
			if err := b.AddEdge(v-1, v, "e"); err != nil {
				panic(err)
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}

func TestBranchPredictsTheMiddle(t *testing.T) {
	vocab := graph.NewVocabulary()
	graphs := []*graph.Graph{path(vocab, 3, "A"), path(vocab, 5, "AB"), path(vocab, 0, "A"), path(vocab, 1, "B")}
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		s, err := baseline.New("branch", task, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		in := eval.Input{Task: task, Queries: graphs, Targets: graphs, Pairs: truth.AllPairs(len(graphs), len(graphs))}
		bounder := truth.Bounder{Task: task, Costs: edit.Uniform(), Workers: 1}
		if err := bounder.BoundAll(context.Background(), graphs, graphs, in.Pairs); err != nil {
			t.Fatal(err)
		}
		r, err := baseline.Run(context.Background(), s, train.Data{}, []eval.Input{in}, baseline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range r.Sets[0].Input.Pairs {
			// Both of BRANCH's bounds are exact on paths so small, or one off.
			if d := r.Sets[0].Input.Predicted[i]; math.Abs(d-p.Lower) > 1 {
				t.Errorf("%v: pair %d: %v, want about %v", task, i, d, p.Lower)
			}
			if p.Query == p.Target && r.Sets[0].Input.Predicted[i] != 0 {
				t.Errorf("%v: pair %d: a graph is %v from itself", task, i, r.Sets[0].Input.Predicted[i])
			}
		}
		if r.Sets[0].Report.All.Pairs != len(in.Pairs) {
			t.Errorf("%v: evaluated on %d pairs", task, r.Sets[0].Report.All.Pairs)
		}
	}
}

func TestUnknownSystem(t *testing.T) {
	_, err := baseline.New("simgcn", edit.GED, edit.Uniform())
	if err == nil || !strings.Contains(err.Error(), "simgcn") || !strings.Contains(err.Error(), "branch") {
		t.Errorf("error %v", err)
	}
}
