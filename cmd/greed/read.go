package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem/chemname"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/levenshtein"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/postgres"
)

// readFlags say how collections are read. Queries and targets are read alike.
type readFlags struct {
	dataset.Rules `group:"Reading graphs:"`

	From         string `group:"Reading graphs:" placeholder:"FORMAT" help:"${read_from}"`
	LabelFile    string `group:"Reading graphs:" type:"existingfile" placeholder:"FILE" help:"${read_label_file}"`
	DataDir      string `group:"Reading graphs:" type:"existingdir" placeholder:"DIR" help:"${read_data_dir}"`
	SmilesColumn string `group:"Reading graphs:" placeholder:"COLUMN" help:"${read_smiles_column}"`
	IDColumn     string `name:"id-column" group:"Reading graphs:" placeholder:"COLUMN" help:"${read_idcolumn}"`
	Delimiter    string `group:"Reading graphs:" placeholder:"CHAR" help:"What separates the columns of a table."`
	Header       string `group:"Reading graphs:" enum:"auto,yes,no" default:"auto" help:"${read_header}"`
	Strict       bool   `group:"Reading graphs:" help:"${read_strict}"`
	SkipBad      bool   `group:"Reading graphs:" help:"Skip records that cannot be read, with a note."`
	MaxRecord    int    `group:"Reading graphs:" placeholder:"BYTES" help:"${read_max_record}"`
	Rejects      string `writes:"" group:"Reading graphs:" placeholder:"FILE" help:"${read_rejects}"`
}

// readingGroup is the title of these flags in help.
const readingGroup = "Reading graphs:"

// headers are the values of --header.
var headers = map[string]dataset.Header{"auto": dataset.HeaderAuto, "yes": dataset.HeaderPresent,
	"no": dataset.HeaderAbsent}

// source returns how the flags say that graphs are read, of a vocabulary of their own.
func (f *readFlags) source(s *session) greed.Source {
	s.rejects.path = f.Rejects
	return greed.Source{Options: dataset.Options{
		Rules:        f.Rules,
		Vocabulary:   graph.NewVocabulary(),
		Format:       f.From,
		LabelFile:    f.LabelFile,
		DataDir:      f.DataDir,
		SMILESColumn: f.SmilesColumn,
		IDColumn:     f.IDColumn,
		Delimiter:    f.Delimiter,
		Header:       headers[f.Header],
		Strict:       f.Strict,
		SkipBad:      f.SkipBad || f.Rejects != "",
		MaxRecord:    f.MaxRecord,
	}}
}

// needed refuses flags that say how files are read where no input is a file.
func (f *readFlags) needed(s *session, inputs ...string) error {
	smiles := true
	for _, arg := range inputs {
		if greed.HasRules(arg) {
			smiles = false
		} else if isFile(arg) || dataset.FileName(arg) {
			return nil
		}
	}
	opt := f.source(s).Options
	given := opt.Given()
	if f.Rejects != "" {
		given = []dataset.Setting{{Option: "rejects"}}
	}
	for _, flag := range given {
		if flag == (dataset.Setting{Option: "format", Value: "smiles"}) && smiles {
			continue
		}
		return usageError(fmt.Sprintf("%s says how files are read, but there is none named %s: leave it out",
			flagOf(dataset.Setting{Option: flag.Option}), strings.Join(inputs, " or ")))
	}
	return nil
}

// isFile reports whether an argument names something to open. Otherwise it is a SMILES.
func isFile(arg string) bool {
	if arg == "-" {
		return true
	}
	if _, err := os.Stat(arg); err == nil {
		return true
	}
	return greed.IsIndex(arg) // a pattern or a list of several
}

