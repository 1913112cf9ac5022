package greed

import (
	"strings"
	"testing"
)

// TestVerdictOfCandidates: with a model's candidates alone looked at, what is open is
// said of candidates, not of all graphs.
func TestVerdictOfCandidates(t *testing.T) {
	f := Found{Status: StatusChecked, K: 3, Answers: make([]Answer, 3), Open: Undecided{Missing: 57, Inexact: 3}}
	want := "checked: candidates of a model, others may be missed; at most 57 more candidates could still be nearer, 3 distances lie between two bounds"
	if got := f.Verdict(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	f.Open.Missing, f.K = 1, 0
	if got := f.Verdict(); !strings.Contains(got, "at most 1 more candidate could still be answers") {
		t.Errorf("%q", got)
	}
	if f.Status = StatusOpen; !strings.Contains(f.Verdict(), "at most 1 more graph could still be answers") {
		t.Errorf("%q", f.Verdict())
	}
}
