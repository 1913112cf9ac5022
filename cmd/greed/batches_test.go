package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
)

// TestBatches: all records come once and in order, one batch at a time although the next is read beside it, and the
// first error ends it.
func TestBatches(t *testing.T) {
	write := func(n int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "%s\tm%d\n", strings.Repeat("C", 1+i%20), i)
		}
		path := filepath.Join(t.TempDir(), "m.smi")
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	failed := errors.New("failed")
	for _, n := range []int{1, batchSize, 2*batchSize + 7} {
		for _, failing := range []int{-1, 0, 1} {
			s := newSession(t.Context(), globals{})
			seen, batches := 0, 0
			var inside atomic.Int32
			_, err := s.batches(greed.Source{}, write(n), func(batch []dataset.Record) error {
				if inside.Add(1) != 1 {
					t.Error("two batches at a time")
				}
				defer inside.Add(-1)
				for _, r := range batch {
					if r.ID != fmt.Sprintf("m%d", seen) {
						t.Errorf("record %d is %s", seen, r.ID)
					}
					seen++
				}
				if batches++; batches-1 == failing {
					return failed
				}
				return nil
			})
			want := (n + batchSize - 1) / batchSize
			if failing >= 0 && failing < want {
				if want = failing + 1; !errors.Is(err, failed) {
					t.Errorf("%d records, batch %d fails: %v", n, failing, err)
				}
			} else if err != nil || seen != n {
				t.Errorf("%d records: %d seen, %v", n, seen, err)
			}
			if batches != want {
				t.Errorf("%d records, batch %d fails: %d batches, want %d", n, failing, batches, want)
			}
		}
	}
}
