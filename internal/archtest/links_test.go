package archtest

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	codeBlock = regexp.MustCompile("(?ms)^```.*?^```|^\n(?: {4}[^\n]*\n|\n)+")
	codeSpan  = regexp.MustCompile("`[^`]+`")
	heading   = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
	noAnchor  = regexp.MustCompile(`[^\pL\pN _-]`)
)

// anchors returns the anchors that GitHub gives the headings of a page.
func anchors(text string) []string {
	var list []string
	seen := make(map[string]int)
	for _, found := range heading.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, "\n"), -1) {
		shown := link.ReplaceAllString(found[1], "]")
		anchor := strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(shown), ""), " ", "-")
		if seen[anchor]++; seen[anchor] > 1 {
			anchor = fmt.Sprintf("%s-%d", anchor, seen[anchor]-1)
		}
		list = append(list, anchor)
	}
	return list
}

// pages returns the text of every page of the repository.
func pages(t *testing.T) map[string]string {
	t.Helper()
	pages := make(map[string]string)
	walk(t, func(name string) {
		if path.Ext(name) != ".md" {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = string(text)
	})
	return pages
}

// TestTablesOfPages: the line below the headings of a table stands alone, as Markdown requires.
func TestTablesOfPages(t *testing.T) {
	for name, text := range pages(t) {
		for line := range strings.Lines(codeBlock.ReplaceAllString(text, "\n")) {
			if strings.Contains(line, "|---") && strings.Trim(line, " |-:\n") != "" {
				t.Errorf("%s: a table is broken: %s", name, line)
			}
		}
	}
}

// TestLinksOfPages: every link from a page of the repository to another, or to a heading,
// leads somewhere.
func TestLinksOfPages(t *testing.T) {
	pages := pages(t)
	links := 0
	for name, text := range pages {
		prose := codeSpan.ReplaceAllString(codeBlock.ReplaceAllString(text, "\n"), "")
		for _, found := range link.FindAllStringSubmatch(prose, -1) {
			target := found[1] + found[2]
			if strings.Contains(target, ":") {
				continue // an address elsewhere
			}
			links++
			file, anchor, _ := strings.Cut(target, "#")
			to := name
			if file != "" {
				to = path.Join(path.Dir(name), file)
			}
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s: %s: there is no such file", name, target)
			} else if anchor != "" && !slices.Contains(anchors(pages[to]), anchor) {
				t.Errorf("%s: %s: there is no such heading", name, target)
			}
		}
	}
	if links < 100 {
		t.Errorf("only %d links found", links)
	}
}

// TestTestsOfPages: every test that a page names is there, by its whole name: -run is content with a part of one.
func TestTestsOfPages(t *testing.T) {
	there := make(map[string]bool)
	walk(t, func(name string) {
		if !strings.HasSuffix(name, "_test.go") {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range testFunc.FindAllStringSubmatch(string(text), -1) {
			there[found[1]] = true
		}
	})
	named := 0
	for name, text := range pages(t) {
		for _, test := range testName.FindAllString(text, -1) {
			if named++; !there[test] {
				t.Errorf("%s names %s: there is no such test", name, test)
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d tests are named", named)
	}
}

var (
	testFunc = regexp.MustCompile(`(?m)^func (Test[A-Z]\w+)\(`)
	testName = regexp.MustCompile(`\bTest[A-Z]\w+`)
)
