package greed_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/graph"
)

// TestNothingToEditIsTold: a checked answer has its node map and its edits, also
// where they are empty; a predicted one has neither.
func TestNothingToEditIsTold(t *testing.T) {
	c := bundled(t)
	empty := labelled(t, graph.NewVocabulary())
	for _, task := range []greed.Task{greed.GED, greed.SED} {
		for _, opt := range []greed.Options{{}, {Mode: greed.Checked}, {NoModel: true}, {Mode: greed.Predicted}} {
			opt.Task, opt.K, opt.Explain = task, 1, true
			for _, q := range []*greed.Graph{c.Record(4072).Graph, empty} {
				found, err := c.Search(t.Context(), q, opt)
				if err != nil {
					t.Fatal(err)
				}
				text, err := json.Marshal(found)
				if err != nil {
					t.Fatal(err)
				}
				checked := opt.Mode != greed.Predicted
				for _, name := range []string{`"map":[`, `"edits":[`} {
					if len(found.Answers) != 1 || strings.Contains(string(text), name) != checked {
						t.Errorf("%v, %v, %d nodes: %s in %s", task, opt.Mode, q.N(), name, text)
					}
				}
				var back greed.Found
				if err := json.Unmarshal(text, &back); err != nil {
					t.Fatal(err)
				}
				if a := back.Answers[0]; (a.Map != nil) != checked || (a.Edits != nil) != checked {
					t.Errorf("%v, %v: read back as %+v", task, opt.Mode, a)
				}
			}
		}
	}
}
