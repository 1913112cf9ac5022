package greed_test

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/greedgraph/greed"
)

// TestFoundReadsBack: the JSON of what was found, read again, says the same.
func TestFoundReadsBack(t *testing.T) {
	c := bundled(t)
	hardOnes, q := hard(t, 20, 30)
	for _, ask := range []struct {
		c   *greed.Collection
		q   *greed.Graph
		opt greed.Options
	}{
		{c, parse(t, c, "CCO"), greed.Options{K: 3}},
		{c, parse(t, c, "CCO"), greed.Options{Task: greed.SED, Radius: new(1.0), K: 4}},
		{c, parse(t, c, "CCO"), greed.Options{Radius: new(3.0), Mode: greed.Checked}},
		{c, parse(t, c, "CCO"), greed.Options{K: 3, Mode: greed.Predicted}},
		{c, parse(t, c, "CC[U]"), greed.Options{Radius: new(0.0)}},
		{hardOnes, q, greed.Options{K: 3, Time: 10 * time.Millisecond}},
		{hardOnes, q, greed.Options{K: 3, Task: greed.SED, Time: 10 * time.Millisecond}},
	} {
		found, err := ask.c.Search(context.Background(), ask.q, ask.opt)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(found)
		if err != nil {
			t.Fatal(err)
		}
		var again greed.Found
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		if twice, err := json.Marshal(&again); err != nil || string(twice) != string(text) {
			t.Errorf("%+v: error %v, read back as\n%s\nwas\n%s", ask.opt, err, twice, text)
		}
		if again.Verdict != found.Verdict || again.Certified != found.Certified {
			t.Errorf("%+v: %q, was %q", ask.opt, again.Verdict, found.Verdict)
		}
		for i, a := range found.Answers {
			lower, upper := a.Bounds()
			l, u := again.Answers[i].Bounds()
			if l != lower || u != upper || !reflect.DeepEqual(a.Predicted, again.Answers[i].Predicted) {
				t.Errorf("%+v: answer %+v, was %+v", ask.opt, again.Answers[i], a)
			}
			if ask.opt.Mode == greed.Predicted {
				var m map[string]any
				one, _ := json.Marshal(a)
				if err := json.Unmarshal(one, &m); err != nil {
					t.Fatal(err)
				}
				for _, name := range []string{"ged", "sed", "nged", "lower", "upper", "map", "edits"} {
					if _, ok := m[name]; ok {
						t.Errorf("a prediction has %s: %s", name, one)
					}
				}
			}
		}
	}
}

func TestTable(t *testing.T) {
	ctx := context.Background()
	c := greed.New()
	if _, err := c.Put(ctx,
		greed.Record{ID: "=1+1", Name: "-3", Graph: parse(t, c, "CO"), Attributes: map[string]any{"a": -0.5, "b": "-0.5", "c": "@x", "d": nil, "=e": nil}},
		greed.Record{ID: "other", Graph: parse(t, c, "CN")}); err != nil {
		t.Fatal(err)
	}
	show := []string{"a", "b", "c", "d", "=e"}
	found, err := c.Search(ctx, parse(t, c, "CO"), greed.Options{Show: show})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"rank", "id", "name", "smiles", "predicted", "lower", "upper", "exact", "similarity", "status", "a", "b", "c", "d", "'=e"},
		{"1", "'=1+1", "-3", "", "", "0", "0", "true", "1", "proven", "-0.5", "-0.5", "'@x", "", ""},
		{"2", "other", "", "", "", "1", "1", "true", "0.6065306597126334", "proven", "", "", "", "", ""},
	}
	if got := found.Table(show, false); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q, want %q", got, want)
	}
	if m := found.Answers[0].Attributes; !reflect.DeepEqual(m, map[string]any{"a": -0.5, "b": "-0.5", "c": "@x", "d": nil, "=e": nil}) || found.Answers[1].Attributes != nil {
		t.Errorf("attributes %v, %v", m, found.Answers[1].Attributes)
	}
}
