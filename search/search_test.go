package search_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/search"
)

func records(rng *rand.Rand, vocab *graph.Vocabulary, count int) []dataset.Record {
	list := make([]dataset.Record, count)
	for i := range list {
		list[i] = dataset.Record{ID: fmt.Sprint("g", i), Graph: graphtest.Tree(rng, vocab, 3+rng.IntN(5))}
	}
	return list
}

// untrained returns a model with random numbers: its order of candidates is
// poor, its vectors are as good as any.
func untrained(task edit.Task, vocab *graph.Vocabulary) *model.Model {
	return model.New(model.Metadata{
		Task: task, Costs: edit.Uniform(), Vocabulary: vocab,
		Config:   model.Config{Conv: model.GINE, Layers: 2, Hidden: 16, Norm: norm.Single(norm.L1, 16, task == edit.SED)},
		Training: model.Training{MinNodes: 3, MaxNodes: 7, MinQueryNodes: 3, MaxQueryNodes: 7},
	}, rand.New(rand.NewPCG(1, 2)))
}

// distances are the exact distances from q to every record.
func distances(t *testing.T, task edit.Task, q *graph.Graph, list []dataset.Record) []float64 {
	t.Helper()
	s, err := ged.NewSolver(task, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	var all []float64
	for _, rec := range list {
		r, err := s.Distance(context.Background(), q, rec.Graph, ged.Options{})
		if err != nil || !r.Exact {
			t.Fatal(r, err)
		}
		all = append(all, r.Upper)
	}
	return all
}

func checkAnswer(t *testing.T, c *search.Collection, q *graph.Graph, r *search.Result, a search.Answer) {
	t.Helper()
	target := c.Record(a.Position).Graph
	if cost := edit.InducedCost(r.Pricing, q, target, a.Map); cost != a.Upper {
		t.Errorf("node map costs %v, upper bound %v", cost, a.Upper)
	}
}

// TestSolverFindsTheNearest: without a model the answers are the true ones.
func TestSolverFindsTheNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	vocab := graph.NewVocabulary()
	list := records(rng, vocab, 60)
	c := search.NewCollection(vocab, list)
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		for range 6 {
			q := graphtest.Tree(rng, vocab, 3+rng.IntN(4))
			want := distances(t, task, q, list)
			sorted := append([]float64(nil), want...)
			sort.Float64s(sorted)
			for _, k := range []int{1, 7, 60, 100} {
				r, err := c.Search(context.Background(), q, search.Options{Task: task, K: k, Workers: 2})
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Answers) != min(k, len(list)) || r.Model {
					t.Fatalf("%d answers for k = %d, by a model: %v", len(r.Answers), k, r.Model)
				}
				for i, a := range r.Answers {
					if a.Upper != sorted[i] || a.Upper != want[a.Position] || !a.Exact {
						t.Errorf("%v, k = %d: answer %d is %+v, want distance %v", task, k, i, a, sorted[i])
					}
					checkAnswer(t, c, q, r, a)
				}
			}
			const radius = 3.0
			r, err := c.Search(context.Background(), q, search.Options{Task: task, Radius: new(radius), Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			inside := sort.SearchFloat64s(sorted, radius+0.5)
			if len(r.Answers) != inside {
				t.Errorf("%v: %d answers within %v, want %d", task, len(r.Answers), radius, inside)
			}
		}
	}
}

