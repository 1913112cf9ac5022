package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/greedgraph/greed/internal/help"
)

// TestFlagHelp: every text of flags is of one that a tag names, and in help none has a name for its text.
func TestFlagHelp(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := make(map[string]bool)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`help:"\$\{(\w+)\}"`).FindAllStringSubmatch(string(text), -1) {
			named[m[1]] = true
		}
	}
	texts := help.Parse(flagTexts)
	for name, text := range texts {
		if !named[name] || text == "" || strings.Contains(text, "$") {
			t.Errorf("%s: %q is the help of no flag", name, text)
		}
	}
	for name := range named {
		if texts[name] == "" {
			t.Errorf("there is no text %s", name)
		}
	}
	var cli commands
	for _, f := range newParser(&cli, "serve").Model.AllFlags(false) {
		for _, flag := range f {
			if strings.Contains(flag.Help, "$") || flag.Help == "" {
				t.Errorf("--%s: %q", flag.Name, flag.Help)
			}
		}
	}
}
