package dataset

import (
	"errors"
	"fmt"
	"strings"
)

// advised is an error of a reader with advice that names options of the command
// line. Who has none of them says it without, by [Plain].
type advised struct {
	err    error
	advice string
}

func (e *advised) Error() string { return e.err.Error() + e.clause() }
func (e *advised) Unwrap() error { return e.err }

// clause is what the advice adds to the text of the error.
func (e *advised) clause() string { return " (" + e.advice + ")" }

// advise adds advice to an error.
func advise(err error, format string, args ...any) error {
	return &advised{err, fmt.Sprintf(format, args...)}
}

// Plain returns the text of an error without advice that names options of the
// command line.
func Plain(err error) string {
	text := err.Error()
	var a *advised
	for inner := err; errors.As(inner, &a); inner = a.err {
		// Errors about it have its text in theirs.
		text = strings.Replace(text, a.clause(), "", 1)
	}
	return text
}
