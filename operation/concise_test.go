package operation_test

import (
	"strings"
	"testing"

	"github.com/greedgraph/greed/operation"
)

func TestConcise(t *testing.T) {
	long := strings.Repeat("é", 50_000)
	for text, want := range map[string]string{
		"": "", " a\tb\n": " a\tb\n", "short": "short", strings.Repeat("x", 500): strings.Repeat("x", 500),
		"SMILES " + long + ": bad\n" + strings.Repeat("C", 501): "SMILES " + strings.Repeat("é", 100) + "…" + strings.Repeat("é", 49) + ": (100001 bytes) bad\n" +
			strings.Repeat("C", 200) + "…" + strings.Repeat("C", 100) + " (501 bytes)",
		"é" + strings.Repeat("\xff", 600): "é…" + " (602 bytes)",
	} {
		if got := operation.Concise(text); got != want {
			t.Errorf("%.40q: got %q", text, got)
		}
	}
}
