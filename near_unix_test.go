//go:build unix

package greed_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/store"
)

// TestNearOfTruncatedIndex cuts each file of an index short while its pairs are found: they
// are found as before, where that file is not read, or there is an error. Nothing crashes.
func TestNearOfTruncatedIndex(t *testing.T) {
	whole := collect(t, weighed(t, 400))
	dir := t.TempDir()
	sound := filepath.Join(dir, "sound")
	if err := whole.Save(sound); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(sound, "*"))
	if err != nil {
		t.Fatal(err)
	}
	radius := greed.Near{Radius: 1}
	want, err := whole.Join(t.Context(), greed.JoinOptions{Near: radius})
	if err != nil || want.Total == 0 {
		t.Fatalf("%+v, %v", want, err)
	}
	damaged := 0
	for _, file := range files {
		for _, size := range []int64{100, 20_000} {
			name := filepath.Base(file)
			cut := filepath.Join(dir, "cut")
			if err := errors.Join(os.RemoveAll(cut), os.CopyFS(cut, os.DirFS(sound))); err != nil {
				t.Fatal(err)
			}
			c, err := greed.Open(t.Context(), greed.Source{Path: cut})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(filepath.Join(cut, name), size); err != nil {
				t.Fatal(err)
			}
			j, err := c.Join(t.Context(), greed.JoinOptions{Near: radius})
			_, second := c.Cliffs(t.Context(), greed.CliffOptions{Near: radius, Attribute: "weight"})
			_, third := c.Cliffs(t.Context(), greed.CliffOptions{Near: greed.Near{Radius: 1, Other: whole}})
			switch {
			case err == nil && j.Total != want.Total:
				t.Errorf("%s, %d bytes: %d pairs, want %d", name, size, j.Total, want.Total)
			case err != nil && !errors.Is(err, store.ErrDamaged):
				t.Errorf("%s, %d bytes: %v", name, size, err)
			}
			for _, other := range []error{second, third} {
				if (err == nil) != (other == nil) || other != nil && !errors.Is(other, store.ErrDamaged) {
					t.Errorf("%s, %d bytes: %v, then %v", name, size, err, other)
				}
			}
			if err != nil {
				damaged++
			}
			_ = c.Close()
		}
	}
	if damaged == 0 {
		t.Error("nothing is read of any file")
	}
}
