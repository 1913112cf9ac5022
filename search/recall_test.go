package search_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
)

// TestRecall: a search with a recall finds about so much of what a proof finds within the radius, for queries that the
// calibration does not have. Predicted and checked answers have the same candidates.
func TestRecall(t *testing.T) {
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
	if err := c.Attach(t.Context(), m, nil, nil); err != nil {
		t.Fatal(err)
	}
	order := rand.New(rand.NewPCG(2, 5)).Perm(len(records))
	var queries []*graph.Graph
	for _, at := range order[:600] {
		queries = append(queries, records[at].Graph)
	}
	by, late, err := c.Calibrate(t.Context(), search.Calibrating{
		Task: edit.GED, Of: "molecules", Queries: queries, Without: order[:600], Radius: 3, Seed: 1, Time: time.Minute,
	})
	if err != nil || late > 0 {
		t.Fatal(late, err)
	}
	if err := by.Check(); err != nil {
		t.Fatal(err)
	}
	c.Exchange(m.Calibrated(by))
	radius := 3.0
	opt := search.Options{Radius: &radius, Mode: search.Predicted, Recall: .95}
	found, all, far := 0.0, 0, 0
	for _, at := range order[600:900] {
		q := records[at].Graph
		if by.Covers(q) != nil {
			continue
		}
		proof, err := c.Search(t.Context(), q, search.Options{Radius: &radius, Time: search.NoLimit, NoModel: true})
		if err != nil {
			t.Fatal(err)
		}
		predicted, err := c.Search(t.Context(), q, opt)
		if err != nil {
			t.Fatal(err)
		}
		checked := opt
		checked.Mode, checked.Time = search.Checked, search.NoLimit
		exact, err := c.Search(t.Context(), q, checked)
		if err != nil {
			t.Fatal(err)
		}
		if predicted.Recall == nil || predicted.Recall.Share != .95 || predicted.Recall.Confidence != model.Confidence {
			t.Fatalf("%+v", predicted.Recall)
		}
		in := func(r *search.Result, position int) bool {
			return slices.ContainsFunc(r.Answers, func(a search.Answer) bool { return a.Position == position })
		}
		near, here := 0, 0
		for _, a := range proof.Answers {
			if in(predicted, a.Position) != in(exact, a.Position) {
				t.Fatalf("query %d: graph %d is not in both", at, a.Position)
			}
			if a.Position == at {
				continue
			}
			near++
			if in(predicted, a.Position) {
				here++
			}
		}
		for _, a := range predicted.Answers {
			if *a.Predicted > radius {
				far++
			}
		}
		if near > 0 {
			found, all = found+float64(here)/float64(near), all+1
		}
	}
	if got := found / float64(all); got < .93 || far == 0 || all < 150 {
		t.Errorf("%.3f of what is within the radius of %d queries was found; %d of the answers are predicted beyond it", got, all, far)
	}
}

// TestRecallIsRefused where it is not known, or means nothing.
func TestRecallIsRefused(t *testing.T) {
	rng, vocab := rand.New(rand.NewPCG(7, 5)), graph.NewVocabulary()
	list := records(rng, vocab, 400)
	c := search.NewCollection(vocab, list)
	m := untrained(edit.GED, vocab)
	if err := c.Attach(t.Context(), m, nil, nil); err != nil {
		t.Fatal(err)
	}
	q, radius, near := list[0].Graph, 2.0, 9.0
	filter, err := search.ParseFilter("id=g1")
	if err != nil {
		t.Fatal(err)
	}
	sound := search.Options{Radius: &radius, Mode: search.Checked, Recall: .9}
	if _, err := c.Search(t.Context(), q, sound); !errors.Is(err, model.ErrCalibration) {
		t.Error("without a calibration:", err)
	}
	by, _, err := c.Calibrate(t.Context(), search.Calibrating{Task: edit.GED, Of: "trees", Queries: dataset.Graphs(list), Radius: 4, Time: search.NoLimit})
	if err != nil {
		t.Fatal(err)
	}
	c.Exchange(m.Calibrated(by))
	if r, err := c.Search(t.Context(), q, sound); err != nil || r.Recall == nil {
		t.Error("after it:", err)
	}
	for name, change := range map[string]func(*search.Options){
		"proven answers":       func(o *search.Options) { o.Mode = search.Proven },
		"no k":                 func(o *search.Options) { o.K = 3 },
		"give a radius":        func(o *search.Options) { o.Radius = nil },
		"a filter":             func(o *search.Options) { o.Filters = []search.Filter{filter} },
		"that of a model":      func(o *search.Options) { o.NoModel = true },
		"a share below 1":      func(o *search.Options) { o.Recall = 1 },
		"a radius of 4, not 9": func(o *search.Options) { o.Radius = &near },
		"no model":             func(o *search.Options) { o.Task = edit.SED },
	} {
		opt := sound
		change(&opt)
		if _, err := c.Search(t.Context(), q, opt); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	half := search.NewCollection(vocab, list[:200])
	if err := half.Attach(t.Context(), m.Calibrated(by), nil, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := half.Search(t.Context(), q, sound); !errors.Is(err, model.ErrCalibration) || !strings.Contains(err.Error(), "for this collection") {
		t.Error("in another collection:", err)
	}
	// Graphs that come and go do no harm.
	c.Drop([]int{1, 2, 3})
	if _, err := c.Search(t.Context(), q, sound); err != nil {
		t.Error("after changes:", err)
	}
}
