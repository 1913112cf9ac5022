package dataset

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// openFolder opens a folder: as one collection if a format takes folders like
// it, else as the collections in its files, in the order of their names. Files
// in no known format are left out and noted, as are folders within.
func (r *Reader) openFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			r.env.notes.say("folder %s was left out: only the files right in %s are read", e.Name(), dir)
		default:
			names = append(names, e.Name())
		}
	}
	for _, f := range formats() {
		if f.openFolder == nil || r.env.opt.Format != "" && r.env.opt.Format != f.name {
			continue
		}
		if f.sniffFolder(dir, names) {
			r.cur, err = f.openFolder(dir, names, r.env)
			return err
		}
	}
	if r.env.opt.Format != "" {
		if _, err := findFormat(r.env.opt.Format); err != nil {
			return err
		}
	}
	for _, name := range names {
		r.pending = append(r.pending, func() (decoder, error) {
			path := filepath.Join(dir, name)
			d, err := r.env.openFile(path)
			if errors.Is(err, ErrUnknownFormat) || errors.Is(err, ErrEmpty) {
				r.env.notes.say("%s was left out: %v", name, err)
				return noRecords{}, nil
			}
			return d, err
		})
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: %w: the folder has no files", dir, ErrEmpty)
	}
	return nil
}

// noRecords decodes a file that is left out.
type noRecords struct{}

func (noRecords) next() (Record, error) { return Record{}, io.EOF }

func (noRecords) close() error { return nil }
