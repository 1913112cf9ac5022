package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/greedgraph/greed/internal/clitest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"greed-lab": main})
}

// TestScripts runs the command lines in testdata.
func TestScripts(t *testing.T) {
	folder := t.TempDir()
	program := sync.OnceValues(func() (string, error) { // the product, for what is measured of it as a process
		file := filepath.Join(folder, "greed")
		out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", file, "../greed").CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		return file, err
	})
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			bundle, err := filepath.Abs("../../bundle")
			if err != nil {
				return err
			}
			env.Setenv("BUNDLE", bundle) // models
			greed, err := program()
			env.Setenv("GREED", greed)
			return err
		},
	})
}

// TestExamplesAreUnderstood parses every command line that a help text or a document shows.
func TestExamplesAreUnderstood(t *testing.T) {
	parser := func(...string) *kong.Kong { return newParser(new(commands)) }
	t.Run("help", func(t *testing.T) { clitest.Help(t, "greed-lab", parser, 20) })
	t.Run("docs", func(t *testing.T) {
		clitest.Docs(t, "greed-lab", "../..", []string{"ged", "index", "certify", "load", "accuracy", "baseline", "paper", "get"}, parser, 20)
	})
}
