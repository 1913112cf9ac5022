package join_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search/join"
)

// TestFullDisk: a join whose disk is full, while the journal or the pairs are written, says so and leaves
// no pairs; where the disk has more room, it goes on from there, and the pairs are those of one run.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	mount := func(flags uintptr, kilobytes int) error {
		return unix.Mount("tmpfs", dir, "tmpfs", flags, fmt.Sprintf("size=%dk", kilobytes))
	}
	page := os.Getpagesize() >> 10
	if err := mount(0, page); err != nil {
		t.Skipf("no file system can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	job := join.Job{Queries: collection(records(rand.New(rand.NewPCG(8, 4)), graph.NewVocabulary(), "g", 120)), Radius: 4, Costs: edit.Uniform()}
	whole := filepath.Join(t.TempDir(), "pairs.csv")
	if _, err := job.RunFile(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "pairs.csv")
	full := make(map[string]bool) // what was being written
	kept := 0                     // queries in the journal when a run began
	for size := page; ; size += 4 * page {
		if err := mount(unix.MS_REMOUNT, size); err != nil {
			t.Fatal(err)
		}
		resumed := -1
		job.Progress = func(p join.Progress) {
			if resumed < 0 {
				resumed = p.Done - 1
			}
		}
		p, err := job.RunFile(t.Context(), path)
		if err == nil {
			break
		}
		if resumed < 0 { // none was left to search for
			resumed = p.Done
		}
		if !errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), "pairs.csv") {
			t.Fatalf("%d KB: %v", size, err)
		}
		if resumed < kept {
			t.Fatalf("%d KB: the journal has %d queries, and had %d", size, resumed, kept)
		}
		if kept = resumed; strings.Contains(err.Error(), ".journal") {
			full["journal"] = true
		} else {
			full["pairs"] = true
		}
		if _, err := os.Stat(path); err == nil {
			t.Fatalf("%d KB: the pairs were written", size)
		}
	}
	if !full["journal"] || !full["pairs"] {
		t.Errorf("the disk was full at %v only", full)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, %d bytes of pairs, want the %d of one run", err, len(got), len(want))
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v, left %v", err, left)
	}
}