// locate makes a source of an argument: a file, a folder, standard input (-), an index, a database or a
// SMILES.
func (s *session) locate(src greed.Source, arg string) (greed.Source, error) {
	if isBundled(arg) {
		src.Bundled = true
		return src, nil
	}
	if !isFile(arg) && !postgres.IsAddress(arg) {
		if strings.TrimSpace(arg) == "" {
			return src, usageError("an argument is empty: want a file, a folder, - for standard input, or a SMILES")
		}
		src.Text = arg
		src.Options = dataset.Options{
			Rules: src.Rules, Vocabulary: src.Vocabulary, Format: "smiles", Unnumbered: src.Unnumbered,
			SkipBad: src.SkipBad,
		}
		return src, nil
	}
	if src.Path = arg; arg == "-" || arg == "/dev/stdin" {
		if s.stdin {
			return src, usageError("standard input (-) can be read only once: name a file for the other argument")
		}
		s.stdin = true
	}
	if s.rejects.path == "" {
		return src, nil
	}
	var err error
	src.Rejects, err = s.rejects.open()
	return src, err
}

// each calls what with the graphs of an argument one by one, and prints the notes of reading. It reads it as
// src says, which has no place yet.
func (s *session) each(src greed.Source, arg string, what func(dataset.Record) error) (*greed.Reading, error) {
	src, err := s.locate(src, arg)
	if err != nil {
		return nil, err
	}
	left, records := unwritable{reject: src.Rejects}, 0
	var failed error // of what is done with the graphs
	r, err := src.Each(s.ctx, func(rec dataset.Record) error {
		if failed = what(rec); src.SkipBad {
			failed = left.out(rec, records, failed)
		}
		records++
		return failed
	})
	if failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, unread(src, arg, err)
	}
	s.remark(postgres.Shown(arg), r.Notes)
	return r, left.report(s, postgres.Shown(arg), records)
}

// read reads all graphs of an argument.
func (s *session) read(src greed.Source, arg string) (*greed.Reading, error) {
	var list []dataset.Record
	r, err := s.each(src, arg, func(rec dataset.Record) error {
		list = append(list, rec)
		return nil
	})
	if r != nil {
		r.Records = list
	}
	return r, err
}

// readBoth reads all graphs of two arguments. The database among them is read first: the graphs of the
// other are read by its rules. then, if not nil, may change how the second is read.
func (s *session) readBoth(src greed.Source, inputs [2]string, then func(first *greed.Reading,
	second *greed.Source)) (both [2]*greed.Reading, err error) {
	first := rulesOf(inputs)
	if both[first], err = s.read(src, inputs[first]); err != nil {
		return both, err
	}
	if greed.HasRules(inputs[first]) {
		if err := s.follow(&src, inputs, first, both[first].Rules); err != nil {
			return both, err
		}
	}
	if then != nil {
		then(both[first], &src)
	}
	both[1-first], err = s.read(src, inputs[1-first])
	return both, err
}

// rulesOf returns which of two inputs is read first: that by whose rules the other is read.
func rulesOf(inputs [2]string) int {
	if greed.HasRules(inputs[1]) && !greed.HasRules(inputs[0]) {
		return 1
	}
	return 0
}

// follow has the other of two inputs read by the rules of the first.
func (s *session) follow(src *greed.Source, inputs [2]string, first int, rules dataset.Rules) error {
	name := postgres.Shown(inputs[first])
	if err := src.Follow(name, &rules); err != nil {
		return usageOfReading(err)
	}
	if other := inputs[1-first]; other != "" && !greed.HasRules(other) && rules.String() != "" {
		s.note("%s is read as the graphs of %s were: %s", field(other), field(name), rules)
	}
	return nil
}

// open opens the collection of an argument, and prints the notes of reading.
func (s *session) open(src greed.Source, arg string) (*greed.Collection, error) {
	if greed.HasRules(arg) { // flags about files are for the queries
		src.Options = dataset.Options{Rules: src.Rules, Vocabulary: src.Vocabulary}
	}
	src, err := s.locate(src, arg)
	if err != nil {
		return nil, err
	}
	c, err := greed.Open(s.ctx, src)
	if err != nil {
		return nil, unread(src, arg, err)
	}
	s.remark(postgres.Shown(arg), c.Notes())
	if !greed.IsIndex(arg) {
		noteRepeated(s, arg, c.Listing())
	}
	return c, nil
}

