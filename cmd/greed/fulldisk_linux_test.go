package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestIndexAddToFullDisk: whatever a full disk ends, the command says how many graphs it stored, and these are there.
func TestIndexAddToFullDisk(t *testing.T) {
	disk := t.TempDir()
	mount := func(flags uintptr, kilobytes int) error {
		return unix.Mount("tmpfs", disk, "tmpfs", flags, fmt.Sprintf("size=%dk", kilobytes))
	}
	if err := mount(0, 64<<10); err != nil {
		t.Skipf("no file system can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(disk, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	dir := t.TempDir()
	graphs := func(name string, from, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "t # %d\nv 0 a%d\nv 1 b\ne 0 1 x\n", from+i, i%50)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const before, more = 100, 4000
	first, second := graphs("first.tve", 0, before), graphs("second.tve", before, more)
	run := func(args ...string) (out, errors string, err error) {
		var stdout, stderr bytes.Buffer
		c := exec.CommandContext(t.Context(), "greed", args...)
		c.Stdout, c.Stderr = &stdout, &stderr
		err = c.Run()
		return stdout.String(), stderr.String(), err
	}
	template := filepath.Join(dir, "template.index")
	if _, text, err := run("index", "build", first, "-o", template); err != nil {
		t.Fatal(err, text)
	}
	index := filepath.Join(disk, "a.index")
	stored := regexp.MustCompile(`\(the first (\d+) graphs? of `)
	outcomes := make(map[string]int)
	for free := 0; ; free += 12 { // KiB
		if err := mount(unix.MS_REMOUNT, 64<<10); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(index); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(index, os.DirFS(template)); err != nil {
			t.Fatal(err)
		}
		var used unix.Statfs_t
		if err := unix.Statfs(disk, &used); err != nil {
			t.Fatal(err)
		}
		full := int(used.Blocks-used.Bfree) * int(used.Bsize) >> 10
		if err := mount(unix.MS_REMOUNT, full+free); err != nil {
			t.Fatal(err)
		}
		_, text, failed := run("index", "add", index, second)
		if err := mount(unix.MS_REMOUNT, 64<<10); err != nil {
			t.Fatal(err)
		}
		out, problem, err := run("index", "info", index, "--json")
		var info struct{ Graphs int }
		if err != nil || json.Unmarshal([]byte(out), &info) != nil {
			t.Fatalf("%d KiB: %v %s%s", free, err, out, problem)
		}
		want := before + more
		if failed != nil {
			want = before
			if said := stored.FindStringSubmatch(text); said != nil {
				n, _ := strconv.Atoi(said[1])
				want += n
			}
		}
		if info.Graphs != want {
			t.Fatalf("%d KiB: the index has %d graphs, want %d: %v %s", free, info.Graphs, want, failed, text)
		}
		if _, problem, err := run("index", "check", index); err != nil {
			t.Fatalf("%d KiB: %v %s", free, err, problem)
		}
		switch {
		case failed == nil && strings.Contains(text, "could not be prepared"):
			outcomes["stored, upkeep failed"]++
		case failed == nil:
			outcomes["stored"]++
		case want == before:
			outcomes["nothing stored"]++
		default:
			outcomes["stored in part"]++
		}
		if outcomes["stored"] > 0 {
			break
		}
	}
	t.Log(outcomes)
	if outcomes["stored in part"] == 0 || outcomes["nothing stored"] == 0 {
		t.Errorf("the disk was full at other places only: %v", outcomes)
	}
}
