package dataset

import (
	"errors"
	"fmt"
	"strings"
)

// Errors that callers may want to tell apart, wrapped in what [Open], [Reader.Next]
// and [NewWriter] return.
var (
	// ErrEmpty is returned for a file or folder that holds no graph at all.
	ErrEmpty = errors.New("no graphs")
	// ErrUnknownFormat is returned when no format fits the content, or when the name of a
	// format is unknown.
	ErrUnknownFormat = errors.New("unknown format")
	// ErrRecordTooLarge is the reason of a record over [Options.MaxRecord],
	// MaxNodes or MaxEdges.
	ErrRecordTooLarge = errors.New("record too large")
	// ErrNoNodes is the reason of a record without nodes, for [Options.Strict]
	// and for formats that cannot hold one.
	ErrNoNodes = errors.New("the graph has no nodes")
)

// BadRecord says why one record could not be read. [Reader.Next] returns it.
type BadRecord struct {
	// File and Line say where the error is. Lines count from 1; Line is 0 in formats
	// without lines.
	File string
	Line int
	// Record is the position of the record in the collection, from 0.
	Record int
	// ID is the id of the record if it was read before the error.
	ID string
	// Err is the reason.
	Err error
	// Text is the text of the record, or nil if the reader could not find its end. It
	// belongs to the receiver.
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

// lineError is a reason with the line it was found at. If file is empty, it is the one that
// is read.
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

// maxQuoted is how much of a file's text an error message quotes.
const maxQuoted = 40

func shorten(s string) string {
	if len(s) > maxQuoted {
		return s[:maxQuoted] + "..."
	}
	return s
}

// quoted renders a text found in a file for an error message.
func quoted[T ~string | ~[]byte](s T) string {
	return fmt.Sprintf("%q", shorten(string(s)))
}
