package clitest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/greedgraph/greed/lab/testing/sweep"
)

// Program is a program with scripts that test it.
type Program struct {
	Name string
	Main func()                              // runs it as a process
	Run  func(context.Context, []string) int // calls it with arguments and returns the exit code
}

// Test runs the tests of the program's package and exits. Processes find the program in PATH:
// it is the binary of the tests under another name.
func (p Program) Test(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == p.Name {
		p.Main()
		os.Exit(0)
	}
	folder, err := p.install()
	if err != nil {
		panic(fmt.Sprintf("clitest: %v", err))
	}
	sweep.LazyGC()
	code := m.Run()
	if err := os.RemoveAll(folder); err != nil {
		panic(fmt.Sprintf("clitest: %v", err))
	}
	os.Exit(code)
}

// install puts the program into a new folder, and this first into PATH.
func (p Program) install() (folder string, err error) {
	tests, err := os.Executable()
	if err != nil {
		return "", err
	}
	if folder, err = os.MkdirTemp("", p.Name); err != nil {
		return "", err
	}
	file := filepath.Join(folder, p.Name)
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	if err := os.Link(tests, file); err != nil {
		if symErr := os.Symlink(tests, file); symErr != nil {
			return "", errors.Join(err, symErr)
		}
	}
	return folder, os.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// Scripts runs the scripts in a folder. A line that begins with the name of the program calls
// it in this process, because to start a process takes ten times as long. It has no standard
// input, and the environment of the tests. With "exec" before the name it is a process, as it
// must be to read standard input or variables that the script sets, to be interrupted, for
// --help and --version, which exit, and for services and for greed-lab ged, which set limits
// of their process.
func (p Program) Scripts(t *testing.T, folder string, setup func(*testscript.Env) error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.Mutex // the working folder and standard output belong to the process
	testscript.Run(t, testscript.Params{
		Dir:                folder,
		RequireUniqueNames: true,
		Setup:              setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			p.Name: func(ts *testscript.TestScript, fails bool, args []string) {
				calls.Lock()
				defer calls.Unlock()
				code, err := p.call(ts, args)
				ts.Check(err)
				if fails != (code != 0) {
					ts.Fatalf("unexpected exit code %d", code)
				}
			},
		},
	})
}

// call calls the program in the working folder of a script, and gives the script what it writes.
func (p Program) call(ts *testscript.TestScript, args []string) (code int, err error) {
	back, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	if err := os.Chdir(ts.MkAbs(".")); err != nil {
		return 0, err
	}
	out, err := divert(&os.Stdout, ts.Stdout())
	if err != nil {
		return 0, err
	}
	errs, err := divert(&os.Stderr, ts.Stderr())
	if err != nil {
		return 0, err
	}
	code = p.Run(context.Background(), args)
	return code, errors.Join(out(), errs(), os.Chdir(back))
}

// divert puts a new file in the place of another, until restore is called, which copies to w
// what was written.
func divert(file **os.File, w io.Writer) (restore func() error, err error) {
	f, err := os.CreateTemp("", "output")
	if err != nil {
		return nil, err
	}
	old := *file
	*file = f
	return func() error {
		*file = old
		_, err := f.Seek(0, io.SeekStart)
		if err == nil {
			_, err = io.Copy(w, f)
		}
		return errors.Join(err, f.Close(), os.Remove(f.Name()))
	}, nil
}