// TestModelAnswersAreChecked: with a model, distances are exact, predictions
// are the model's, and the order is by distance.
func TestModelAnswersAreChecked(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	vocab := graph.NewVocabulary()
	list := records(rng, vocab, 50)
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		c := search.NewCollection(vocab, list[:30])
		m := untrained(task, vocab)
		if err := c.Attach(context.Background(), m, nil, nil); err != nil {
			t.Fatal(err)
		}
		var rest []*graph.Graph
		for _, rec := range list[30:] {
			rest = append(rest, rec.Graph)
		}
		z, err := m.Embed(context.Background(), rest, 1)
		if err != nil {
			t.Fatal(err)
		}
		c, err = c.With(search.Step{Put: list[30:], Vectors: map[edit.Task][]float32{task: append(c.Embedded(task), z...)}})
		if err != nil {
			t.Fatal(err)
		}
		q := graphtest.Tree(rng, vocab, 6)
		want := distances(t, task, q, list)
		for _, opt := range []search.Options{{Task: task, Mode: search.Checked, K: 10}, {Task: task, Mode: search.Checked, Radius: new(4.0)}} {
			opt.Time = search.NoLimit
			r, err := c.Search(context.Background(), q, opt)
			if err != nil {
				t.Fatal(err)
			}
			if !r.Model || opt.K > 0 && len(r.Answers) != opt.K {
				t.Fatalf("%+v: %d answers, by a model: %v", opt, len(r.Answers), r.Model)
			}
			last := 0.0
			for _, a := range r.Answers {
				d, err := m.Predict(q, list[a.Position].Graph)
				if err != nil {
					t.Fatal(err)
				}
				if a.Predicted == nil || math.Abs(*a.Predicted-d) > 1e-6 {
					t.Errorf("prediction %v, the model says %v", a.Predicted, d)
				}
				if !a.Exact || a.Upper != want[a.Position] || a.Upper < last || opt.K == 0 && a.Upper > *opt.Radius {
					t.Errorf("answer %+v after %v, distance %v", a, last, want[a.Position])
				}
				last = a.Upper
				checkAnswer(t, c, q, r, a)
			}
		}
	}
}

// TestProven: with a poor model too, proven answers are the true ones.
func TestProven(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 5))
	vocab := graph.NewVocabulary()
	list := records(rng, vocab, 80)
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		c := search.NewCollection(vocab, list)
		if err := c.Attach(context.Background(), untrained(task, vocab), nil, nil); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			q := graphtest.Tree(rng, vocab, 4+rng.IntN(4))
			sorted := distances(t, task, q, list)
			sort.Float64s(sorted)
			for _, limit := range []time.Duration{search.NoLimit, time.Hour} {
				r, err := c.Search(context.Background(), q, search.Options{Task: task, K: 5, Time: limit})
				if err != nil {
					t.Fatal(err)
				}
				if !r.Proven() {
					t.Fatalf("open: %v, %d inexact", r.Missing, r.Inexact)
				}
				for i, a := range r.Answers {
					if a.Upper != sorted[i] {
						t.Errorf("answer %d at %v, want %v", i, a.Upper, sorted[i])
					}
				}
				r, err = c.Search(context.Background(), q, search.Options{Task: task, Radius: new(3.0), Time: limit})
				if err != nil {
					t.Fatal(err)
				}
				if want := sort.SearchFloat64s(sorted, 3.5); len(r.Answers) != want || !r.Proven() {
					t.Errorf("%d answers within 3, want %d; proven: %v", len(r.Answers), want, r.Proven())
				}
				r, err = c.Search(context.Background(), q, search.Options{Task: task, K: 2, Radius: new(3.0), Time: limit})
				if err != nil {
					t.Fatal(err)
				}
				if want := min(2, sort.SearchFloat64s(sorted, 3.5)); len(r.Answers) != want || !r.Proven() {
					t.Errorf("the 2 nearest within 3 are %d answers, want %d; proven: %v", len(r.Answers), want, r.Proven())
				}
				for i, a := range r.Answers {
					if a.Upper != sorted[i] {
						t.Errorf("answer %d within 3 at %v, want %v", i, a.Upper, sorted[i])
					}
				}
			}
		}
	}
}

func TestPredictedIsTheModelAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	vocab := graph.NewVocabulary()
	c := search.NewCollection(vocab, records(rng, vocab, 40))
	q := c.Record(7).Graph
	if _, err := c.Search(context.Background(), q, search.Options{K: 3, Mode: search.Predicted}); !errors.Is(err, search.ErrNoModel) {
		t.Errorf("predictions without a model: error %v", err)
	}
	if err := c.Attach(context.Background(), untrained(edit.GED, vocab), nil, nil); err != nil {
		t.Fatal(err)
	}
	r, err := c.Search(context.Background(), q, search.Options{K: 3, Mode: search.Predicted})
	if err != nil {
		t.Fatal(err)
	}
	filter := bound.NewFilter(r.Pricing)
	for i, x := range r.Answers {
		q, t2 := bound.Sign(q), bound.Sign(c.Record(x.Position).Graph)
		if *x.Predicted < filter.Lower(q, t2) || *x.Predicted > filter.Upper(q, t2) || i > 0 && *x.Predicted < *r.Answers[i-1].Predicted {
			t.Errorf("answer %d is predicted at %v, outside of what is known or out of order", i, *x.Predicted)
		}
	}
	if len(r.Answers) != 3 || *r.Answers[0].Predicted != 0 || r.Stats.Calls != 0 || r.Answers[0].Map != nil {
		t.Errorf("answers %+v, %d solved", r.Answers, r.Stats.Calls)
	}
}

