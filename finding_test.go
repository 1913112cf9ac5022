package greed_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/greedgraph/greed"
)

// TestEditsAreAskedFor: answers have edits only where they are asked for.
func TestEditsAreAskedFor(t *testing.T) {
	c := bundled(t)
	for _, explain := range []bool{false, true} {
		found, err := c.Search(t.Context(), parse(t, c, "OC(=O)c1ccccc1"), greed.Options{K: 5, Explain: explain})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range found.Answers {
			if a.Map == nil || (a.Edits != nil) != explain {
				t.Errorf("explain %v: answer %s has the map %v and the edits %v", explain, a.ID, a.Map, a.Edits)
			}
		}
		text, err := json.Marshal(found)
		if err != nil || strings.Contains(string(text), `"edits"`) != explain {
			t.Errorf("explain %v: %s, %v", explain, text, err)
		}
	}
}

// TestFind: answers taken one by one are those of a search, also after the collection has
// changed.
func TestFind(t *testing.T) {
	c, err := greed.Bundled(t.Context()) // its own, as graphs are deleted
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []greed.Mode{greed.Proven, greed.Checked, greed.Predicted} {
		q, opt := parse(t, c, "OC(=O)c1ccccc1"), greed.Options{K: 5, Mode: mode, Explain: true}
		want, err := c.Search(t.Context(), q, opt)
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.Find(t.Context(), q, opt)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Delete(t.Context(), want.Answers[1].ID); err != nil {
			t.Fatal(err)
		}
		if len(f.Found.Answers) > 0 || f.Len() != len(want.Answers) {
			t.Fatalf("%v: %d answers at once, %d of %d in all", mode, len(f.Found.Answers), f.Len(), len(want.Answers))
		}
		for i := range want.Answers {
			a, err := f.Answer(i)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Explain(i, &a); err != nil {
				t.Fatal(err)
			}
			if len(a.Edits) > f.Size(i) {
				t.Errorf("%v: %d edits of at most %d", mode, len(a.Edits), f.Size(i))
			}
			if !reflect.DeepEqual(a, want.Answers[i]) {
				t.Errorf("%v: %+v, want %+v", mode, a, want.Answers[i])
			}
			if d := want.Answers[i].Predicted; mode == greed.Predicted && f.At(i) != *d {
				t.Errorf("answer %d at %v, want %v", i, f.At(i), d)
			}
			if d, _ := want.Answers[i].Distance(); f.At(i) != d && mode != greed.Predicted {
				t.Errorf("answer %d at %v, want %v", i, f.At(i), d)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
