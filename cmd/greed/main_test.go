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
	model := newParser(new(commands)).Model
	examples := 0
	visit := func(n *kong.Node) {
		for _, line := range strings.Split(n.Detail, "\n") {
			_, example, ok := strings.Cut(line, "greed ")
			if !ok || !strings.HasPrefix(line, "    ") {
				continue
			}
			examples++
			understand(t, n.FullPath()+" --help", example)
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

// TestDocsAreUnderstood parses every command line that the README and the docs
// show on a line of its own, and those of bench and serve within a line.
func TestDocsAreUnderstood(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string)
	for _, file := range append(files, "../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	t.Chdir(t.TempDir())
	for _, folder := range []string{"DIR", "INDEX"} {
		exist(t, folder+".index")
		if err := os.Rename(folder+".index", folder); err != nil {
			t.Fatal(err)
		}
	}
	shown := regexp.MustCompile("(?m)^    (?:\\$ )?(?:go run \\./cmd/)?greed (.*)$|`greed ((?:bench|serve) [^`]*)`")
	examples := 0
	for file, text := range texts {
		for _, m := range shown.FindAllStringSubmatch(text, -1) {
			example := m[1] + strings.Join(strings.Fields(m[2]), " ")
			if strings.Contains(example, "…") || strings.HasSuffix(example, "--help") {
				continue
			}
			examples++
			understand(t, file, example)
		}
	}
	if examples < 20 {
		t.Errorf("only %d examples found", examples)
	}
}

// understand parses a command line that place shows, the name of the program
// left out. The files that it names are made.
func understand(t *testing.T, place, example string) {
	t.Helper()
	word := regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)
	fileName := regexp.MustCompile(`^\w+\.[a-z]+$`)
	remark := regexp.MustCompile(`\s{2,}.*`)
	args := word.FindAllString(remark.ReplaceAllString(example, ""), -1)
	for i := range args {
		args[i] = strings.Trim(args[i], `"'`)
		if fileName.MatchString(args[i]) {
			exist(t, args[i])
		}
	}
	if _, err := newParser(new(commands)).Parse(args); err != nil {
		t.Errorf("%s shows %q: %v", place, "greed "+example, err)
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
