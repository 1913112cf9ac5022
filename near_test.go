package greed_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/truth"
)

// weighed returns molecules with an attribute, of a vocabulary of their own.
func weighed(t *testing.T, n int) []greed.Record {
	t.Helper()
	records, err := bundle.Records(graph.NewVocabulary())
	if err != nil {
		t.Fatal(err)
	}
	for i := range records[:n] {
		records[i].Attributes = map[string]any{"weight": i, "half": i % 2}
	}
	return records[:n]
}

func collect(t *testing.T, records []greed.Record) *greed.Collection {
	t.Helper()
	c, err := greed.FromRecords(records[0].Graph.Vocabulary(), records)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCliffs compares with searches for every graph: in memory, in an index of which graphs
// were deleted, with filters, and between two collections of different vocabularies.
func TestCliffs(t *testing.T) {
	records := weighed(t, 120)
	whole := collect(t, records)
	dir := filepath.Join(t.TempDir(), "index")
	if err := whole.Save(dir); err != nil {
		t.Fatal(err)
	}
	index, err := greed.Open(t.Context(), greed.Source{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	if _, err := index.Delete(t.Context(), records[0].ID, records[7].ID, records[119].ID); err != nil {
		t.Fatal(err)
	}
	other := collect(t, weighed(t, 200)[100:])
	even, err := greed.ParseFilter("half=0")
	if err != nil {
		t.Fatal(err)
	}
	chem, err := greed.ParseFilter("weight exists")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		of, other *greed.Collection
		filters   []greed.Filter
	}{
		"in memory": {of: whole}, "an index": {of: index}, "filtered": {of: index, filters: []greed.Filter{even, chem}},
		"two": {of: index, other: other}, "two, filtered": {of: index, other: other, filters: []greed.Filter{even}}, "empty": {of: greed.New()},
	} {
		got, err := test.of.Cliffs(t.Context(), greed.CliffOptions{Near: greed.Near{Other: test.other, Radius: 2, Filters: test.filters}, Attribute: "weight"})
		if err != nil {
			t.Fatal(name, err)
		}
		in := test.of
		if test.other != nil {
			in = test.other
		}
		want, graphs := make(map[string]float64), 0
		for rec := range test.of.All() {
			if len(test.filters) > 0 && rec.Attributes["half"] != 0 && fmt.Sprint(rec.Attributes["half"]) != "0" {
				continue
			}
			graphs++
			radius := 2.0
			found, err := in.Search(t.Context(), rec.Graph, greed.Options{Radius: &radius, Filters: test.filters, Time: greed.NoLimit, NoModel: true})
			if err != nil {
				t.Fatal(name, err)
			}
			for _, a := range found.Answers {
				if test.other != nil || a.ID != rec.ID {
					want[rec.ID+" "+a.ID] = *a.Upper
				}
			}
		}
		pairs := append(got.Duplicates, got.Pairs...)
		for _, p := range pairs {
			d, is := want[p.Query+" "+p.Target]
			if !is || d != p.Upper || p.Lower != p.Upper || test.of.Record(p.At[0]).ID != p.Query {
				t.Errorf("%s: %+v; want %v", name, p, d)
			}
			delete(want, p.Query+" "+p.Target)
			if test.other == nil {
				delete(want, p.Target+" "+p.Query)
			}
		}
		if len(want) > 0 || got.Status != greed.StatusProven || got.Graphs != graphs || got.Known != len(pairs) || got.Open != (greed.OpenPairs{}) {
			t.Errorf("%s: %d pairs missing; %+v", name, len(want), got)
		}
		if name != "empty" && name != "two, filtered" && len(pairs) == 0 {
			t.Errorf("%s: no pairs", name)
		}
	}
}

// TestCliffsLimited: what cannot be done is an error, and what time leaves open is said.
func TestCliffsLimited(t *testing.T) {
	c := collect(t, weighed(t, 400))
	ask := func(ctx context.Context, n greed.Near, attribute string, k int) (*greed.Cliffs, error) {
		return c.Cliffs(ctx, greed.CliffOptions{Near: n, Attribute: attribute, K: k})
	}
	if _, err := ask(t.Context(), greed.Near{Radius: 2}, "wieght", 0); !errors.Is(err, greed.ErrAttribute) {
		t.Errorf("an attribute that there is not: %v", err)
	}
	f, _ := greed.ParseFilter("wieght<3")
	if _, err := ask(t.Context(), greed.Near{Radius: 2, Filters: []greed.Filter{f}}, "", 0); !errors.Is(err, greed.ErrAttribute) {
		t.Errorf("a filter on one: %v", err)
	}
	if _, err := ask(t.Context(), greed.Near{Radius: 1}, "", -1); err == nil {
		t.Error("-1 pairs were wanted, and found")
	}
	if _, err := ask(t.Context(), greed.Near{Radius: -1}, "", 0); err == nil {
		t.Error("a radius below 0")
	}
	if _, err := ask(t.Context(), greed.Near{Radius: 3, Most: 3}, "", 0); !errors.Is(err, greed.ErrPairs) {
		t.Errorf("too many pairs: %v", err)
	}
	whole, err := ask(t.Context(), greed.Near{Radius: 3}, "weight", 0)
	if err != nil {
		t.Fatal(err)
	}
	some, err := ask(t.Context(), greed.Near{Radius: 3}, "weight", 2)
	if err != nil || len(some.Pairs) != 2 || some.Total != whole.Total || some.Total.Pairs != len(whole.Pairs) || some.Pairs[0].Query != whole.Pairs[0].Query {
		t.Errorf("2 of %+v: %+v, %v", whole.Total, some, err)
	}
	late, err := ask(t.Context(), greed.Near{Radius: 3, Time: time.Nanosecond}, "weight", 0)
	if err != nil || late.Status != greed.StatusOpen || late.Open.Graphs != 400 || late.Question.TimeLimit == "none" {
		t.Errorf("without time: %+v, %v", late, err)
	}
	for _, limit := range []time.Duration{2 * time.Millisecond, 20 * time.Millisecond} {
		var part *greed.Cliffs
		late := gedtest.Late(t, limit, time.Second, func() {
			part, err = ask(t.Context(), greed.Near{Radius: 8, Time: limit}, "weight", 0)
		})
		if err != nil || part.Status != greed.StatusOpen || late > time.Second {
			t.Errorf("%v of time: %v, %v late", limit, err, late)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if _, err := ask(ctx, greed.Near{Radius: 8}, "", 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled: %v", err)
	}
	given, err := c.Cliffs(t.Context(), greed.CliffOptions{Attribute: "weight", Pairs: []truth.Pair{{Query: 0, Target: 1, Lower: 0, Upper: 99}}})
	if err != nil || given.Status != "" || given.Radius != nil || len(given.Pairs) != 1 {
		t.Errorf("pairs that are given: %+v, %v", given, err)
	}
}

// TestNearOtherRules: a molecule with a charge is not equal to itself where only one collection
// compares charges, nor a graph where labels have other parts. Pairs of two such collections are refused.
func TestNearOtherRules(t *testing.T) {
	readAs := func(rules dataset.Rules) *greed.Collection {
		c, err := greed.Open(t.Context(), greed.Source{Records: weighed(t, 5), As: &rules})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a, b := readAs(dataset.Rules{Charge: true}), collect(t, weighed(t, 5))
	for _, pair := range [][2]*greed.Collection{{a, b}, {b, a}} {
		near := greed.Near{Other: pair[1]}
		if _, err := pair[0].Join(t.Context(), greed.JoinOptions{Near: near}); !errors.Is(err, greed.ErrRules) || !strings.Contains(err.Error(), "charges") {
			t.Errorf("join: %v", err)
		}
		if _, err := pair[0].Cliffs(t.Context(), greed.CliffOptions{Near: near}); !errors.Is(err, greed.ErrRules) {
			t.Errorf("cliffs: %v", err)
		}
	}
	for _, rules := range [][2]dataset.Rules{
		{{NodeLabel: "x,y"}, {NodeLabel: "y,x"}},
		{{EdgeLabel: "x,y"}, {EdgeLabel: "x,z"}},
		{{Bin: map[string]float64{"x": 1, "y": 0}}, {Bin: map[string]float64{"x": 2}}},
	} {
		a, b := readAs(rules[0]), readAs(rules[1])
		if _, err := a.Join(t.Context(), greed.JoinOptions{Near: greed.Near{Other: b}}); !errors.Is(err, greed.ErrRules) {
			t.Errorf("%v: %v", rules, err)
		}
	}
	a = readAs(dataset.Rules{Charge: true, NodeLabel: "label"})
	b = readAs(dataset.Rules{Charge: true, NodeLabel: "symbol", Simplify: true})
	if found, err := a.Join(t.Context(), greed.JoinOptions{Near: greed.Near{Other: b}}); err != nil || found.Total < 5 {
		t.Errorf("by the same rules: %v", err)
	}
}

// TestJoinUsesItsTime: a pair that is open after its share is searched for again in the time left.
func TestJoinUsesItsTime(t *testing.T) {
	var text strings.Builder
	for i := range 12 {
		fmt.Fprintf(&text, "%s easy%d\n", strings.Repeat("C", i+1), i)
	}
	fmt.Fprintf(&text, "%s one\n%s two\n", strings.Repeat("C1CC(C)CC(O)C1CC", 6), strings.Repeat("C1CC(N)CCC1CO", 7)) // no computer proves their distance
	path := filepath.Join(t.TempDir(), "few.smi")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := greed.Open(context.Background(), greed.Source{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	limit := 200 * time.Millisecond
	found, err := c.Join(t.Context(), greed.JoinOptions{Near: greed.Near{Radius: 200, Time: limit}})
	if err != nil {
		t.Fatal(err)
	}
	// On a busy machine others are open as well.
	if found.Open.Inexact == 0 || found.Seconds < limit.Seconds() {
		t.Errorf("%d pairs after %v s, %+v", found.Total, found.Seconds, found.Open)
	}
}
