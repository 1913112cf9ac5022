package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

func TestDeviceIsWrittenDirectly(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	if err := WriteBytes(os.DevNull, []byte("x")); err != nil {
		t.Error(err)
	}
	if err := WriteBytes("/dev/full", []byte("x")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a full device gave %v", err)
	}
}

// TestFullDisk runs itself with a limit on the size of files, which the kernel
// enforces in the middle of a write as a full disk would.
func TestFullDisk(t *testing.T) {
	const variable = "ATOMICFILE_TEST_FULL_DISK"
	if path := os.Getenv(variable); path != "" {
		signal.Ignore(syscall.SIGXFSZ)
		limit := syscall.Rlimit{Cur: 1 << 17, Max: 1 << 17}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Skip(err)
		}
		err := Write(path, func(w io.Writer) error {
			for range 1 << 10 {
				if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<10)); err != nil {
					return err
				}
			}
			return nil
		})
		if !errors.Is(err, syscall.EFBIG) {
			t.Fatalf("got %v", err)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := WriteBytes(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$")
	cmd.Env = append(os.Environ(), variable+"="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wantContent(t, path, "old")
	wantAlone(t, path)
}
