package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/greedgraph/greed/lab/testing/clitest"
)

var command = clitest.Program{Name: "greed-lab", Main: main, Run: run}

func TestMain(m *testing.M) { command.Test(m) }

// TestScripts runs the command lines in testdata.
func TestScripts(t *testing.T) {
	folder := t.TempDir()
	product := sync.OnceValues(func() (string, error) { // for what is measured of it as a process
		file := filepath.Join(folder, "greed")
		out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", file, "../greed").CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		return file, err
	})
	bundle, err := filepath.Abs("../../bundle")
	if err != nil {
		t.Fatal(err)
	}
	command.Scripts(t, "testdata", func(env *testscript.Env) error {
		env.Setenv("BUNDLE", bundle) // models
		greed, err := product()
		env.Setenv("GREED", greed)
		return err
	})
}

// TestExamplesAreUnderstood parses every command line that a help text or a document shows.
func TestExamplesAreUnderstood(t *testing.T) {
	parser := func(...string) *kong.Kong { return newParser(new(commands)) }
	t.Run("help", func(t *testing.T) { clitest.Help(t, "greed-lab", parser, 20) })
	t.Run("docs", func(t *testing.T) {
		clitest.Docs(t, "greed-lab", "../..", []string{"ged", "index", "certify", "load", "accuracy", "baseline", "paper", "gscbench", "get"}, parser, 20)
	})
}
