package bench

import (
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/search"
)

// TestFilterAndVerifyAgrees: the plain search finds what the search does, so that
// their times compare.
func TestFilterAndVerifyAgrees(t *testing.T) {
	c, err := openScreen("aids42k", edit.Uniform())(t.Context(), &CertifyOptions{Data: fakeData(t), Queries: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range c.queries {
		in := c.without(q)
		for _, opt := range []search.Options{{K: 2}, {K: 10}, {Radius: new(0.0)}, {Radius: new(1.0)}, {Radius: new(9.0)}} {
			opt.Costs, opt.Time, opt.NoModel = &c.costs, time.Minute, true
			got, err := in.filterAndVerify(t.Context(), q.graph, opt)
			if err != nil {
				t.Fatal(err)
			}
			want, err := in.collection.Search(t.Context(), q.graph, opt)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Answers) != len(want.Answers) || !got.Proven() {
				t.Errorf("%+v: %d answers, want %d; proven: %v", opt, len(got.Answers), len(want.Answers), got.Proven())
			}
		}
	}
}
