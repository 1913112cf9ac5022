package bench

import (
	"slices"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

func TestSplit(t *testing.T) {
	vocab := graph.NewVocabulary()
	var all []*graph.Graph
	for range 55 {
		b := graph.NewBuilder(vocab, false)
		b.AddNode("C") // all equal: copies need not stay together
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	split := func(x *Exam, seed uint64) (learn, check []*graph.Graph) {
		learn, check = x.Split(seed)
		seen := make(map[*graph.Graph]int)
		for _, g := range slices.Concat(learn, check) {
			seen[g]++
		}
		for i, g := range all {
			if seen[g] != 1 {
				t.Fatalf("seed %d: graph %d is there %d times", seed, i, seen[g])
			}
		}
		return learn, check
	}
	x := &Exam{Task: edit.GED, material: &material{learn: all}}
	learn, check := split(x, 1)
	if len(check) != 5 || len(learn) != 50 {
		t.Errorf("%d to learn from, %d to validate with, want 50 and 5", len(learn), len(check))
	}
	if _, again := split(x, 1); !slices.Equal(check, again) {
		t.Error("the same seed gives another split")
	}
	if _, other := split(x, 2); slices.Equal(check, other) {
		t.Error("another seed gives the same split")
	}
	given := &Exam{Task: edit.GED, material: &material{learn: all[:20], check: all[20:]}}
	if learn, check := split(given, 1); len(learn) != 20 || len(check) != 35 {
		t.Errorf("a split that is given became %d and %d", len(learn), len(check))
	}
	if _, check := split(&Exam{Task: edit.SED, material: &material{learn: all}}, 1); check != nil {
		t.Error("the plan is to find the graphs to validate with")
	}
}
