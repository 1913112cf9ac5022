package dataset

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// openFolder opens a folder: as one collection if a format recognises it, else as the
// collections in its files, sorted by name. It skips subfolders, and files in no known
// format, with a note.
func (r *Reader) openFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		switch info, err := os.Stat(filepath.Join(dir, e.Name())); {
		case err == nil && info.IsDir():
			r.env.notes.say("folder %s was left out: only files directly in %s are read", e.Name(), dir)
		case err != nil || !info.Mode().IsRegular():
			r.env.notes.say("%s was left out: it is a pipe, a device, a link to one, or a broken link", e.Name())
		default:
			names = append(names, e.Name())
		}
	}
	if f := folderFormat(dir, names, r.env.opt.Format); f != nil {
		if err := r.env.named(*f); err != nil {
			return err
		}
		r.cur, err = f.openFolder(dir, names, r.env)
		return err
	}
	if r.env.opt.Format != "" {
		if _, err := findFormat(r.env.opt.Format); err != nil {
			return err
		}
	}
	ids := newFileIDs(dir, names, r.env.opt)
	if ids.byFile {
		r.env.notes.say("graphs are named after their files, because the ids in the files are missing or repeated")
	}
	for i, name := range names {
		r.pending = append(r.pending, func() (decoder, error) {
			path := filepath.Join(dir, name)
			d, err := r.env.openFile(path)
			if errors.Is(err, ErrUnknownFormat) || errors.Is(err, ErrEmpty) {
				r.env.notes.say("%s was left out: %v", name, err)
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			return &fileRecords{decoder: d, ids: ids, env: r.env, file: i}, nil
		})
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: %w: the folder has no files", dir, ErrEmpty)
	}
	return nil
}

// folderFormat returns the format of a folder that is one collection, or nil.
func folderFormat(dir string, names []string, wanted string) *format {
	for _, f := range formats() {
		if f.openFolder != nil && (wanted == "" || wanted == f.name) && f.sniffFolder(dir, names) {
			return &f
		}
	}
	return nil
}
