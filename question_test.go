package greed_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// TestSearchSaysWhatItUnderstood: costs, what is not compared, conditions.
func TestSearchSaysWhatItUnderstood(t *testing.T) {
	c := bundled(t)
	zwitterion := parse(t, c, "[NH3+]CC(=O)[O-]")
	found, err := c.Search(context.Background(), zwitterion, greed.Options{K: 1, Filters: []greed.Filter{filter(t, "id exists")}})
	if err != nil {
		t.Fatal(err)
	}
	q := found.Question
	if q.Costs != "uniform" || q.State != c.State() || !reflect.DeepEqual(q.Filter, []string{"id exists"}) || !strings.Contains(q.Text, "charges") {
		t.Errorf("question %+v", q)
	}
	if !strings.Contains(found.SameGraph(), "are not compared") {
		t.Errorf("at distance 0: %s", found.SameGraph())
	}
	if got := greed.SameGraph(greed.GED, edit.Uniform(), []string{"stereochemistry"}); got != "the same graph; stereochemistry is not compared" {
		t.Error(got)
	}
	rings := edit.Rings()
	if found, err = c.Search(context.Background(), zwitterion, greed.Options{K: 1, Costs: &rings}); err != nil || found.Question.Costs != "rings" || found.Model || len(found.Notes) == 0 {
		t.Errorf("other costs: %+v, %v", found, err)
	}
	rings = rings.IgnoreEdgeLabels()
	if found, err = c.Search(context.Background(), zwitterion, greed.Options{K: 1, Costs: &rings}); err != nil || !strings.Contains(found.Question.Text, "edge labels") {
		t.Errorf("rings without edge labels: %+v, %v", found, err)
	}
}

// TestUnmatchedLabels are counted, and it is said if none occurs.
func TestUnmatchedLabels(t *testing.T) {
	c := bundled(t)
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	b.AddNode("C")
	b.AddNode("function")
	if err := b.AddEdge(0, 1, "calls"); err != nil {
		t.Fatal(err)
	}
	q, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	found, err := c.Search(context.Background(), q, greed.Options{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := &greed.Unmatched{Nodes: []string{"function"}, Edges: []string{"calls"}, QueryNodes: 1, QueryEdges: 1, NoEdge: true}
	if !reflect.DeepEqual(found.Unmatched, want) {
		t.Errorf("unmatched %+v", found.Unmatched)
	}
	if found, err = c.Search(context.Background(), parse(t, c, "CCO"), greed.Options{K: 1}); err != nil || found.Unmatched != nil {
		t.Errorf("unmatched %+v, %v", found.Unmatched, err)
	}
}

// TestFreeEditsAreNone: a wildcard that becomes something is not edited.
func TestFreeEditsAreNone(t *testing.T) {
	c := bundled(t)
	found, err := c.Search(context.Background(), parse(t, c, "*CO"), greed.Options{Task: greed.SED, K: 1})
	if err != nil {
		t.Fatal(err)
	}
	if d, _ := found.Answers[0].Distance(); d != 0 || len(found.Answers[0].Edits) != 0 {
		t.Errorf("distance %v by %v", d, found.Answers[0].Edits)
	}
}
