package dataset

import (
	"errors"
	"fmt"
	"strings"
)

// advised is an error of a reader with advice that names command-line options. [Plain] drops
// the advice, for callers without a command line.
type advised struct {
	err    error
	advice string
}

func (e *advised) Error() string { return e.err.Error() + e.clause() }
func (e *advised) Unwrap() error { return e.err }

// clause is the text that the advice adds to the error.
func (e *advised) clause() string { return " (" + e.advice + ")" }

// advise adds advice to an error.
func advise(err error, format string, args ...any) error {
	return &advised{err, fmt.Sprintf(format, args...)}
}

// Plain returns the text of an error without advice on command-line options.
func Plain(err error) string {
	text := err.Error()
	var a *advised
	for inner := err; errors.As(inner, &a); inner = a.err {
		// The text of an error that wraps it contains its text.
		text = strings.Replace(text, a.clause(), "", 1)
	}
	return text
}
