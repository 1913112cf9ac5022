package bench

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestNearest: members find others, not themselves; searches with enough time have all answers, and skipped members are
// those that come first.
func TestNearest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.smi")
	if err := os.WriteFile(file, []byte("CCO a\nCCN b\nCCCO c\nc1ccccc1O d\nc1ccccc1N e\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	measure := func(queries, skip int) (r NearestRow, all []NearestQuery) {
		r, err := Nearest(t.Context(), NearestOptions{Collection: file, Queries: queries, Skip: skip, K: 2,
			Time: time.Minute, Cut: time.Minute, Query: func(q NearestQuery) { all = append(all, q) }})
		if err != nil {
			t.Fatal(err)
		}
		return r, all
	}
	r, all := measure(9, 0)
	if r.Graphs != 5 || r.Queries != 5 || r.Proven != 5 || r.InTime != 5 || len(all) != 5 || r.Greatest < r.Median {
		t.Fatalf("%+v", r)
	}
	for _, q := range all {
		if q.Last < 1 || q.Found != 2 || !q.Proven {
			t.Errorf("%+v", q)
		}
	}
	if second, rest := measure(2, 3); second.Queries != 2 || rest[0].ID != all[3].ID || second.Digest == r.Digest {
		t.Errorf("%+v after 3", second)
	}
	if again, _ := measure(9, 0); again.Digest != r.Digest {
		t.Error("another digest of the same answers")
	}
}
