package catalogue

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
)

// ErrOtherGraphs is wrapped if a source holds other graphs than those wanted.
var ErrOtherGraphs = errors.New("these are not the graphs that were measured with")

// Get makes the files of the collection in a data folder of what is in source: a file or
// a folder as the owner publishes it, or files that were made before. It returns the paths
// of the files. All are checked before the first is written.
func (e Entry) Get(ctx context.Context, source, data string) ([]string, error) {
	texts := make([][]byte, len(e.Files))
	for i, f := range e.Files {
		path, err := f.find(source)
		if err != nil {
			return nil, err
		}
		if texts[i], err = f.make(ctx, path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		sum := sha256.Sum256(texts[i])
		if got := hex.EncodeToString(sum[:]); got != f.SHA256 {
			return nil, fmt.Errorf("%s: %w: %s would have %d graphs and SHA-256 %s, want %s", path, ErrOtherGraphs, f.Path, bytes.Count(texts[i], []byte("t # ")), got, f.SHA256)
		}
	}
	var written []string
	for i, f := range e.Files {
		path := filepath.Join(data, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return written, err
		}
		if err := write(path, texts[i]); err != nil {
			return written, err
		}
		written = append(written, path)
	}
	return written, nil
}

func write(path string, text []byte) error {
	if !strings.HasSuffix(path, ".gz") {
		return atomicfile.WriteBytes(path, text)
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		z := gzip.NewWriter(w)
		if _, err := z.Write(text); err != nil {
			return err
		}
		return z.Close()
	})
}

// find returns what in the source holds the file.
func (f File) find(source string) (string, error) {
	info, err := os.Stat(source)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return source, nil
	}
	for _, end := range f.from {
		if end == "." {
			if isCollection(source) {
				return source, nil
			}
			continue
		}
		found := ""
		err := filepath.WalkDir(source, func(path string, e fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix("/"+filepath.ToSlash(path), "/"+end) {
				found = path
				return fs.SkipAll
			}
			return err
		})
		if err != nil || found != "" {
			return found, err
		}
	}
	return "", fmt.Errorf("%s: nothing in it is %s: want one of %s", source, f.Path, strings.Join(f.from, ", "))
}

// isCollection reports whether a folder is one collection as a whole: a TUDataset, or GXL files
// with their index.
func isCollection(dir string) bool {
	for _, pattern := range []string{"*_graph_indicator.txt*", "*.cxl"} {
		if names, err := filepath.Glob(filepath.Join(dir, pattern)); err == nil && len(names) > 0 {
			return true
		}
	}
	return false
}

// make returns the text of the file, as package dataset writes it in the format tve.
func (f File) make(ctx context.Context, path string) ([]byte, error) {
	opt := dataset.Options{Vocabulary: graph.NewVocabulary(), Context: ctx}
	var records []dataset.Record
	info, err := os.Stat(path)
	switch {
	case err != nil:
	case f.tidy.byID && info.IsDir():
		records, err = lists(path, opt)
	default:
		records, err = dataset.ReadAll(path, opt)
	}
	if err != nil {
		return nil, err
	}
	if f.tidy.byID {
		number := func(r dataset.Record) int {
			n, err := strconv.Atoi(strings.TrimSuffix(r.ID, ".json"))
			if err != nil {
				return -1
			}
			return n
		}
		slices.SortStableFunc(records, func(a, b dataset.Record) int { return number(a) - number(b) })
	}
	var text bytes.Buffer
	w, err := dataset.NewWriter(&text, "tve")
	if err != nil {
		return nil, err
	}
	for _, rec := range records {
		if f.tidy.isolated {
			rec.Graph = withoutIsolated(rec.Graph)
		}
		if f.tidy.connected && !connected(rec.Graph) {
			continue
		}
		rec.ID = strings.TrimSuffix(rec.ID, ".json")
		if err := w.Write(dataset.Record{ID: rec.ID, Graph: rec.Graph}); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.Close(), ctx.Err()); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// withoutIsolated returns the graph without nodes that have no edges.
func withoutIsolated(g *graph.Graph) *graph.Graph {
	var keep []int
	for v := range g.N() {
		if g.Degree(v) > 0 {
			keep = append(keep, v)
		}
	}
	if len(keep) == g.N() {
		return g
	}
	return g.Induced(keep)
}

// connected reports whether all nodes are reached from the first, against directions, too.
func connected(g *graph.Graph) bool {
	if g.N() == 0 {
		return false
	}
	nodes, _ := g.Neighbourhood(0, g.N(), g.N())
	return len(nodes) == g.N()
}
