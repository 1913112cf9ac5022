package greed_test

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// labelled returns a path whose nodes have labels.
func labelled(t *testing.T, vocab *graph.Vocabulary, labels ...string) *greed.Graph {
	t.Helper()
	b := graph.NewBuilder(vocab, false)
	for v, text := range labels {
		b.AddNode(text)
		if v > 0 {
			if err := b.AddEdge(v-1, v, "1"); err != nil {
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

// TestLabelsOfQueriesStayTheirs: a label that the collection lacks equals none of
// it, whatever the collection's are called; edits and warnings name it; and the
// collection does not learn it.
func TestLabelsOfQueriesStayTheirs(t *testing.T) {
	ctx := context.Background()
	c := greed.New()
	if err := c.AttachBundled(ctx); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"unknown node label 1", "unknown", "*", ""} {
		if _, err := c.Put(ctx, greed.Record{ID: "with " + text, Graph: labelled(t, graph.NewVocabulary(), "C", text)}); err != nil {
			t.Fatal(err)
		}
	}
	nodes, edges := c.Vocabulary().Nodes(), c.Vocabulary().Edges()
	costs := edit.Uniform()
	for _, opt := range []greed.Options{{}, {Mode: greed.Checked}, {Costs: &costs, NoModel: true}, {Task: greed.SED}} {
		for _, q := range []*greed.Graph{labelled(t, graph.NewVocabulary(), "C", "foo"), parse(t, c, "C[U]"), labelled(t, c.Vocabulary().Extend(), "C", "foo")} {
			opt.Explain = true
			found, err := c.Search(ctx, q, opt)
			if err != nil {
				t.Fatal(err)
			}
			text := q.LabelText(1)
			for _, a := range found.Answers {
				d, exact := a.Distance()
				if d != 1 || !exact {
					t.Errorf("%s: %v, %s: distance %v, exact %v", a.ID, opt.Mode, text, d, exact)
				}
				if !slices.ContainsFunc(a.Edits, func(op edit.Operation) bool { return op.From == text }) {
					t.Errorf("%s: no edit of %q in %v", a.ID, text, a.Edits)
				}
			}
			if text == "foo" && found.Model && !strings.Contains(strings.Join(dataset.Texts(found.Notes), "\n"), "node labels foo;") {
				t.Errorf("notes %q do not name foo", found.Notes)
			}
		}
	}
	if _, err := c.Embed(ctx, greed.GED, labelled(t, graph.NewVocabulary(), "bar", "baz")); err != nil {
		t.Fatal(err)
	}
	if n, e := c.Vocabulary().Nodes(), c.Vocabulary().Edges(); n != nodes || e != edges {
		t.Errorf("queries made %d node labels of %d, %d edge labels of %d", n, nodes, e, edges)
	}
	// A label that the collection learns later is found.
	foo := labelled(t, c.Vocabulary().Extend(), "C", "foo")
	if _, err := c.Put(ctx, greed.Record{ID: "foo", Graph: foo}); err != nil {
		t.Fatal(err)
	}
	found, err := c.Search(ctx, foo, greed.Options{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	if d, _ := found.Answers[0].Distance(); d != 0 || found.Answers[0].ID != "foo" {
		t.Errorf("%+v, want foo at 0", found.Answers[0])
	}
}

// TestTablesPriceLabelsOfQueries: a table of costs by label must name the
// labels of the query, those that the collection lacks included.
func TestTablesPriceLabelsOfQueries(t *testing.T) {
	ctx := context.Background()
	c := greed.New()
	if _, err := c.Put(ctx, greed.Record{ID: "a", Graph: labelled(t, graph.NewVocabulary(), "C", "N")}); err != nil {
		t.Fatal(err)
	}
	costs := edit.Uniform()
	one := map[string]float64{"C": 1, "N": 1, "foo": 1}
	costs.Nodes = &edit.Table{Insert: one, Delete: one, Substitute: map[string]map[string]float64{
		"C": {"N": 1, "foo": 1}, "N": {"C": 1, "foo": 1}, "foo": {"C": 1, "N": 0.25},
	}}
	q := labelled(t, graph.NewVocabulary(), "C", "foo")
	for _, mode := range []greed.Mode{greed.Proven, greed.Checked} {
		found, err := c.Search(ctx, q, greed.Options{Costs: &costs, Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		if d, exact := found.Answers[0].Distance(); d != 0.25 || !exact {
			t.Errorf("%v: distance %v, exact %v, want 0.25", mode, d, exact)
		}
	}
	delete(one, "foo")
	if _, err := c.Search(ctx, q, greed.Options{Costs: &costs}); err == nil || !strings.Contains(err.Error(), `"foo"`) {
		t.Errorf("error %v, want one that names foo", err)
	}
	r, err := greed.Distance(ctx, greed.GED, q, c.Record(0).Graph, greed.DistanceOptions{})
	if err != nil || r.Lower != 1 || !r.Exact {
		t.Errorf("distance %+v, error %v", r, err)
	}
	if c.Vocabulary().Nodes() != 3 {
		t.Errorf("the collection has %d node labels", c.Vocabulary().Nodes())
	}
}

// TestTiesUpToRounding: 0.1 + 0.2 is as far away as 0.3, though its float64 is greater, also
// where the costs have no common unit.
func TestTiesUpToRounding(t *testing.T) {
	c := greed.New()
	for _, labels := range [][]string{{"d", "a", "e"}, {"b", "c", "e"}, {"c", "b", "e"}, {"e", "a", "e"}} {
		if _, err := c.Put(t.Context(), greed.Record{ID: strings.Join(labels, ""), Graph: labelled(t, graph.NewVocabulary(), labels...)}); err != nil {
			t.Fatal(err)
		}
	}
	costs := edit.Uniform()
	one, from := make(map[string]float64), map[string]float64{"b": 0.1, "c": 0.2, "d": 0.3, "e": math.Pi / 8}
	costs.Nodes = &edit.Table{Insert: one, Delete: one, Substitute: make(map[string]map[string]float64)}
	for _, x := range []string{"a", "b", "c", "d", "e"} {
		one[x], costs.Nodes.Substitute[x] = 1, map[string]float64{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}
		delete(costs.Nodes.Substitute[x], x)
	}
	maps.Copy(costs.Nodes.Substitute["a"], from)
	for k, more := range []int{0, 2, 1, 0, 0} {
		if k == 0 {
			continue
		}
		f, err := c.Search(t.Context(), labelled(t, graph.NewVocabulary(), "a", "a", "e"), greed.Options{Costs: &costs, K: k})
		if err != nil || !f.Certified || f.Tied.More > more || f.Tied.More < more && !f.Tied.Open {
			t.Errorf("k = %d: %+v are tied, want %d; %v", k, f.Tied, more, err)
		}
	}
}

// TestEmptyGraphs: graphs without nodes have distances and similarities, too.
func TestEmptyGraphs(t *testing.T) {
	ctx := context.Background()
	c := greed.New()
	if err := c.AttachBundled(ctx); err != nil {
		t.Fatal(err)
	}
	empty := labelled(t, graph.NewVocabulary())
	if _, err := c.Put(ctx, greed.Record{ID: "empty", Graph: empty}, greed.Record{ID: "C", Graph: labelled(t, graph.NewVocabulary(), "C")}); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []greed.Options{{}, {NoModel: true}, {Mode: greed.Checked}, {Task: greed.SED}, {Mode: greed.Predicted}, {Mode: greed.Predicted, Task: greed.SED}} {
		for _, q := range []*greed.Graph{empty, labelled(t, graph.NewVocabulary(), "N")} {
			found, err := c.Search(ctx, q, opt)
			if err != nil {
				t.Fatal(err)
			}
			if len(found.Answers) != 2 {
				t.Fatalf("%+v, %d nodes: %d answers", opt, q.N(), len(found.Answers))
			}
			if _, err := json.Marshal(found); err != nil {
				t.Errorf("%+v, %d nodes: %v", opt, q.N(), err)
			}
			first := found.Answers[0]
			if d, exact := first.Distance(); opt.Mode != greed.Predicted && q.N() == 0 && (d != 0 || !exact || first.Similarity != 1) {
				t.Errorf("%+v: the empty graph is at %v, exact %v, similarity %v", opt, d, exact, first.Similarity)
			}
		}
	}
	if found, err := greed.New().Search(ctx, empty, greed.Options{}); err != nil || len(found.Answers) != 0 || !found.Certified {
		t.Errorf("an empty collection: %v, %v", found, err)
	}
}
