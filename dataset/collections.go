package dataset

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Collections yields the paths of everything below a folder that [Open] may read by
// itself: folders that are one collection (a TUDataset, a GXL collection), and files
// outside of those, whatever they hold. Hidden files, pipes, devices and links to
// folders are skipped. It ends at the first error.
func Collections(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			hidden := path != dir && strings.HasPrefix(e.Name(), ".")
			switch {
			case err != nil:
				return err
			case hidden && e.IsDir():
				return fs.SkipDir
			case hidden:
				return nil
			case e.IsDir():
				names, err := regularFiles(path)
				if err != nil || folderFormat(path, names, "") == nil {
					return err
				}
				if !yield(path, nil) {
					return fs.SkipAll
				}
				return fs.SkipDir
			case kindOfFile(path) != regularFile:
				return nil
			case !yield(path, nil):
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield("", err)
		}
	}
}

// IsCollection reports whether a folder is one collection as a whole.
func IsCollection(dir string) bool {
	names, err := regularFiles(dir)
	return err == nil && folderFormat(dir, names, "") != nil
}

// regularFiles returns the names of the files right in a folder.
func regularFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && kindOfFile(filepath.Join(dir, e.Name())) == regularFile {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
