package bench

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed"
)

// TestRecall: what is found is counted without the queries themselves, and queries that the calibration does not know
// are counted as such.
func TestRecall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "queries.smi")
	if err := os.WriteFile(file, []byte("CC(=O)Oc1ccccc1C(=O)O a\nCCOC(=O)c1ccccc1 b\nC c\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows, err := Recall(t.Context(), RecallOptions{Queries: file, Task: greed.GED, Radii: []float64{4}, Share: .99})
	if err != nil {
		t.Fatal(err)
	}
	r := rows[0]
	if r.Queries != 2 || r.Refused != 1 || r.Reason == "" || r.Mean < .5 || r.Mean > 1 || r.Candidates < r.Within*r.All || r.Within == 0 {
		t.Errorf("%+v", r)
	}
}
