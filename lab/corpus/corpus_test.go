package corpus

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
)

var update = flag.Bool("update", false, "write files.txt anew")

// folder returns the folder of the files, or skips the test.
func folder(t *testing.T) string {
	dir := os.Getenv("GREED_CORPUS")
	if dir == "" {
		t.Skip("GREED_CORPUS names no folder of files")
	}
	return dir
}

// files lists the files below the folder, as OWNER+NAME/PATH.
func files(t *testing.T, dir string) (list []string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name, _ := filepath.Rel(dir, path)
			list = append(list, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// outcome says what comes of reading a file: the graphs, nodes, edges and bad records, and the reason of the
// first bad record, or why the file was refused.
func outcome(path string) string {
	r, err := dataset.Open(path, dataset.Options{Mixed: true, Rules: dataset.Rules{Simplify: true}})
	if err != nil {
		return "refused: " + reason(err, path)
	}
	defer r.Close()
	graphs, nodes, edges, bad, first := 0, 0, 0, 0, ""
	for {
		rec, err := r.Next()
		var record *dataset.BadRecord
		switch {
		case err == io.EOF || errors.Is(err, dataset.ErrEmpty):
			if graphs == 0 && bad == 0 {
				return "refused: " + reason(err, path)
			}
			text := fmt.Sprintf("read: %d %d %d", graphs, nodes, edges)
			if bad > 0 {
				text += fmt.Sprintf("; %d bad: %s", bad, first)
			}
			return text
		case errors.As(err, &record):
			if bad++; first == "" {
				first = reason(record.Err, path)
			}
		case err != nil:
			return "refused: " + reason(err, path)
		default:
			graphs++
			nodes += rec.Graph.N()
			edges += rec.Graph.M()
		}
	}
}

// reason shortens the text of an error.
func reason(err error, path string) string {
	const most = 90
	text := strings.TrimPrefix(strings.ReplaceAll(dataset.Plain(err), path, ""), ": ")
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "?")
	if r := []rune(text); len(r) > most {
		text = string(r[:most])
	}
	return text
}

// TestFiles compares what comes of reading each file with the list, and names the slowest.
func TestFiles(t *testing.T) {
	dir := folder(t)
	var text strings.Builder
	var slowest time.Duration
	slow := ""
	for _, name := range files(t, dir) {
		start := time.Now()
		repository, path, _ := strings.Cut(name, "/")
		fmt.Fprintf(&text, "%s %s\t%s\n", strings.Replace(repository, "+", "/", 1), path, outcome(filepath.Join(dir, name)))
		if d := time.Since(start); d > slowest {
			slowest, slow = d, name
		}
	}
	t.Logf("slowest: %s, %v", slow, slowest)
	const list = "files.txt"
	if *update {
		if err := os.WriteFile(list, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	has := make(map[string]bool)
	for line := range strings.Lines(text.String()) {
		has[line] = true
	}
	for line := range strings.Lines(string(want)) {
		if !has[line] {
			t.Errorf("differs: %s", line)
		}
	}
}