// batchSize is how many graphs are embedded and put at a time.
const batchSize = 4096

// batches calls what with the records of an input, at most batchSize at a time and at least once, while it reads the
// next ones.
func (s *session) batches(src greed.Source, arg string, what func([]dataset.Record) error) (*greed.Reading, error) {
	shown := s.bar(-1, "graphs")
	defer shown.Finish()
	var batch, free []dataset.Record
	var work chan error // of the batch before
	wait := func() (err error) {
		if work != nil {
			err, work = <-work, nil
		}
		return err
	}
	called := false
	send := func() error {
		err := wait()
		if err == nil {
			called, work = true, make(chan error, 1)
			go func(batch []dataset.Record, done chan<- error) { done <- what(batch) }(batch, work)
			batch, free = free[:0], batch
		}
		return err
	}
	r, err := s.each(src, arg, func(rec dataset.Record) error {
		shown.Add(1)
		if batch = append(batch, rec); len(batch) == batchSize {
			return send()
		}
		return nil
	})
	if err == nil && (len(batch) > 0 || !called) {
		err = send()
	}
	return r, cmp.Or(wait(), err)
}

// unread says why an argument could not be read, and what helps.
func unread(src greed.Source, arg string, err error) error {
	var skippable *greed.SkippableError
	switch {
	case errors.Is(err, greed.ErrReadAs):
		return usageError(err.Error())
	case errors.Is(err, greed.ErrIndex):
		return fmt.Errorf("%s is an index, which this command does not read: give it the file that the index was "+
			"built from, or one that greed index export writes of its graphs", field(arg))
	case errors.As(err, &skippable):
		return fmt.Errorf("%w (--skip-bad skips such records, --rejects FILE keeps them)", err)
	case src.Text == "":
		return err
	}
	if _, link := os.Lstat(arg); link == nil || errors.Is(link, fs.ErrPermission) {
		_, err := os.Stat(arg)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s is a link to a file that is not there", arg)
		}
		return err
	}
	bad, isBad := errors.AsType[*dataset.BadRecord](err)
	switch {
	case dataset.FileName(arg):
		return missing(arg)
	case errors.Is(err, chemname.ErrUnknown):
		return fmt.Errorf("there is no file %s, and %w", arg, bad.Err)
	case errors.Is(err, dataset.ErrLabelChoice):
		return fmt.Errorf("%s: %w", arg, err)
	case isBad:
		err = bad.Err
	}
	return fmt.Errorf("%s is neither a file nor a SMILES: %w", arg, err)
}

// errNoFile means that there is no file of a name.
var errNoFile = errors.New("there is no file")

// missing returns an error that wraps [errNoFile], which names a file of the folder whose name is nearly the same.
func missing(path string) error {
	if strings.Contains(path, "://") {
		return fmt.Errorf("%w %s: addresses are not read, so download it first", errNoFile, path)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("%w %s, and no folder %s", errNoFile, path, filepath.Dir(path))
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	best := levenshtein.Nearest(filepath.Base(path), names)
	if best == "" {
		return fmt.Errorf("%w %s", errNoFile, path)
	}
	return fmt.Errorf("%w %s: is it %s?", errNoFile, path, filepath.Join(filepath.Dir(path), best))
}

// usageOfReading turns an error about rules into one of usage.
func usageOfReading(err error) error {
	if errors.Is(err, greed.ErrReadAs) {
		return usageError(err.Error())
	}
	return err
}

// learnt is [readFlags.source] for graphs that a model is used on.
func (f *readFlags) learnt(s *session, name string, m *model.Model) (greed.Source, error) {
	return f.learntAll(s, []string{name}, []*model.Model{m})
}

// learntAll is [readFlags.source] for graphs that models are used on.
func (f *readFlags) learntAll(s *session, names []string, models []*model.Model) (greed.Source, error) {
	src := f.source(s)
	for i, m := range models {
		if err := src.FollowModel(names[i], m); err != nil {
			return src, usageOfReading(err)
		}
	}
	return src, nil
}
