package archtest

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// elsewhere lists packages in which a word of the table has its own meaning, which
// readers of that field know.
var elsewhere = map[string][]string{
	"settle":  {"chem"},            // charges, bonds and types of atoms
	"settled": {"internal/assign"}, // nodes whose shortest path is known, as in Dijkstra's algorithm
}

// inTests lists words that names in tests may have: a test asks a service or an oracle.
var inTests = []string{"asked", "tell", "told"}

// inProse lists words that sentences need, though names do without.
var inProse = []string{"asked", "front", "tell", "tells", "told", "watched"}

// forbidden returns the words of the last column of the table in ARCHITECTURE.md, each
// with the word that stands in its place.
func forbidden(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| word | meaning | not |\n|---|---|---|\n")
	if !found {
		t.Fatal("ARCHITECTURE.md has no table of words")
	}
	words := make(map[string]string)
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 {
			break
		}
		for _, w := range strings.FieldsFunc(cells[3], func(r rune) bool { return r == ',' || r == ' ' }) {
			words[w] = strings.TrimSpace(cells[1])
		}
	}
	if len(words) == 0 {
		t.Fatal("the table of words forbids none")
	}
	return words
}

// wordsOf splits a name in camel case or with underscores into its words, in lower case.
func wordsOf(name string) []string {
	var list []string
	if before, after, found := strings.Cut(name, "_"); found {
		return append(wordsOf(before), wordsOf(after)...)
	}
	begin := 0
	runes := []rune(name)
	for i := range runes {
		if i > begin && unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1]) {
			list = append(list, strings.ToLower(string(runes[begin:i])))
			begin = i
		}
	}
	return append(list, strings.ToLower(string(runes[begin:])))
}

func TestWordsOf(t *testing.T) {
	for name, want := range map[string]string{"openShelf": "open shelf", "HoodsOf": "hoods of", "x": "x", "hunt_test": "hunt test", "parseSDF": "parse sdf"} {
		if got := strings.Join(wordsOf(name), " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestWordsOfTheTable keeps names, of files too, and comments to the words of the table in
// ARCHITECTURE.md.
func TestWordsOfTheTable(t *testing.T) {
	words := forbidden(t)
	for _, s := range sources(t) {
		seen := make(map[string]bool)
		check := func(text string, split []string, allowed []string) {
			for _, w := range split {
				instead, bad := words[w]
				if !bad || seen[text] || slices.Contains(allowed, w) || slices.ContainsFunc(elsewhere[w], func(pkg string) bool { return under(s.pkg, pkg) }) {
					continue
				}
				seen[text] = true
				t.Errorf("%s: %s: the word here is %s, not %s", s.name, text, instead, w)
			}
		}
		var allowed []string
		if s.test {
			allowed = inTests
		}
		name := strings.TrimSuffix(filepath.Base(s.name), filepath.Ext(s.name))
		check(name, wordsOf(name), allowed)
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				check(id.Name, wordsOf(id.Name), allowed)
			}
			return true
		})
		for _, group := range s.syntax.Comments {
			text := group.Text()
			check(text, strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }), inProse)
		}
	}
}

// TestArchitectureNamesThePackages: every package has its line in ARCHITECTURE.md, or stands in that of
// the packages of internal or lab/testing.
func TestArchitectureNamesThePackages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, s := range sources(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(s.pkg, "internal/"), "lab/testing/")
		if s.pkg == "." || seen[name] || under(s.pkg, "examples") {
			continue
		}
		seen[name] = true
		if !strings.Contains(string(text), "`"+name+"`") && !strings.Contains(string(text), "`"+s.pkg+"`") {
			t.Errorf("ARCHITECTURE.md does not name %s", s.pkg)
		}
	}
}
