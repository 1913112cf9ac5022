package dataset

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/chem"
)

func ctFormat() format {
	return format{
		name:       "ct",
		about:      "connection table of ChemDraw, one molecule a file",
		extensions: []string{"ct"},
		sniff:      sniffCT,
		open:       openCT,
	}
}

func openCT(in *input, e *env) (decoder, error) {
	return &blocks{
		in: in, env: e, pieces: newPieces(in.r, e, false, splitNever),
		parse: (*chem.BlockParser).CT, converter: e.converter(),
	}, nil
}

// sniffCT looks for two whole numbers in the second line and three numbers and
// an element in the third.
func sniffCT(head []byte) bool {
	lines := bytes.SplitN(head, []byte{'\n'}, 4)
	if len(lines) < 4 {
		return false
	}
	counts, atom := bytes.Fields(lines[1]), bytes.Fields(lines[2])
	if len(counts) != 2 || len(atom) < 4 {
		return false
	}
	for _, c := range counts {
		if _, err := strconv.Atoi(string(c)); err != nil {
			return false
		}
	}
	for _, x := range atom[:3] {
		if _, err := strconv.ParseFloat(string(x), 64); err != nil {
			return false
		}
	}
	_, known := chem.FindElement(string(atom[3]))
	return known
}

func dsFormat() format {
	return format{
		name:       "ds",
		about:      "list of .ct files with a value each, as in the chemistry datasets of GREYC, or a folder with one",
		extensions: []string{"ds"},
		open: func(in *input, e *env) (decoder, error) {
			d := &ctList{env: e, seen: make(map[string]bool)}
			d.use(in)
			return d, nil
		},
		sniffFolder: func(_ string, names []string) bool { return len(lists(names)) > 0 },
		openFolder: func(dir string, names []string, e *env) (decoder, error) {
			d := &ctList{env: e, seen: make(map[string]bool)}
			for _, name := range lists(names) {
				d.lists = append(d.lists, filepath.Join(dir, name))
			}
			if len(d.lists) > 1 {
				e.notes.say("the folder has %d lists, which are read one after the other: %s", len(d.lists), strings.Join(enough(lists(names)), ", "))
			}
			return d, nil
		},
	}
}

func lists(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return strings.ToLower(filepath.Ext(name)) != ".ds" })
}

// ctList decodes the molecules in the files that lists name, each file once:
//
//	FILE [VALUE]
//
// The value, a class or a number, becomes the property "class"; the name of the
// file is the id.
type ctList struct {
	env   *env
	lists []string // not yet opened
	seen  map[string]bool
	in    *input // the open list, or nil
	lines *bufio.Scanner
	line  int
}

func (d *ctList) use(in *input) {
	d.in, d.line = in, 0
	d.lines = bufio.NewScanner(in.r)
}

func (d *ctList) close() error {
	if d.in == nil {
		return nil
	}
	return d.in.close()
}

func (d *ctList) next() (Record, error) {
	for {
		if d.in == nil {
			if len(d.lists) == 0 {
				return Record{}, io.EOF
			}
			in, err := openListed(d.lists[0])
			d.lists = d.lists[1:]
			if err != nil {
				return Record{}, err
			}
			d.use(in)
		}
		if !d.lines.Scan() {
			in, err := d.in, d.lines.Err()
			if err != nil {
				return Record{}, fmt.Errorf("%s:%d: %w", in.name, d.line+1, err)
			}
			d.in = nil
			if err := in.close(); err != nil {
				return Record{}, err
			}
			continue
		}
		d.line++
		file, value := strings.TrimSpace(d.lines.Text()), ""
		if i := strings.IndexAny(file, " \t"); i >= 0 {
			file, value = file[:i], file[i:]
		}
		if file == "" || d.seen[file] {
			continue
		}
		d.seen[file] = true
		return d.molecule(file, strings.TrimSpace(value))
	}
}

// molecule reads the file of one line.
func (d *ctList) molecule(file, value string) (Record, error) {
	local := filepath.FromSlash(file)
	if !filepath.IsLocal(local) {
		return Record{}, d.env.bad(d.in.name, d.line, file, nil, fmt.Errorf("found file %s, expected a name inside the folder of the list", quoted(file)))
	}
	in, err := openListed(filepath.Join(filepath.Dir(d.in.path), local))
	if err != nil {
		return Record{}, d.env.bad(d.in.name, d.line, file, nil, fmt.Errorf("the file that the list names: %w", err))
	}
	defer in.close()
	ct, err := openCT(in, d.env)
	if err != nil {
		return Record{}, err
	}
	rec, err := ct.next()
	if err == io.EOF {
		err = d.env.bad(in.name, 0, file, nil, fmt.Errorf("the file that the list names is empty"))
	}
	if err != nil {
		return Record{}, err
	}
	rec.ID = strings.TrimSuffix(file, filepath.Ext(file))
	if value != "" {
		rec.Attributes = map[string]any{"class": value}
	}
	return rec, nil
}
