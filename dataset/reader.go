package dataset

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/greedgraph/greed/graph"
)

// Reader yields the records of a collection in order. It is not safe for concurrent use.
// Close it when done.
type Reader struct {
	env  *env
	name string
	series
	// pending holds functions that open the files of a folder not yet read.
	pending []func() (decoder, error)

	direction Direction // that of the first record
	position  int       // records met, bad ones included
	bad       int
	firstBad  error
	err       error // what every later Next returns
}

// Open opens a collection: a file, a folder (a TUDataset, GXL files with their index, or
// files that are each a collection), or "-" for standard input. It detects the compression
// (gzip or zstd) and, unless opt.Format is set, the format from the content.
func Open(path string, opt Options) (*Reader, error) {
	if path == "-" {
		return NewReader(os.Stdin, "standard input", opt)
	}
	if err := opt.Check(); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	r := newReader(path, opt)
	if info.IsDir() {
		err = r.openFolder(path)
	} else {
		r.cur, err = r.env.openFile(path)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// NewReader reads a collection from a stream. Errors refer to it as name, whose extension
// helps to detect the format if the content is ambiguous. The Reader does not close the
// stream.
func NewReader(stream io.Reader, name string, opt Options) (*Reader, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	r := newReader(name, opt)
	in, err := newInput(stream, name)
	if err != nil {
		return nil, err
	}
	if r.cur, err = r.env.open(in); err != nil {
		return nil, errors.Join(err, in.close())
	}
	return r, nil
}

func newReader(name string, opt Options) *Reader {
	r := &Reader{env: newEnv(opt), name: name}
	r.follow = func() (decoder, error) {
		if len(r.pending) == 0 {
			return nil, io.EOF
		}
		open := r.pending[0]
		r.pending = r.pending[1:]
		return open()
	}
	return r
}

// ReadAll returns all records of a collection. On an error it returns the records read before
// it, too.
func ReadAll(path string, opt Options) ([]Record, error) {
	r, err := Open(path, opt)
	if err != nil {
		return nil, err
	}
	var list []Record
	for rec, err := range r.All() {
		if err != nil {
			return list, errors.Join(err, r.Close())
		}
		list = append(list, rec)
	}
	return list, r.Close()
}

// Vocabulary returns the vocabulary of the labels of all records.
func (r *Reader) Vocabulary() *graph.Vocabulary { return r.env.vocab }

// Notes returns, in a sentence each, the choices made so far that users may want to know of,
// and what was left out or folded. It is complete once Next has returned io.EOF.
func (r *Reader) Notes() []Note {
	list := append(r.env.notes.list(), r.env.molecules.list()...)
	if e := r.env; !e.opt.Adopted {
		for _, name := range slices.Sorted(maps.Keys(e.opt.Bin)) {
			if !slices.Contains(e.nodeChoice.names, name) && !slices.Contains(e.edgeChoice.names, name) {
				list = append(list, Remark("%v does not count: this attribute is no part of a label",
					Setting{"bin", shorten(name)}))
			}
		}
		if compared, _ := e.opt.Compared(); len(compared) > 0 && !e.molecular {
			list = append(list, Remark("%s count only in molecules, and there are none", strings.Join(compared, ", ")))
		}
	}
	if r.bad > 0 && r.env.opt.SkipBad {
		list = append(list, Remark("%d of %d records are bad and were skipped", r.bad, r.position))
	}
	return list
}

// Next returns the next record, or io.EOF after the last. For a record that cannot be read it
// returns a [*BadRecord], and the next call continues with the record after it; with
// [Options.SkipBad], Next skips it. Any other error is final. A collection without a single
// good record is an error, too: see [ErrEmpty].
func (r *Reader) Next() (Record, error) {
	for r.err == nil {
		if r.err = r.env.ctxErr(); r.err != nil {
			break
		}
		rec, err := r.next()
		if err == nil && rec.ID == "" && !r.env.opt.Unnumbered {
			rec.ID = fmt.Sprint(r.position)
		}
		if err == nil {
			err = r.check(rec)
		}
		var bad *BadRecord
		switch {
		case err == nil:
			r.position++
			if !validText(&rec) {
				r.env.notes.count(1, "record has an id, a name or attributes that are not UTF-8, which JSON, "+
					"Parquet and indexes need: convert the file",
					"records have ids, names or attributes that are not UTF-8, which JSON, Parquet and indexes "+
						"need: convert the file")
			}
			if e := r.env; !e.kekule && !rec.IsMolecule() && kekule(rec.Graph) {
				e.kekule = true
				e.notes.say("a graph has a ring of C or N whose edges are 1 and 2 in turn, as a molecule drawn with " +
					"single and double bonds; its edges stay 1 and 2, while those of such rings in SMILES and MOL " +
					"files are aromatic (ar): give molecules as SMILES or MOL files to compare them with those")
			}
			return rec, nil
		case errors.As(err, &bad):
			bad.Record = r.position
			r.position++
			r.bad++
			if !r.env.opt.SkipBad {
				return Record{}, bad
			}
			if r.firstBad == nil {
				r.firstBad = bad
			}
			if r.env.opt.Rejects != nil {
				r.env.opt.Rejects(*bad)
			}
		case err == io.EOF && r.position == 0:
			r.err = r.empty()
		case err == io.EOF && r.firstBad != nil && r.bad == r.position:
			r.err = fmt.Errorf("%s: %w: all %d records are bad, the first: %w", r.name, ErrEmpty, r.bad, r.firstBad)
		default:
			r.err = err
		}
	}
	return Record{}, r.err
}

// check returns a bad record for a graph whose direction differs from those before, or that
// is larger than allowed. Most formats notice the latter while they read.
func (r *Reader) check(rec Record) error {
	if !r.direction.Known() {
		r.direction = DirectionOf(rec)
	}
	var err error
	opt, g := &r.env.opt, rec.Graph
	switch {
	case opt.MaxNodes > 0 && g.N() > opt.MaxNodes:
		err = fmt.Errorf("%w: %d nodes, more than %d", ErrRecordTooLarge, g.N(), opt.MaxNodes)
	case opt.MaxEdges > 0 && g.M() > opt.MaxEdges:
		err = fmt.Errorf("%w: %d edges, more than %d", ErrRecordTooLarge, g.M(), opt.MaxEdges)
	case !opt.Mixed:
		err = r.direction.Check(rec)
	}
	if err != nil {
		return &BadRecord{File: rec.File, Line: rec.Line, ID: rec.ID, Err: err}
	}
	return nil
}

// validText reports whether what a record says beside its graph is UTF-8.
func validText(rec *Record) bool {
	valid := utf8.ValidString(rec.ID) && utf8.ValidString(rec.Name)
	for key, value := range rec.Attributes {
		text, _ := value.(string)
		valid = valid && utf8.ValidString(key) && utf8.ValidString(text)
	}
	return valid
}

// empty returns the error of a collection without records.
func (r *Reader) empty() error {
	if said := r.env.notes.said; len(said) > 0 {
		return fmt.Errorf("%s: %w: %s", r.name, ErrEmpty, said[len(said)-1])
	}
	return fmt.Errorf("%s: %w: it holds only blanks or comments", r.name, ErrEmpty)
}

// All yields the records and errors of [Reader.Next] up to the end of the collection or the
// first error, which comes last.
func (r *Reader) All() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			rec, err := r.Next()
			if err == io.EOF || !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// Close closes the files that the Reader opened.
func (r *Reader) Close() error {
	r.pending = nil
	return r.close()
}

// series concatenates the records of several decoders.
type series struct {
	cur    decoder                 // the open one, or nil
	follow func() (decoder, error) // opens the next, nil for one to pass over; io.EOF after the last
}

func (s *series) next() (Record, error) {
	for {
		if s.cur == nil {
			next, err := s.follow()
			if err != nil {
				return Record{}, err
			}
			s.cur = next
			continue
		}
		rec, err := s.cur.next()
		if err != io.EOF {
			return rec, err
		}
		if err := s.close(); err != nil {
			return Record{}, err
		}
	}
}

func (s *series) close() error {
	cur := s.cur
	s.cur = nil
	if cur == nil {
		return nil
	}
	return cur.close()
}

// openFile opens a decoder on a file.
func (e *env) openFile(path string) (decoder, error) {
	in, err := openFile(path)
	if err != nil {
		return nil, err
	}
	d, err := e.open(in)
	if errors.Is(err, ErrLabelChoice) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		return nil, errors.Join(err, in.close())
	}
	return d, nil
}

// open opens a decoder of the format that the options name or that the content shows.
func (e *env) open(in *input) (decoder, error) {
	if len(in.head) == 0 {
		return nil, fmt.Errorf("%s: %w: the file is empty; expected one of %s", in.name, ErrEmpty,
			formatNames(formats()))
	}
	var f format
	var err error
	if e.opt.Format != "" {
		f, err = findFormat(e.opt.Format)
		if err == nil && f.open == nil {
			err = fmt.Errorf("%s: format %s needs a folder, but this is a file", in.name, f.name)
		}
	} else {
		f, err = sniff(in)
	}
	if err == nil {
		err = e.fits(f)
	}
	if err != nil {
		return nil, err
	}
	e.molecular = e.molecular || f.molecular
	return f.open(in, e)
}

// labelChoice returns an error that is [ErrLabelChoice].
func labelChoice(format string, args ...any) error {
	return &OptionError{Remark(format, args...), ErrLabelChoice}
}

// fits returns an error if the options choose labels, or a direction, that graphs of a format
// cannot have.
func (e *env) fits(f format) error {
	if f.undirected && e.opt.Directed && !e.opt.Adopted {
		return advise(labelChoice("graphs of format %s are undirected", f.name), "leave out %v",
			Setting{"directed", "true"})
	}
	if !f.named && e.nodeChoice.asks(NodeName) {
		return labelChoice("%v makes labels of node names, but format %s has none",
			e.nodeChoice.setting(e.opt.NodeLabel), f.name)
	}
	if !f.single {
		return nil
	}
	for _, c := range []*choice{&e.nodeChoice, &e.edgeChoice} {
		if err := c.fitsSingle(f, e.opt.Adopted); err != nil {
			return err
		}
	}
	return nil
}

// fitsSingle is [env.fits] for a choice and a format whose elements have one label each.
func (c *choice) fitsSingle(f format, adopted bool) error {
	switch {
	case c.option == "" || c.optional || c.option == usualNodeLabels[0]:
		return nil
	case c.option == NoLabel && !f.molecular, c.option != NoLabel && adopted:
		return nil
	case c.option != NoLabel:
		return advise(labelChoice("the %ss of format %s have no attribute %s, only one label each", c.kind, f.name,
			quoted(c.option)), "leave out %v", c.setting(""))
	case c.kind == "edge":
		return advise(labelChoice("the bonds of format %s always have labels", f.name),
			"%v, not %v, compares molecules without them",
			Setting{"ignore_edge_labels", "true"}, c.setting(NoLabel))
	}
	return advise(labelChoice("the atoms of format %s always have labels", f.name), "leave out %v", c.setting(NoLabel))
}
