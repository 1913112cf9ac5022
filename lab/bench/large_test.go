package bench

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

func TestDrawLarge(t *testing.T) {
	vocab := graph.NewVocabulary()
	var all collection
	for i, n := range []int{5, 20, 21, 25, 30, 31, 40, 60} {
		b := graph.NewBuilder(vocab, false)
		for range n {
			b.AddNode("C")
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, dataset.Record{Graph: g, ID: string(rune('a' + i))})
	}
	draw := func(least, pairs int) []pair {
		drawn, err := (&lab{Options: Options{Scale: 1, Pairs: pairs}}).drawLarge(all, least)
		if err != nil {
			t.Fatal(err)
		}
		return drawn
	}
	for least, want := range map[int]int{21: 12, 31: 3} { // all there are
		pairs := draw(least, 45)
		seen := make(map[string]bool)
		for _, p := range pairs {
			if n := min(p.q.N(), p.t.N()); n < least || n > least+9 {
				t.Errorf("class %d: a pair of %d and %d nodes", least, p.q.N(), p.t.N())
			}
			ids := []string{p.query, p.target}
			slices.Sort(ids)
			seen[strings.Join(ids, "-")] = true
		}
		if len(pairs) != want || len(seen) != want {
			t.Errorf("class %d: %d pairs, %d different, want %d", least, len(pairs), len(seen), want)
		}
	}
	few, many := draw(21, 4), draw(21, 9)
	for i, p := range few {
		if p != many[i] {
			t.Error("fewer pairs are not the first of more")
		}
	}
	if _, err := (&lab{Options: Options{Scale: 1, Pairs: 45}}).drawLarge(all, 51); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a class of one graph: %v", err)
	}
}

func TestKnown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "known.tsv")
	k, err := readKnown(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ lower, upper, best float64 }{{2, 9.5, 9.5}, {1, 7, 7}, {3, 8, 7}} {
		if best, err := k.improve("s/unit", "a b", "c", step.lower, step.upper); err != nil || best != step.best {
			t.Errorf("best %v, %v, want %v", best, err, step.best)
		}
	}
	if _, err := k.improve("s/unit", "a b", "c", 7.1, 8); err == nil {
		t.Error("a lower bound above the best distance is accepted")
	}
	if err := k.save(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || string(data) != "s/unit\ta b\tc\t3\t7\n" {
		t.Errorf("%q, %v", data, err)
	}
	if k, err = readKnown(path); err != nil {
		t.Fatal(err)
	}
	if best, err := k.improve("s/unit", "a b", "c", 0, 100); err != nil || best != 7 {
		t.Errorf("best %v after reading, %v", best, err)
	}
	for _, bad := range []string{"a\tb\tc\t1", "a\tb\tc\tx\t1", "a\tb\tc\t1\tNaN", "a\tb\tc\t-1\t1"} {
		if err := os.WriteFile(path, []byte(bad+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readKnown(path); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestProcessorLimit(t *testing.T) {
	if processorTime() == 0 {
		t.Skip("needs processor times")
	}
	outer, cancel := context.WithCancel(t.Context())
	c := processorLimit{Context: outer, end: processorTime() + time.Hour}
	if c.Err() != nil {
		t.Error("it ended at once")
	}
	cancel()
	if !errors.Is(c.Err(), context.Canceled) {
		t.Error("it does not end with the context around it")
	}
	c = processorLimit{Context: t.Context(), end: processorTime() + 5*time.Millisecond}
	for c.Err() == nil {
	}
	if used := processorTime(); used < c.end || !errors.Is(c.Err(), context.DeadlineExceeded) {
		t.Errorf("it ends with %v, %v before its end", c.Err(), c.end-used)
	}
}
