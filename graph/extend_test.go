package graph_test

import (
	"encoding/json"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// pair returns two joined nodes with labels.
func pair(t *testing.T, vocab *graph.Vocabulary, a, b, edge string) *graph.Graph {
	t.Helper()
	build := graph.NewBuilder(vocab, false)
	build.AddNode(a)
	build.AddNode(b)
	if err := build.AddEdge(0, 1, edge); err != nil {
		t.Fatal(err)
	}
	g, err := build.Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestExtensionsEqualNothingOfTheirBase: labels that a query alone has are no
// labels of the collection, whatever their texts, before and after.
func TestExtensionsEqualNothingOfTheirBase(t *testing.T) {
	base := graph.NewVocabulary()
	old := pair(t, base, "C", "unknown node label 1", "1")
	ext := base.Extend()
	q := pair(t, ext, "C", "foo", "bar")
	if base.Nodes() != 3 || base.Edges() != 2 || ext.Nodes() != 3 || ext.Edges() != 2 {
		t.Fatalf("%d and %d node labels, %d and %d edge labels", base.Nodes(), ext.Nodes(), base.Edges(), ext.Edges())
	}
	if q.Label(0) != old.Label(0) || q.Label(1) == old.Label(1) {
		t.Errorf("labels %v beside %v", q.Labels(), old.Labels())
	}
	if q.LabelText(0) != "C" || q.LabelText(1) != "foo" {
		t.Errorf("texts %q, %q", q.LabelText(0), q.LabelText(1))
	}
	if err := q.Check(); err != nil {
		t.Error(err)
	}
	// The base learns the text later: the label of before is another still.
	late := pair(t, base, "C", "foo", "bar")
	if late.Label(1) == q.Label(1) || ext.Node("foo") != q.Label(1) || graph.Isomorphic(q, late) {
		t.Error("a label of an extension became one of the base")
	}
	if now := graph.Adopt(base, q); !graph.Isomorphic(now, late) {
		t.Error("adopted anew, the query has not the labels of the base")
	}
	if graph.Adopt(base, late) != late {
		t.Error("a graph of the base was copied")
	}
}

func TestCommon(t *testing.T) {
	a, b := graph.NewVocabulary(), graph.NewVocabulary()
	e, f := a.Extend(), a.Extend()
	for _, c := range []struct{ v, w, want *graph.Vocabulary }{
		{a, a, a}, {e, e, e}, {a, e, e}, {e, a, e}, {a, b, nil}, {e, f, nil}, {e, b, nil}, {b, e, nil},
	} {
		if got := graph.Common(c.v, c.w); got != c.want {
			t.Errorf("Common(%p, %p) is %p, want %p", c.v, c.w, got, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an extension was extended")
		}
	}()
	e.Extend()
}

func TestExtensionsAreNotKept(t *testing.T) {
	e := graph.NewVocabulary().Extend()
	e.Node("x")
	if text, err := json.Marshal(e); err == nil {
		t.Errorf("written as %s", text)
	}
	if err := json.Unmarshal([]byte(`{"nodes":["a"],"edges":[]}`), e); err != nil {
		t.Fatal(err)
	}
	if l, ok := e.FindNode("a"); !ok || l != 1 || e.Nodes() != 2 {
		t.Errorf("read over an extension: label %d of %d", l, e.Nodes())
	}
}