func TestRefusals(t *testing.T) {
	vocab := graph.NewVocabulary()
	rng := rand.New(rand.NewPCG(7, 7))
	c := search.NewCollection(vocab, records(rng, vocab, 5))
	m := untrained(edit.GED, vocab)
	if err := c.Attach(context.Background(), m, nil, nil); err != nil {
		t.Fatal(err)
	}
	q := c.Record(0).Graph
	other := edit.Chem1()
	if _, err := c.Search(context.Background(), q, search.Options{K: 1, Costs: &other, Mode: search.Predicted}); !errors.Is(err, search.ErrCosts) {
		t.Errorf("other costs: error %v", err)
	}
	if r, err := c.Search(context.Background(), q, search.Options{K: 1, Costs: &other}); err != nil || r.Model || r.Answers[0].Upper != 0 || len(r.Warnings) != 1 {
		t.Errorf("other costs with a model: %v, %v", r, err)
	}
	if r, err := c.Search(context.Background(), q, search.Options{K: 1, Costs: &other, NoModel: true}); err != nil || r.Answers[0].Upper != 0 {
		t.Errorf("other costs without the model: %v, %v", r, err)
	}
	for _, opt := range []search.Options{{K: -1}, {Radius: new(math.NaN())}, {Radius: new(-1.0)}, {Mode: 7}, {Time: -1}, {Workers: -1}} {
		if _, err := c.Search(context.Background(), q, opt); err == nil {
			t.Errorf("%+v was accepted", opt)
		}
	}
	if r, err := c.Search(context.Background(), q, search.Options{}); err != nil || len(r.Answers) != 5 {
		t.Errorf("the zero options: %v, %v; want all 5 graphs among the 10 nearest", r, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Search(ctx, q, search.Options{K: 3, NoModel: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	if err := c.Attach(context.Background(), m, make([]float32, 16), nil); err == nil {
		t.Error("one vector for five graphs was accepted")
	}
}

// TestTimeLimit: answers of a search cut short still have true bounds.
func TestTimeLimit(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	vocab := graph.NewVocabulary()
	var list []dataset.Record
	for i := range 8 {
		list = append(list, dataset.Record{ID: fmt.Sprint(i), Graph: graphtest.Tree(rng, vocab, 30)})
	}
	c := search.NewCollection(vocab, list)
	q := graphtest.Tree(rng, vocab, 30)
	r, err := c.Search(context.Background(), q, search.Options{K: 4, Time: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Answers) != 4 {
		t.Fatalf("%d answers", len(r.Answers))
	}
	for _, a := range r.Answers {
		if a.Lower > a.Upper || a.Exact != (a.Lower == a.Upper) {
			t.Errorf("bounds %+v", a)
		}
		checkAnswer(t, c, q, r, a)
	}
}

func TestWarnings(t *testing.T) {
	vocab := graph.NewVocabulary()
	rng := rand.New(rand.NewPCG(3, 3))
	c := search.NewCollection(vocab, records(rng, vocab, 5))
	own := graph.NewVocabulary()
	graph.In(own, c.Record(0).Graph)
	if err := c.Attach(context.Background(), untrained(edit.GED, own), nil, nil); err != nil {
		t.Fatal(err)
	}
	b := graph.NewBuilder(vocab, false)
	for range 9 {
		b.AddNode("unheard-of")
	}
	if err := b.AddEdge(0, 1, "strange"); err != nil {
		t.Fatal(err)
	}
	q, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Search(context.Background(), q, search.Options{K: 1, Mode: search.Predicted})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Warnings) != 4 || !strings.HasPrefix(r.Warnings[3], "of 5 graphs of the collection, ") {
		t.Errorf("warnings %q, want one for a node label, an edge label, the size and the collection", r.Warnings)
	}
}
