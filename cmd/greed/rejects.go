package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/greedgraph/greed/dataset"
)

// rejects is the file of --rejects: records that cannot be read, or written, and the reasons. It is of all
// that a command reads.
type rejects struct {
	path   string // empty: the user names none
	file   *os.File
	failed error
}

// open begins the file, unless it has begun, and returns what writes a record to it.
func (r *rejects) open() (func(dataset.BadRecord), error) {
	if r.file == nil {
		var err error
		if r.file, err = os.Create(r.path); err != nil {
			return nil, err
		}
	}
	lines := json.NewEncoder(r.file)
	return func(bad dataset.BadRecord) {
		r.failed = errors.Join(r.failed, lines.Encode(struct {
			File   string `json:"file"`
			Line   int    `json:"line,omitempty"`
			Record int    `json:"record"`
			ID     string `json:"id,omitempty"`
			Reason string `json:"reason"`
			Text   string `json:"text,omitempty"`
		}{bad.File, bad.Line, bad.Record, bad.ID, bad.Err.Error(), string(bad.Text)}))
	}, nil
}

// close returns the first error of writing.
func (r *rejects) close() error {
	if r.file == nil {
		return nil
	}
	return errors.Join(r.failed, r.file.Close())
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
	s.note("%s: %d of %s cannot be written and were skipped, the first: %v", arg, u.found, count(records, "graph"),
		u.first)
	return nil
}
