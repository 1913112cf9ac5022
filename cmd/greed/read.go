package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/store"
)

// readFlags configure how collections are read. Queries and targets are read alike.
type readFlags struct {
	dataset.Rules `group:"Reading graphs:"`

	From         string `group:"Reading graphs:" placeholder:"FORMAT" help:"Format of the input (default: recognised by its content)."`
	LabelFile    string `group:"Reading graphs:" type:"existingfile" placeholder:"FILE" help:"File of the node labels of an edge list."`
	DataDir      string `group:"Reading graphs:" type:"existingdir" placeholder:"DIR" help:"Folder of the files that a GXL collection's .cxl file lists, if they are not beside it."`
	SmilesColumn string `group:"Reading graphs:" placeholder:"COLUMN" help:"Column of a table that holds the SMILES, by name or number from 0."`
	IDColumn     string `name:"id-column" group:"Reading graphs:" placeholder:"COLUMN" help:"Column of a table, or data item of an SDF, that holds the id."`
	Delimiter    string `group:"Reading graphs:" placeholder:"CHAR" help:"What separates the columns of a table."`
	Header       string `group:"Reading graphs:" enum:"auto,yes,no" default:"auto" help:"Whether a table starts with the names of its columns: auto, yes, no."`
	Strict       bool   `group:"Reading graphs:" help:"Refuse graphs without nodes, edges to undeclared nodes, and data with undeclared keys."`
	SkipBad      bool   `group:"Reading graphs:" help:"Skip records that cannot be read, with a note."`
	MaxRecord    int    `group:"Reading graphs:" placeholder:"BYTES" help:"Refuse records with more text than this (default 256 MiB)."`
	Rejects      string `writes:"" group:"Reading graphs:" placeholder:"FILE" help:"Like --skip-bad, but also write those records and the reasons to FILE, one JSON object a line."`

	// mixed reads directed and undirected graphs in one collection, for
	// commands that do not compare graphs.
	mixed bool
	// blocks keeps MOL blocks with their coordinates, for commands that hold one record at a time.
	blocks bool
	// unnumbered leaves the ids of records empty that have none of their own.
	unnumbered bool
	// compared are costs that compare attributes. These become the labels.
	compared edit.Costs
	// named labels nodes without labels by their names.
	named bool
	// fixed are the rules of the collection that graphs are read for; nil: the flags'.
	fixed *dataset.Rules
	// found are the rules by which the last input was read, if any was.
	found dataset.Rules
	known bool
	// source is the database that was the last input, if one was.
	source store.Source
}

// readingGroup is the title of these flags in help.
const readingGroup = "Reading graphs:"

// follow adopts the rules of an index, if they are known.
func (f *readFlags) follow(name string, rules *dataset.Rules) error {
	if rules == nil {
		return nil
	}
	return f.adopt(name, *rules)
}

// learnt makes what is read next fit a model: by the rules of the graphs that it has
// learnt, and with the attributes that its costs compare.
func (f *readFlags) learnt(name string, m *model.Model) error {
	f.compare(m.Metadata().Costs)
	rules := m.Metadata().Training.Rules
	if rules != nil && f.fixed != nil && !f.fixed.Equal(*rules) {
		return usageError(fmt.Sprintf("the models were trained on graphs that were read by different rules: %s, and %s", ruled(*f.fixed), ruled(*rules)))
	}
	return f.follow(name, rules)
}

// adopt makes what is read next follow the rules of a collection. Flags that ask for
// other rules are refused.
func (f *readFlags) adopt(name string, rules dataset.Rules) error {
	if flags := f.Rules; !rules.Fits(flags) {
		return usageError(fmt.Sprintf("the graphs of %s were read by other rules (%s) than the flags ask for (%s): leave these flags out, what is compared with them is read as they were", name, ruled(rules), flags))
	}
	f.fixed = &rules
	return nil
}

// ruled describes rules.
func ruled(rules dataset.Rules) string { return cmp.Or(rules.String(), "those of docs/inputs.md") }

