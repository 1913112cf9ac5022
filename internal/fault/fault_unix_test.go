//go:build unix

package fault

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTruncatedFile reads beyond the end of a file that was cut short.
func TestTruncatedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, make([]byte, 1<<16), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := unix.Mmap(int(f.Fd()), 0, 1<<16, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(b)
	sum := 0
	read := func() error {
		for _, x := range b {
			sum += int(x)
		}
		return nil
	}
	if err := Guard(read); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	var gone *Error
	if err := Guard(read); !errors.As(err, &gone) {
		t.Errorf("error %v after %d", err, sum)
	}
}

// TestOtherPanicsGoThrough: a bug is no fault.
func TestOtherPanicsGoThrough(t *testing.T) {
	var none *int
	for name, bug := range map[string]func(){
		"text": func() { panic("a bug") }, "nil": func() { *none = 1 }, "index": func() { _ = make([]int, 1)[len(name())] },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: swallowed", name)
				}
			}()
			_ = Guard(func() error { bug(); return nil })
		}()
	}
}

func name() string { return "fault" }
