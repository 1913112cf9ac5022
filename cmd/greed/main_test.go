package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"greed": main})
}

// TestScripts runs the command lines in testdata. The output formats they hold
// are interfaces that programs of others rely on.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", "atexit_sleep_ms=0") // by default a second for every command
			bundle, err := filepath.Abs("../../bundle")
			env.Setenv("BUNDLE", bundle) // models
			return err
		},
	})
}

// TestExamplesAreUnderstood parses every command line that a help text shows.
func TestExamplesAreUnderstood(t *testing.T) {
	t.Chdir(t.TempDir())
	word := regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)
	fileName := regexp.MustCompile(`^\w+\.[a-z]+$`)
	remark := regexp.MustCompile(`\s{2,}.*`)
	model := newParser(new(commands)).Model
	examples := 0
	visit := func(n *kong.Node) {
		for _, line := range strings.Split(n.Detail, "\n") {
			_, example, ok := strings.Cut(line, "greed ")
			if !ok || !strings.HasPrefix(line, "    ") {
				continue
			}
			examples++
			args := word.FindAllString(remark.ReplaceAllString(example, ""), -1)
			for i := range args {
				args[i] = strings.Trim(args[i], `"'`)
				if fileName.MatchString(args[i]) {
					exist(t, args[i])
				}
			}
			if _, err := newParser(new(commands)).Parse(args); err != nil {
				t.Errorf("%s --help shows %q: %v", n.FullPath(), strings.TrimSpace(line), err)
			}
		}
	}
	visit(model.Node)
	for _, leaf := range model.Leaves(false) {
		visit(leaf)
	}
	if examples < 20 {
		t.Errorf("only %d examples found", examples)
	}
}

// exist makes a file, or the folder that an index is: some arguments of
// examples must exist.
func exist(t *testing.T, name string) {
	t.Helper()
	var err error
	if strings.HasSuffix(name, ".index") {
		err = os.MkdirAll(name, 0o777)
	} else {
		err = os.WriteFile(name, nil, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