// needed refuses flags that say how files are read where no input is a file.
func (f *readFlags) needed(inputs ...string) error {
	usual := "smiles"
	for _, arg := range inputs {
		if greed.IsIndex(arg) || postgres.IsAddress(arg) {
			usual = ""
		} else if isFile(arg) || dataset.FileName(arg) {
			return nil
		}
	}
	for _, flag := range []struct{ name, value, usual string }{
		{"from", f.From, usual}, {"label-file", f.LabelFile, ""}, {"data-dir", f.DataDir, ""}, {"smiles-column", f.SmilesColumn, ""},
		{"id-column", f.IDColumn, ""}, {"delimiter", f.Delimiter, ""}, {"header", f.Header, "auto"}, {"strict", strconv.FormatBool(f.Strict), "false"},
		{"skip-bad", strconv.FormatBool(f.SkipBad), "false"}, {"max-record", strconv.Itoa(f.MaxRecord), "0"}, {"rejects", f.Rejects, ""},
	} {
		if flag.value != "" && flag.value != flag.usual {
			return usageError(fmt.Sprintf("--%s says how files are read, but there is none named %s: leave it out", flag.name, strings.Join(inputs, " or ")))
		}
	}
	return nil
}

// options returns the options of a reader whose labels are numbered by vocab.
func (f *readFlags) options(vocab *graph.Vocabulary) dataset.Options {
	return dataset.Options{
		Rules:        f.rules(),
		Adopted:      f.fixed != nil,
		Vocabulary:   vocab,
		Format:       f.From,
		LabelFile:    f.LabelFile,
		DataDir:      f.DataDir,
		Mixed:        f.mixed,
		Blocks:       f.blocks,
		Unnumbered:   f.unnumbered,
		Named:        f.named,
		SMILESColumn: f.SmilesColumn,
		IDColumn:     f.IDColumn,
		Delimiter:    f.Delimiter,
		Header:       map[string]dataset.Header{"auto": dataset.HeaderAuto, "yes": dataset.HeaderPresent, "no": dataset.HeaderAbsent}[f.Header],
		Strict:       f.Strict,
		SkipBad:      f.SkipBad,
		MaxRecord:    f.MaxRecord,
	}
}

// rules returns which graphs the texts mean.
func (f *readFlags) rules() dataset.Rules {
	if f.fixed != nil {
		return *f.fixed
	}
	rules := f.Rules
	rules.NodeParts, rules.EdgeParts = f.compared.Nodes.Attributes(), f.compared.Edges.Attributes()
	return rules
}

// compare makes labels of the attributes that costs compare. The first costs that
// compare any decide.
func (f *readFlags) compare(list ...edit.Costs) {
	for _, c := range list {
		if f.compared.Nodes.Attributes() == nil && f.compared.Edges.Attributes() == nil {
			f.compared = c
		}
	}
}

// isFile reports whether an argument names something to open. Otherwise it is a SMILES.
func isFile(arg string) bool {
	if arg == "-" {
		return true
	}
	_, err := os.Stat(arg)
	return err == nil
}

// visit calls what for every record of a file, a folder, standard input (-), a database or
// a SMILES. Then it prints the reader's notes.
func (f *readFlags) visit(s *session, arg string, vocab *graph.Vocabulary, what func(dataset.Record) error) (err error) {
	f.source = store.Source{}
	if !isFile(arg) && !postgres.IsAddress(arg) {
		rec, err := f.smiles(s, arg, vocab)
		if err != nil {
			return err
		}
		return what(rec)
	}
	if greed.IsIndex(arg) {
		return fmt.Errorf("%s is an index, which this command does not read: give it the file that the index was built from, or one that greed index export writes of its graphs", field(arg))
	}
	opt := f.options(vocab)
	opt.Context = s.ctx
	rejects, err := f.openRejects(s, &opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rejects()) }()
	left, records := unwritable{reject: opt.Rejects}, 0
	each := func(all iter.Seq2[dataset.Record, error]) error {
		for rec, err := range all {
			if err == nil {
				err = s.ctx.Err()
			}
			if err == nil {
				err = what(rec)
			}
			if opt.SkipBad {
				err = left.out(rec, records, err)
			}
			if err != nil {
				return err
			}
			records++
		}
		return nil
	}
	if postgres.IsAddress(arg) {
		err := f.visitDatabase(s, arg, vocab, each)
		f.found, f.known = f.rules(), true
		return errors.Join(err, left.report(s, postgres.Shown(arg), records))
	}
	if arg == "-" || arg == "/dev/stdin" {
		if s.stdin {
			return usageError("standard input (-) can be read only once: name a file for the other argument")
		}
		s.stdin = true
	}
	r, err := dataset.Open(arg, opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if err := each(r.All()); err != nil {
		return goingOn(r, err)
	}
	f.found, f.known = r.Rules(), true
	if err := f.found.CheckCosts(f.compared); err != nil {
		return err
	}
	s.remark(arg, r.Notes())
	return left.report(s, arg, records)
}

