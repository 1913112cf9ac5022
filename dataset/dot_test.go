package dataset_test

import (
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestDOTAsGraphviz reads what Graphviz 2.43 reads, as dot -Tjson0 shows it. lab/corpus compares whole files.
func TestDOTAsGraphviz(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`digraph{a->b,c}`, "0 0 0; 0>1:0 0>2:0"},
		{`digraph{x0 -> y1, y2, y3 [label="1/3"]; x1, x2 -> y2, y3}`, "0 0 0 0 0 0; 0>1:1/3 0>2:1/3 0>3:1/3 4>2:0 4>3:0 5>2:0 5>3:0"},
		{`graph{a[label=p]; a:n, b:n:e, c [label=x]}`, "x x x; "},
		{`graph{a[label=p]; c, a [shape=box]}`, "p 0; "},
		{`strict digraph{a->b a->b[label=y]}`, "0 0; 0>1:y"},
		{`strict digraph{edge[label=d] a->b [label=x, weight=2]; edge[label=e]; a->b; a->b[label=z]; b->a; b->a[weight=1]}`, "0 0; 0>1:z 1>0:e"},
		{`strict graph{a--b; b--a [label=x]}`, "0 0; 0-1:x"},
		{`digraph{a->b [key=1 label=p]; a->b [label=q key=1]; b->a}`, "0 0; 0>1:q 1>0:0"},
		{`digraph{ {a->b} -> c [label=x]}`, "0 0 0; 0>1:0 0>2:x 1>2:x"},
		{"digraph{\n  # a comment\n a->b # another\n}", "0 0; 0>1:0"},
		{`digraph{subgraph A {node [label=x]; a} node [label=y]; subgraph A {b}; c; subgraph A {} -> d}`, "x x y y; 0>3:0 1>3:0"},
		{`digraph{subgraph A {edge[label=q] a->b}; edge[label=r]; subgraph A {c->d}; subgraph A{} -> g}`, "0 0 0 0 0; 0>1:q 0>4:r 1>4:r 2>3:q 2>4:r 3>4:r"},
		{`digraph{subgraph A {a} subgraph B {subgraph A {b}} subgraph A {} -> z}`, "0 0 0; 0>2:0"},
		{`digraph{123abc; a.1}`, "0 0 0 0; "},
		{"digraph{a [label=\"\xe4\"]}", "ä; "},
	} {
		list, _, err := readText(c.text, "x.dot", dataset.Options{Format: "dot"})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if got := drawing(list[0].Graph); got != c.want {
			t.Errorf("%s: graph %s, want %s", c.text, got, c.want)
		}
	}
	for text, want := range map[string]string{
		`digraph{a:x:y:z -> b}`:         "third part of a port",
		`digraph{a [label=q], b}`:       `found ","`,
		`digraph{a.b}`:                  `found "."`,
		`digraph{a=1, b=2}`:             `found ","`,
		`digraph{a -> b, subgraph {c}}`: "expected",
	} {
		if _, _, err := readText(text, "x.dot", dataset.Options{Format: "dot"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
}
