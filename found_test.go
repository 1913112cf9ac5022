package greed

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestVerdictOfCandidates: with a model's candidates alone looked at, what is open is
// said of candidates, not of all graphs.
func TestVerdictOfCandidates(t *testing.T) {
	f := Found{
		FoundTerms: FoundTerms{Status: StatusChecked, K: 3}, Answers: make([]Answer, 3),
		FoundRest: FoundRest{Open: Undecided{Missing: 57, Inexact: 3}},
	}
	want := "checked: candidates of a model, others may be missed; at most 57 more candidates could still be nearer, 3 distances lie between two bounds"
	if got := f.verdict(3); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	f.Open.Missing, f.K = 1, 0
	if got := f.verdict(3); !strings.Contains(got, "at most 1 more candidate could still be answers") {
		t.Errorf("%q", got)
	}
	if f.Status = StatusOpen; !strings.Contains(f.verdict(3), "at most 1 more graph could still be answers") {
		t.Errorf("%q", f.verdict(3))
	}
}

// TestVerdictOfTies: graphs as far away as the last answer are counted, in the sentence and
// in JSON, and a search within their distance finds as many.
func TestVerdictOfTies(t *testing.T) {
	c, err := Bundled(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	q, err := c.ParseSMILES("c1ccc2[nH]ccc2c1")
	if err != nil {
		t.Fatal(err)
	}
	all, err := c.Search(t.Context(), q, Options{Task: SED, Radius: new(0.0), Time: NoLimit})
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for k := 1; k <= len(all.Answers); k += 6 {
		f, err := c.Search(t.Context(), q, Options{Task: SED, K: k, Time: NoLimit})
		if err != nil || len(f.Answers) < min(k, len(all.Answers)) {
			t.Fatal(err, f)
		}
		more := len(all.Answers) - k
		if f.Tied.More > max(0, more) || f.Tied.More < more && !f.Tied.Open || strings.HasSuffix(f.Verdict, "more at distance 0") != (more > 0) {
			t.Errorf("k = %d of %d: %+v, %s", k, len(all.Answers), f.Tied, f.Verdict)
		}
		var back Found
		if text, err := json.Marshal(f); err != nil || json.Unmarshal(text, &back) != nil || back.Tied != f.Tied {
			t.Errorf("JSON has %+v of %+v (%v)", back.Tied, f.Tied, err)
		}
		for i, a := range f.Answers[:min(k, len(all.Answers))] {
			if a.ID != all.Answers[i].ID {
				t.Errorf("k = %d: answer %d is %s, of all it is %s", k, i, a.ID, all.Answers[i].ID)
			}
			rec, _ := c.Get(a.ID)
			if n := rec.Graph.N() + rec.Graph.M(); a.Similarity == 1 && n < size && i > 0 {
				t.Errorf("k = %d: answer %d of size %d comes after one of size %d", k, i, n, size)
			} else {
				size = n
			}
		}
	}
	for tied, want := range map[Tied]string{
		{}: "", {Distance: 3, More: 4}: "; 4 more at distance 3", {Distance: 3, More: 4, Open: true}: "; at least 4 more at distance 3", {Distance: 0.5, Open: true}: "; there may be more at distance 0.5",
	} {
		if got := tied.String(); got != want {
			t.Errorf("%+v: %q, want %q", tied, got, want)
		}
	}
}