// goingOn adds to the error for a bad record how to read on without it.
func goingOn(r *dataset.Reader, err error) error {
	var bad *dataset.BadRecord
	if !errors.As(err, &bad) {
		return err
	}
	if _, next := r.Next(); next != nil && !errors.As(next, &bad) {
		return err
	}
	return fmt.Errorf("%w (--skip-bad skips such records, --rejects FILE keeps them)", err)
}

// unwritable collects records that the output format cannot hold. --skip-bad continues
// after them, too.
type unwritable struct {
	reject func(dataset.BadRecord) // nil: the user names no file for them
	found  int
	first  error
}

// out notes the outcome of writing the record at a position. It returns errors that are
// not about that record alone.
func (u *unwritable) out(rec dataset.Record, at int, err error) error {
	bad, ok := errors.AsType[*dataset.UnwritableRecord](err)
	if !ok {
		return err
	}
	if u.found++; u.first == nil {
		if u.first = bad; rec.File != "" { // a part of a graph is in no file
			u.first = fmt.Errorf("%s:%d: %w", rec.File, rec.Line, bad)
		}
	}
	if u.reject != nil {
		u.reject(dataset.BadRecord{File: rec.File, Line: rec.Line, Record: at, ID: bad.ID, Err: bad.Err})
	}
	return nil
}

func (u *unwritable) report(s *session, arg string, records int) error {
	switch {
	case u.found == 0:
		return nil
	case u.found == records:
		return fmt.Errorf("%s: none of %s can be written, the first: %w", arg, count(records, "graph"), u.first)
	}
	s.note("%s: %d of %s cannot be written and were skipped, the first: %v", arg, u.found, count(records, "graph"), u.first)
	return nil
}

// smiles reads an argument that names no file.
func (f *readFlags) smiles(s *session, arg string, vocab *graph.Vocabulary) (dataset.Record, error) {
	if strings.TrimSpace(arg) == "" {
		return dataset.Record{}, usageError("an argument is empty: want a file, a folder, - for standard input, or a SMILES")
	}
	opt := dataset.Options{Rules: f.rules(), Adopted: f.fixed != nil, Vocabulary: vocab, Format: "smiles", Unnumbered: f.unnumbered}
	rec, err := dataset.ReadOne(arg, opt)
	if err != nil {
		if _, link := os.Lstat(arg); link == nil || errors.Is(link, fs.ErrPermission) {
			_, err := os.Stat(arg)
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%s is a link to a file that is not there", arg)
			}
			return dataset.Record{}, err
		}
		if dataset.FileName(arg) {
			return dataset.Record{}, missing(arg)
		}
		if errors.Is(err, dataset.ErrLabelChoice) {
			return dataset.Record{}, fmt.Errorf("%s: %w", arg, err)
		}
		if bad, ok := errors.AsType[*dataset.BadRecord](err); ok {
			err = bad.Err
		}
		return dataset.Record{}, fmt.Errorf("%s is neither a file nor a SMILES: %w", arg, err)
	}
	f.found, f.known = opt.Rules, true
	s.remark(arg, rec.Notes)
	return rec, nil
}

// missing returns an error for a file that is not there, which names one of its folder whose
// name is nearly the same.
func missing(path string) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("there is no file %s, and no folder %s", path, filepath.Dir(path))
	}
	name, best, least := filepath.Base(path), "", 3
	for _, e := range entries {
		if d := levenshtein(name, e.Name()); d < least {
			best, least = e.Name(), d
		}
	}
	if best == "" {
		return fmt.Errorf("there is no file %s", path)
	}
	return fmt.Errorf("there is no file %s: is it %s?", path, filepath.Join(filepath.Dir(path), best))
}

