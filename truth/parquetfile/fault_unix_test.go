//go:build unix

package parquetfile_test

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/greedgraph/greed/truth/parquetfile"
)

var sink byte

// TestRecoverFromFault: reading memory that is not there is an error, not the end of the program.
func TestRecoverFromFault(t *testing.T) {
	text, err := syscall.Mmap(-1, 0, os.Getpagesize(), syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	err = func() (err error) {
		defer parquetfile.Recover(&err)()
		sink = text[0]
		return nil
	}()
	if err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
	if err := syscall.Munmap(text); err != nil {
		t.Error(err)
	}
}
