package part_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/part"
)

// TestKeptParts: the parts kept of this version give the table kept beside them. One of the
// first version, whose files had no checksum, is refused by name.
func TestKeptParts(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("testdata", "v2.csv"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := csv([]string{filepath.Join("testdata", "v2-1.part"), filepath.Join("testdata", "v2-2.part")})
	if err != nil || got != string(want) {
		t.Errorf("%v, pairs\n%s\nwant\n%s", err, got, want)
	}
	const text = ": it is of version 1, want 2"
	if _, err := part.Open([]string{filepath.Join("testdata", "v1-1.part")}); !errors.Is(err, part.ErrPart) || !strings.HasSuffix(err.Error(), text) {
		t.Errorf("the first version: %v", err)
	}
}

// TestForgedPart: what a part says of itself cannot be changed without notice.
func TestForgedPart(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "v2-2.part"))
	if err != nil {
		t.Fatal(err)
	}
	forged := filepath.Join(t.TempDir(), "forged.part")
	if err := os.WriteFile(forged, bytes.Replace(data, []byte(`"version":2`), []byte(`"version":3`), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := part.Open([]string{forged}); !errors.Is(err, part.ErrPart) || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("another header: %v", err)
	}
}
