package graph_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/graph"
)

func TestVocabularyNumbersInOrder(t *testing.T) {
	v := graph.NewVocabulary()
	for i, text := range []string{"C", "N", "*", "", "C"} {
		if got, want := v.Node(text), graph.Label([]int{1, 2, 3, 4, 1}[i]); got != want {
			t.Errorf("node label %q is %d, want %d", text, got, want)
		}
	}
	if got := v.Edge("N"); got != 1 {
		t.Errorf("edge label is %d: edges are numbered apart", got)
	}
	if v.Nodes() != 5 || v.Edges() != 2 {
		t.Errorf("%d node and %d edge labels", v.Nodes(), v.Edges())
	}
	if _, ok := v.FindNode("S"); ok || v.Nodes() != 5 {
		t.Error("FindNode added a label")
	}
	if l, ok := v.FindEdge("N"); !ok || l != 1 {
		t.Errorf("FindEdge: %d, %t", l, ok)
	}
	if v.NodeText(2) != "N" || v.EdgeText(1) != "N" || v.NodeText(graph.Wildcard) != "*" {
		t.Error("texts do not match numbers")
	}
	if l, _ := v.FindNode("*"); l == graph.Wildcard {
		t.Error("the text * became the wildcard")
	}
}

func TestVocabularyJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := graph.NewVocabulary()
		for _, s := range rapid.SliceOf(rapid.String()).Draw(t, "nodes") {
			v.Node(strings.ToValidUTF8(s, ""))
		}
		for _, s := range rapid.SliceOf(rapid.String()).Draw(t, "edges") {
			v.Edge(strings.ToValidUTF8(s, ""))
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		w := graph.NewVocabulary()
		w.Node("gone after reading")
		if err := json.Unmarshal(data, w); err != nil {
			t.Fatal(err)
		}
		if v.Nodes() != w.Nodes() || v.Edges() != w.Edges() {
			t.Fatalf("%d and %d labels, want %d and %d", w.Nodes(), w.Edges(), v.Nodes(), v.Edges())
		}
		for l := range graph.Label(v.Nodes()) {
			if v.NodeText(l) != w.NodeText(l) {
				t.Fatalf("node label %d: %q, want %q", l, w.NodeText(l), v.NodeText(l))
			}
		}
		for l := range graph.Label(v.Edges()) {
			if v.EdgeText(l) != w.EdgeText(l) {
				t.Fatalf("edge label %d: %q, want %q", l, w.EdgeText(l), v.EdgeText(l))
			}
		}
	})
}

func TestVocabularyJSONRefuses(t *testing.T) {
	for data, want := range map[string]string{
		`{"nodes":["C","C"],"edges":[]}`: `graph: vocabulary lists node label "C" twice`,
		`{"nodes":[],"edges":["1","1"]}`: `graph: vocabulary lists edge label "1" twice`,
		`{"nodes":7}`:                    "cannot unmarshal number",
	} {
		if err := json.Unmarshal([]byte(data), graph.NewVocabulary()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", data, err, want)
		}
	}
}

func FuzzVocabularyJSON(f *testing.F) {
	f.Add([]byte(`{"nodes":["C","N"],"edges":["1"]}`))
	f.Add([]byte(`{"nodes":["C","C"]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v := graph.NewVocabulary()
		if json.Unmarshal(data, v) != nil {
			return
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		w := graph.NewVocabulary()
		if err := json.Unmarshal(again, w); err != nil {
			t.Fatal(err)
		}
		if v.Nodes() != w.Nodes() || v.Edges() != w.Edges() {
			t.Fatalf("%s became %s", data, again)
		}
	})
}

func TestVocabularyConcurrently(t *testing.T) {
	v := graph.NewVocabulary()
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 100 {
				text := fmt.Sprint((i + worker) % 50)
				if l := v.Node(text); v.NodeText(l) != text {
					t.Errorf("label %d is %q, want %q", l, v.NodeText(l), text)
				}
			}
		})
	}
	wg.Wait()
	if v.Nodes() != 51 {
		t.Errorf("%d labels, want 50 and the wildcard", v.Nodes())
	}
}
