package dataset

import (
	"errors"
	"fmt"
	"strings"
)

// Errors that [Open], [Reader.Next] and [NewWriter] wrap.
var (
	// ErrEmpty means that a file or folder holds no graph.
	ErrEmpty = errors.New("no graphs")
	// ErrUnknownFormat means that no format fits the content, or that the name of a format is
	// unknown.
	ErrUnknownFormat = errors.New("unknown format")
	// ErrLabelChoice means that NodeLabel, EdgeLabel or Directed of [Rules] cannot apply to a format.
	ErrLabelChoice = errors.New("the labels cannot be chosen so")
	// ErrRecordTooLarge means that a record exceeds [Options.MaxRecord], MaxNodes or
	// MaxEdges.
	ErrRecordTooLarge = errors.New("record too large")
	// ErrNoNodes means that a record has no nodes, where [Options.Strict] or the format to
	// write requires some.
	ErrNoNodes = errors.New("the graph has no nodes")
)

// BadRecord is the error of a record that could not be read. [Reader.Next] returns it.
type BadRecord struct {
	// File and Line locate the error. Lines count from 1; Line is 0 in formats without lines.
	File string
	Line int
	// Record is the position of the record in the collection, from 0.
	Record int
	// ID is the record's id, if it was read before the error.
	ID string
	// Err is the reason.
	Err error
	// Text is the text of the record, which the caller may keep, or nil if the reader could
	// not find its end.
	Text []byte
}

// Error returns "file:line: record N (id X): reason".
func (b *BadRecord) Error() string {
	var s strings.Builder
	s.WriteString(b.File)
	if b.Line > 0 {
		fmt.Fprintf(&s, ":%d", b.Line)
	}
	fmt.Fprintf(&s, ": record %d", b.Record)
	if b.ID != "" {
		fmt.Fprintf(&s, " (id %s)", shorten(b.ID))
	}
	s.WriteString(": ")
	s.WriteString(b.Err.Error())
	return s.String()
}

// Unwrap returns the reason.
func (b *BadRecord) Unwrap() error { return b.Err }

// lineError is an error with its line. An empty file means the one being read.
type lineError struct {
	file string
	line int
	err  error
}

func (e *lineError) Error() string { return e.err.Error() }

func (e *lineError) Unwrap() error { return e.err }

func errAt(line int, format string, args ...any) error {
	return &lineError{"", line, fmt.Errorf(format, args...)}
}

// maxQuoted is the number of bytes of a file that an error message quotes.
const maxQuoted = 40

func shorten(s string) string {
	if len(s) > maxQuoted {
		return s[:maxQuoted] + "..."
	}
	return s
}

// quoted formats a text from a file for an error message.
func quoted[T ~string | ~[]byte](s T) string {
	return fmt.Sprintf("%q", shorten(string(s)))
}
