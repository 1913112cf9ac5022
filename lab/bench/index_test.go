package bench

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestIndex(t *testing.T) {
	opt := IndexOptions{N: 3000, Queries: 3}
	table, err := Index(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range table.Rows {
		names = append(names, r.Name)
		for _, f := range r.Figures {
			if !(f.Value >= 0) || f.Target != nil {
				t.Errorf("%s: %+v", r.Name, f)
			}
		}
	}
	if !slices.Equal(names, IndexNames()) {
		t.Errorf("rows %v", names)
	}
	opt.Only, opt.N = []string{"ged/boxtree"}, 3000
	again, err := Index(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Rows) != 2 || again.Notes[0] != table.Notes[0] || !strings.Contains(again.Notes[0], "SHA-256") {
		t.Errorf("the same vectors are %v and %v", table.Notes, again.Notes)
	}
	for _, bad := range []IndexOptions{{N: 0, Queries: 1}, {N: 1}, {N: 1, Queries: 1, Only: []string{"x"}}, {N: 1, Queries: 1, Model: "m"}} {
		if _, err := Index(t.Context(), bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

func TestQuantile(t *testing.T) {
	times := []time.Duration{5, 1, 4, 2, 3}
	for share, want := range map[float64]time.Duration{0.5: 3, 0.95: 5, 0.2: 1} {
		if got := quantile(times, share); got != want {
			t.Errorf("quantile %v is %v, want %v", share, got, want)
		}
	}
}
