package help

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryTextIsNamedByATag: and no tag names a text that is not there. Those of package cmd/greed have a list and a
// test of their own.
func TestEveryTextIsNamedByATag(t *testing.T) {
	named := make(map[string]bool)
	tag := regexp.MustCompile(`doc:"\$\{(\w+)\}"`)
	for _, folder := range []string{"*", "*/*", "*/*/*"} {
		files, err := filepath.Glob(filepath.Join("..", "..", folder+".go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range tag.FindAllStringSubmatch(string(text), -1) {
				named[m[1]] = true
			}
		}
	}
	all := All()
	for name, text := range all {
		if !named[name] || text == "" || strings.Contains(text, "$") || all.Expand("${"+name+"}") != text {
			t.Errorf("%s: %q is the text of no tag", name, text)
		}
	}
	for name := range named {
		if all[name] == "" {
			t.Errorf("there is no text %s", name)
		}
	}
	for _, said := range []string{"", "no text", "${no_text}", "${how", "how"} {
		if got := all.Expand(said); got != said {
			t.Errorf("%q becomes %q", said, got)
		}
	}
}
