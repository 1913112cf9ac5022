package archtest

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// mostColumns is how wide a line may be, tabs being four.
const mostColumns = 120

// TestColumns: no line of the program is wider than an editor beside another one. Lines that Go cannot break, of raw
// strings and tags, and those for go generate may be; so may the tables of tests, the laboratory and what is generated.
func TestColumns(t *testing.T) {
	for _, pattern := range []string{"lab/*", "internal/kernel/*"} {
		if found, err := filepath.Glob(filepath.Join("..", "..", pattern)); err != nil || len(found) == 0 {
			t.Errorf("%s is exempt, but there is none: %v", pattern, err)
		}
	}
	files := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, e os.DirEntry, err error) error {
		slash := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		switch {
		case err != nil:
			return err
		case e.IsDir() && (slash == "lab" || slash == "internal/kernel" || strings.HasSuffix(slash, "node_modules") ||
			slash != "../.." && strings.HasPrefix(e.Name(), ".")):
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(slash, ".go") || strings.HasSuffix(slash, "_test.go"):
			return nil
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		files++
		lines := bufio.NewScanner(file)
		raw := false // within a raw string
		for number := 1; lines.Scan(); number++ {
			line := lines.Text()
			within := raw || strings.Contains(line, "`")
			raw = raw != (strings.Count(line, "`")%2 == 1)
			if columns := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); columns > mostColumns && !within &&
				!strings.HasPrefix(line, "//go:") {
				t.Errorf("%s:%d has %d columns, want at most %d", slash, number, columns, mostColumns)
			}
		}
		return lines.Err()
	})
	if err != nil {
		t.Error(err)
	}
	if files < 100 {
		t.Errorf("only %d files were looked at", files)
	}
}
