// Package clitest runs the scripts that test a program, and checks the command lines in help
// texts and documents against its parser.
package clitest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Parser returns the parser of a program for a command line of these words; of none, for all.
type Parser func(words ...string) *kong.Kong

// Help parses every command line that a help text of the program shows. There must be
// at least so many of them.
func Help(t *testing.T, program string, parser Parser, least int) {
	t.Helper()
	t.Chdir(t.TempDir())
	examples := 0
	visit := func(n *kong.Node) {
		for _, line := range strings.Split(n.Detail, "\n") {
			if example, ok := strings.CutPrefix(line, "    "+program+" "); ok {
				examples++
				understand(t, n.FullPath()+" --help", program, example, parser)
			}
		}
	}
	model := parser().Model
	visit(model.Node)
	for _, leaf := range model.Leaves(false) {
		visit(leaf)
	}
	if examples < least {
		t.Errorf("only %d examples found", examples)
	}
}

// Docs parses every command line of the program that README.md and the documents in docs
// show on a line of its own or, where the command is one of inline, between backticks.
// root is the folder of the module. There must be at least so many of them.
func Docs(t *testing.T, program, root string, inline []string, parser Parser, least int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string)
	for _, file := range append(files, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	t.Chdir(t.TempDir())
	for _, folder := range []string{"DIR", "INDEX"} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	shown := regexp.MustCompile("(?m)^    (?:\\$ )?(?:go run \\./cmd/)?" + program + " (.*)$|`" + program + " ((?:" + strings.Join(inline, "|") + ") [^`]*)`")
	examples := 0
	for file, text := range texts {
		for _, m := range shown.FindAllStringSubmatch(text, -1) {
			example := m[1] + strings.Join(strings.Fields(m[2]), " ")
			if strings.Contains(example, "…") || strings.HasSuffix(example, "--help") {
				continue
			}
			examples++
			understand(t, file, program, example, parser)
		}
	}
	if examples < least {
		t.Errorf("only %d examples found", examples)
	}
}

var (
	word     = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)
	fileName = regexp.MustCompile(`^\w+\.[a-z]+$`)
	remark   = regexp.MustCompile(`\s{2,}.*`)
)

// understand parses a command line that place shows, the name of the program left out.
// The files that it names are made, as some must exist.
func understand(t *testing.T, place, program, example string, parser Parser) {
	t.Helper()
	args := word.FindAllString(remark.ReplaceAllString(example, ""), -1)
	for i := range args {
		args[i] = strings.Trim(args[i], `"'`)
		var err error
		switch {
		case strings.HasSuffix(args[i], ".index"):
			err = os.MkdirAll(args[i], 0o777)
		case fileName.MatchString(args[i]):
			err = os.WriteFile(args[i], nil, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := parser(args...).Parse(args); err != nil {
		t.Errorf("%s shows %q: %v", place, program+" "+example, err)
	}
}
