package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/greedgraph/greed/lab/testing/clitest"
)

var command = clitest.Program{Name: "greed", Main: main, Run: run}

func TestMain(m *testing.M) { command.Test(m) }

// TestScripts runs the command lines in testdata. The output formats they hold
// are interfaces that programs of others rely on.
func TestScripts(t *testing.T) { command.Scripts(t, "testdata", setUp(t)) }

func setUp(t *testing.T) func(*testscript.Env) error {
	bundle, err := filepath.Abs("../../bundle")
	if err != nil {
		t.Fatal(err)
	}
	return func(env *testscript.Env) error {
		env.Setenv("GORACE", "atexit_sleep_ms=0") // by default a second for every command
		env.Setenv("GOGC", "400")                 // most commands end before anything is collected
		env.Setenv("BUNDLE", bundle)              // models
		return nil
	}
}

// TestExamplesAreUnderstood parses every command line that a help text or a document shows.
func TestExamplesAreUnderstood(t *testing.T) {
	parser := func(words ...string) *kong.Kong { return newParser(new(commands), words...) }
	t.Run("help", func(t *testing.T) { clitest.Help(t, "greed", parser, 20) })
	t.Run("docs", func(t *testing.T) { clitest.Docs(t, "greed", "../..", []string{"serve"}, parser, 20) })
}

// TestHelpTexts: every command has a text, and every text belongs to a command.
func TestHelpTexts(t *testing.T) {
	files, err := helpFiles.ReadDir("help")
	if err != nil {
		t.Fatal(err)
	}
	left := make(map[string]bool)
	for _, f := range files {
		left[strings.TrimSuffix(f.Name(), ".txt")] = !f.IsDir()
	}
	model := newParser(new(commands)).Model
	for _, n := range append(model.Leaves(true), model.Node) {
		if n.Detail == "" || strings.Contains(n.Detail, "{{") || !left[pageName(n)] {
			t.Errorf("%s: the text of its help is %q", n.FullPath(), n.Detail)
		}
		delete(left, pageName(n))
	}
	for name, file := range left {
		if file {
			t.Errorf("help/%s.txt is of no command", name)
		}
	}
}
