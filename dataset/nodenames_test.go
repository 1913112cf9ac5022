package dataset_test

import (
	"slices"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestWhatNodesAreCalled: nodes go by their ids where these are names, and else by their labels.
func TestWhatNodesAreCalled(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{`graph { node_b1369f3e [label=load]; node_0a [label=save] }`, []string{"node_b1369f3e", "node_0a"}}, // 0a is no digest
		{`graph { node_b1369f3e [label=load]; node_77aa01bc [label=save] }`, []string{"load", "save"}},
		{`graph { n1 [label=load]; n2 [label=save] }`, []string{"load", "save"}},
		{`graph { Node0x55d1c [label=load]; Node0x66f2 [label=save]; Node0x77 [label=save] }`, []string{"load", "save (1)", "save (2)"}},
		{`graph { Node0x55d1c [label=C]; Node0x66f2 [label=O]; Node0x77 [label=O] }`, []string{"Node0x55d1c", "Node0x66f2", "Node0x77"}},
		{`graph { n1 [label=load]; n2 [label=save]; n3 [label=save] }`, []string{"n1", "n2", "n3"}},
		{`graph { 7 [label=load]; 8 [label=save]; 9 [label=save]; 10 [label=main] }`, []string{"load", "save (8)", "save (9)", "main"}},
		{`graph { 0 [label=load]; 1 [label=save]; 2 [label=main]; 3 [label=save] }`, []string{"load", "save (1)", "main", "save (3)"}},
		{`graph { load [label=function]; save [label=procedure] }`, []string{"load", "save"}},
		{`graph { n1 [label=C]; n2 [label=O] }`, []string{"n1", "n2"}}, // no words
		{`graph { 0 [label=C]; 1 [label=O] }`, nil},
		{`graph { n1; n2 }`, []string{"n1", "n2"}},
		{`graph { }`, nil},
	} {
		list, _ := mustRead(t, c.text, "x.dot", dataset.Options{})
		if got := list[0].NodeNames(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
	list, _ := mustRead(t, "CCO.[Na]", "x.smi", dataset.Options{})
	if got := list[0].NodeNames(); got != nil {
		t.Errorf("atoms are called %q", got)
	}
}
