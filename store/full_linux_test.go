package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// TestFullDiskUnderDatabase runs itself with a limit on the size of files,
// which the kernel enforces as a full disk would: the put that fails leaves
// what was there, in the same process and for others.
func TestFullDiskUnderDatabase(t *testing.T) {
	const variable = "GREED_STORE_TEST_FULL"
	if dir := os.Getenv(variable); dir != "" {
		putUntilFull(t, dir)
		return
	}
	dir := filled(t, inMemory(t), 60)
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullDiskUnderDatabase$")
	cmd.Env = append(os.Environ(), variable+"="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sound(t, dir)
	vectorsFit(t, load(t, dir))
}

func putUntilFull(t *testing.T, dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	info, err := os.Stat(filepath.Join(dir, databaseFile))
	must(t, err)
	limit := syscall.Rlimit{Cur: uint64(info.Size()) + 3*pageSize, Max: 1 << 40}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skip(err)
	}
	vocab := graph.NewVocabulary()
	for i := 0; ; i++ {
		if i == 10000 {
			t.Fatal("there was room for 10,000 changes")
		}
		// A record of its own for every change makes the file grow.
		if _, err = addAt(t.Context(), dir, []dataset.Record{newRecord(vocab, fmt.Sprint("more", i), i)}, 1); err != nil {
			break
		}
		if i%10 == 0 {
			sound(t, dir)
		}
	}
	if errors.Is(err, ErrDamaged) {
		t.Fatal(err)
	}
	sound(t, dir)
	// Copies and compactions say so once.
	limit.Cur = pageSize
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	s, err := Open(dir, Options{})
	must(t, err)
	defer s.Close()
	_, _, compacting := s.Compact(t.Context(), 1)
	for _, err := range []error{compacting, s.CopyTo(t.Context(), dir+".copy")} {
		if err == nil || strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("on a full disk: %v", err)
		}
	}
}