// levenshtein returns the number of bytes to insert, delete or replace between two names.
func levenshtein(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// load returns all records of a file, a folder, standard input or a SMILES.
func (f *readFlags) load(s *session, arg string, vocab *graph.Vocabulary) ([]dataset.Record, error) {
	var list []dataset.Record
	err := f.visit(s, arg, vocab, func(rec dataset.Record) error {
		list = append(list, rec)
		return nil
	})
	return list, err
}

// loadBoth returns all records of two inputs. The database among them is read first: what is compared
// with its graphs is read by their rules. between, if not nil, is called with the records that are read first.
func (f *readFlags) loadBoth(s *session, inputs [2]string, vocab *graph.Vocabulary, between func([]dataset.Record)) (lists [2][]dataset.Record, err error) {
	first := rulesOf(inputs)
	for _, i := range []int{first, 1 - first} {
		if lists[i], err = f.load(s, inputs[i], vocab); err != nil {
			return lists, err
		}
		if i != first {
			continue
		}
		if hasRules(inputs[i]) {
			noteRules(s, inputs, i, f.found)
		}
		if between != nil {
			between(lists[i])
		}
	}
	return lists, nil
}

// rulesOf returns which of two inputs is read first: that by whose rules the other is read.
func rulesOf(inputs [2]string) int {
	if hasRules(inputs[1]) && !hasRules(inputs[0]) {
		return 1
	}
	return 0
}

// noteRules says that the other of two inputs is read by the rules of one.
func noteRules(s *session, inputs [2]string, one int, rules dataset.Rules) {
	if other := inputs[1-one]; other != "" && !hasRules(other) && rules.String() != "" {
		s.note("%s is read as the graphs of %s were: %s", field(other), field(postgres.Shown(inputs[one])), rules)
	}
}

// hasRules reports whether the rules by which the graphs of a place are to be read are stored there.
func hasRules(name string) bool { return greed.IsIndex(name) || postgres.IsAddress(name) }

// batchSize is how many graphs are embedded and put at a time.
const batchSize = 4096

// batches calls what with the records of an input, at most batchSize at a time and at least once.
func (f *readFlags) batches(s *session, arg string, what func([]dataset.Record) error) error {
	shown := s.bar(-1, "graphs")
	defer shown.Finish()
	var batch []dataset.Record
	called := false
	err := f.visit(s, arg, graph.NewVocabulary(), func(rec dataset.Record) (err error) {
		shown.Add(1)
		if batch = append(batch, rec); len(batch) == batchSize {
			err, called = what(batch), true
			batch = batch[:0]
		}
		return err
	})
	if err == nil && (len(batch) > 0 || !called) {
		err = what(batch)
	}
	return err
}

// openRejects makes the reader skip bad records, and write them to a file if the user
// names one. The returned function closes it. What a command reads after its first
// input is appended.
func (f *readFlags) openRejects(s *session, opt *dataset.Options) (closeFile func() error, err error) {
	if f.Rejects == "" {
		return func() error { return nil }, nil
	}
	opt.SkipBad = true
	mode := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if s.rejecting {
		mode = os.O_WRONLY | os.O_APPEND
	}
	file, err := os.OpenFile(f.Rejects, mode, 0o666)
	if err != nil {
		return nil, err
	}
	s.rejecting = true
	var failed error
	lines := json.NewEncoder(file)
	opt.Rejects = func(bad dataset.BadRecord) {
		failed = errors.Join(failed, lines.Encode(struct {
			File   string `json:"file"`
			Line   int    `json:"line,omitempty"`
			Record int    `json:"record"`
			ID     string `json:"id,omitempty"`
			Reason string `json:"reason"`
			Text   string `json:"text,omitempty"`
		}{bad.File, bad.Line, bad.Record, bad.ID, bad.Err.Error(), string(bad.Text)}))
	}
	return func() error { return errors.Join(failed, file.Close()) }, nil
}
