package greed

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/space"
	"github.com/greedgraph/greed/store"
)

// ListEnding ends the name of a file that lists the indexes of one collection.
const ListEnding = ".indexes"

// Indexes returns where the indexes are that a path stands for, as one collection in this order: an index; a
// folder of indexes or a pattern such as part-*.index, in the order of their names, in which numbers count as
// such; a file that ends with [ListEnding] and names one in each line, from where the file is; or several of these
// with commas between them, of which one exists at least, and those that do not end with .index. It returns none
// if the path stands for something else.
func Indexes(path string) []string {
	if store.Exists(path) {
		return []string{path}
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return indexesIn(path)
	case err == nil && strings.HasSuffix(path, ListEnding):
		return listed(path)
	case err == nil:
		return nil
	}
	if strings.ContainsAny(path, "*?[") {
		if found, _ := filepath.Glob(path); len(found) > 0 { // of a SMILES there are none
			return ordered(found)
		}
	}
	var all []string
	some := false
	for _, one := range strings.Split(path, ",") {
		found := []string(nil)
		if one != path {
			found = Indexes(one)
		}
		switch some = some || found != nil; {
		case found == nil && strings.HasSuffix(one, indexEnding):
			found = []string{one} // which is missing
		case found == nil:
			return nil
		}
		all = append(all, found...)
	}
	if !some {
		return nil
	}
	return all
}

// indexEnding ends the name of an index as a rule. What is named so beside indexes is one that is missing or damaged.
const indexEnding = ".index"

// indexesIn returns the indexes in a folder that has no files beside them, but for those that begin with a dot or
// an underscore. A subfolder that is named like an index is one, too: it is damaged.
func indexesIn(folder string) (paths []string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_"):
		case e.Type().IsRegular():
			return nil
		case store.Exists(path) || strings.HasSuffix(path, indexEnding):
			paths = append(paths, path)
		}
	}
	return ordered(paths)
}

// ordered returns paths in the order of their names, or nil if none is an index. What a build has left is none.
func ordered(paths []string) []string {
	paths = slices.DeleteFunc(paths, func(path string) bool { return strings.HasSuffix(path, ".tmp") })
	slices.SortFunc(paths, byNumbers)
	if !slices.ContainsFunc(paths, store.Exists) {
		return nil
	}
	return paths
}

// listed returns the paths in a file. Those that are no indexes are missing or damaged.
func listed(file string) (paths []string) {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(filepath.Dir(file), line)
		}
		paths = append(paths, line)
	}
	return paths
}

// byNumbers compares texts, and digits that follow each other in them as numbers.
func byNumbers(a, b string) int {
	for x, y := a, b; x != "" && y != ""; {
		n, m := digits(x), digits(y)
		if n > 0 && m > 0 {
			p, q := strings.TrimLeft(x[:n], "0"), strings.TrimLeft(y[:m], "0")
			if c := cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)); c != 0 {
				return c
			}
			x, y = x[n:], y[m:]
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// digits returns how many digits a text begins with.
func digits(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789"))
}

// IsIndex reports whether a path stands for an index made by [Collection.Save] or greed index build, or for several
// of them: see [Indexes]. That of a synthon space is a file.
func IsIndex(path string) bool { return len(Indexes(path)) > 0 || space.IsFile(path) }

// openLive opens an index, or several as one collection.
func openLive(ctx context.Context, path string) (*live.Collection, error) {
	paths := Indexes(path)
	if len(paths) < 2 && (len(paths) == 0 || paths[0] == path) {
		return live.Open(ctx, path)
	}
	for i, p := range paths {
		if at := slices.IndexFunc(paths[:i], func(other string) bool { return sameFile(p, other) }); at >= 0 {
			return nil, fmt.Errorf("%s: %s and %s are the same index: name each once", path, paths[at], p)
		}
	}
	return live.OpenSeveral(ctx, paths)
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
