package part_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/part"
)

// TestKeptParts: the parts kept of the first version give the table kept beside them, and
// one of a later version is refused by name.
func TestKeptParts(t *testing.T) {
	files := []string{filepath.Join("testdata", "v1-1.part"), filepath.Join("testdata", "v1-2.part")}
	want, err := os.ReadFile(filepath.Join("testdata", "v1.csv"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := csv(files)
	if err != nil || got != string(want) {
		t.Errorf("%v, pairs\n%s\nwant\n%s", err, got, want)
	}
	data, err := os.ReadFile(files[1])
	if err != nil {
		t.Fatal(err)
	}
	later := bytes.Replace(data, []byte(`"version":1`), []byte(`"version":2`), 1)
	files[1] = filepath.Join(t.TempDir(), "later.part")
	if err := os.WriteFile(files[1], later, 0o666); err != nil {
		t.Fatal(err)
	}
	const text = ": it is of version 2, want 1"
	if _, err := part.Open(files); !errors.Is(err, part.ErrPart) || !bytes.HasSuffix([]byte(err.Error()), []byte(text)) {
		t.Errorf("a later version: %v", err)
	}
}
