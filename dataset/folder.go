package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// openFolder opens a folder: as one collection if a format recognises it, else as the
// collections in its files, sorted by name. It skips subfolders, hidden files and
// files in no known format, with a note, and hidden folders.
func (r *Reader) openFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var names []string
	hidden := 0
	for _, e := range entries {
		switch info, err := os.Stat(filepath.Join(dir, e.Name())); {
		case strings.HasPrefix(e.Name(), "."):
			if err != nil || !info.IsDir() {
				hidden++
			}
		case err == nil && info.IsDir():
			r.env.notes.say("folder %s was left out: only files directly in %s are read", e.Name(), dir)
		case err != nil || !info.Mode().IsRegular():
			r.env.notes.say("%s was left out: it is a pipe, a device, a link to one, or a broken link", e.Name())
		default:
			names = append(names, e.Name())
		}
	}
	if f := folderFormat(dir, names, r.env.opt.Format); f != nil {
		if err := r.env.fits(*f); err != nil {
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
	r.env.notes.count(hidden, "hidden file was left out: its name begins with a dot",
		"hidden files were left out: their names begin with a dot")
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
		return fmt.Errorf("%s: %w: the folder has no files, hidden ones aside", dir, ErrEmpty)
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

// fileIDs assigns ids to the graphs of a folder of files. Ids inside files are used as long
// as they are unique. Many programs write none, or the same in every file; then the name of
// the file is the id.
type fileIDs struct {
	stems []string // [files] of their names, different
	// byFile says that all graphs are named after their files.
	byFile bool
	file   map[string]int // by id, the file that had it first
}

// newFileIDs examines the first graphs of the first two files that have any. If their ids are
// missing or equal, all graphs of the folder are named after their files.
func newFileIDs(dir string, names []string, opt Options) *fileIDs {
	f := &fileIDs{stems: stems(names), file: make(map[string]int)}
	const tries = 8 // files that are no graphs come before those that are
	var first []string
	for _, name := range names[:min(len(names), tries)] {
		if id, ok := firstID(filepath.Join(dir, name), opt); ok {
			first = append(first, id)
		}
		if len(first) == 2 {
			break
		}
	}
	f.byFile = len(first) > 0 && first[0] == "" || len(first) == 2 && (first[1] == "" || first[0] == first[1])
	return f
}

// firstID returns the id of the first graph of a file.
func firstID(path string, opt Options) (id string, ok bool) {
	opt.Vocabulary, opt.Rejects = nil, nil
	d, err := newEnv(opt).openFile(path)
	if err != nil {
		return "", false
	}
	defer d.close()
	rec, err := d.next()
	return rec.ID, err == nil
}

// stems returns the names of files without extensions, or in full where two would be equal.
func stems(names []string) []string {
	out := make([]string, len(names))
	times := make(map[string]int)
	for i, name := range names {
		name = withoutCompression(name)
		out[i] = strings.TrimSuffix(name, filepath.Ext(name))
		times[out[i]]++
	}
	for i, name := range names {
		if times[out[i]] > 1 || out[i] == "" {
			out[i] = name
		}
	}
	return out
}

// fileRecords holds the records of one file of a folder.
type fileRecords struct {
	decoder
	ids    *fileIDs
	env    *env
	file   int
	number int // records so far
	// ahead says that the next record has been read, to learn whether the previous one was
	// the only one.
	ahead bool
	rec   Record
	err   error
}

func (f *fileRecords) next() (Record, error) {
	if !f.ahead {
		f.rec, f.err = f.decoder.next()
	}
	f.ahead = false
	rec := f.rec
	if f.err != nil {
		return rec, f.err
	}
	first, known := f.ids.file[rec.ID]
	repeated := known && first != f.file
	if rec.ID == "" || f.ids.byFile || repeated {
		if repeated && !f.ids.byFile {
			f.env.notes.count(1, "graph had an id that occurs in another file: it is named after its own file",
				"graphs had an id that occurs in another file: they are named after their own file")
		}
		f.name(&rec)
	}
	f.number++
	if _, known := f.ids.file[rec.ID]; !known {
		f.ids.file[rec.ID] = f.file
	}
	return rec, nil
}

// name names a record after its file. If the file has several, it adds the record's own id or
// number.
func (f *fileRecords) name(rec *Record) {
	id := f.ids.stems[f.file]
	if f.number > 0 || !f.last() {
		if rec.ID != "" {
			id += "-" + rec.ID
		} else {
			id += "-" + strconv.Itoa(f.number)
		}
	}
	rec.Name = cmp.Or(rec.Name, rec.ID)
	rec.ID = id
}

// last reports whether no record follows.
func (f *fileRecords) last() bool {
	if !f.ahead {
		f.rec, f.err = f.decoder.next()
		f.ahead = true
	}
	return errors.Is(f.err, io.EOF)
}
