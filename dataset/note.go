package dataset

import (
	"errors"
	"fmt"
	"strings"
)

// Note is a remark on how something was read or answered. It is part of the answer, and the same on
// every surface.
type Note struct {
	// Option is what the remark is about, by its name in JSON, such as node_label; empty if it is about none.
	Option string `json:"option,omitempty" doc:"The option that the remark is about, such as node_label"`
	// Value is what the option would be set to; empty if that depends on what is wanted.
	Value string `json:"value,omitempty" doc:"What the option would be set to"`
	// Text names options as a [Setting] does; [Note.Spell] has other spellings.
	Text string `json:"text" doc:"The remark in a sentence"`

	format string // of Text; empty if that names no option
	args   []any
}

// Setting is an option with a value, by its name in JSON. Texts name it so: node_label, or node_label=-.
type Setting struct{ Option, Value string }

// String is the setting as texts without a surface name it.
func (s Setting) String() string {
	if s.Value == "" {
		return s.Option
	}
	return s.Option + "=" + s.Value
}

// Remark returns a note. Settings among the arguments are formatted by %v and are spelled by each
// surface; the first is the note's option.
func Remark(format string, args ...any) Note {
	n := Note{Text: fmt.Sprintf(format, args...)}
	for _, arg := range args {
		if s, ok := arg.(Setting); ok {
			if n.format == "" {
				n.Option, n.Value = s.Option, s.Value
			}
			n.format, n.args = format, args
		}
	}
	return n
}

// Remarks returns notes about no option.
func Remarks(texts ...string) []Note {
	list := make([]Note, len(texts))
	for i, text := range texts {
		list[i].Text = text
	}
	return list
}

// String returns the text.
func (n Note) String() string { return n.Text }

// Spell returns the text with other names of options.
func (n Note) Spell(how func(Setting) string) string {
	if n.format == "" {
		return n.Text
	}
	args := make([]any, len(n.args))
	for i, arg := range n.args {
		if s, ok := arg.(Setting); ok {
			arg = how(s)
		}
		args[i] = arg
	}
	return fmt.Sprintf(n.format, args...)
}

// Texts returns the texts of notes.
func Texts(notes []Note) []string {
	list := make([]string, len(notes))
	for i, n := range notes {
		list[i] = n.Text
	}
	return list
}

// mostNotes is how many notes a result has.
const mostNotes = 50

// Merge returns the notes of several lists, each once and at most 50.
func Merge(lists ...[]Note) (notes []Note) {
	seen := make(map[string]bool)
	for _, list := range lists {
		for _, n := range list {
			if len(notes) < mostNotes && !seen[n.Text] {
				seen[n.Text] = true
				notes = append(notes, n)
			}
		}
	}
	return notes
}

// NotesOf returns the notes of records, as [Merge] does.
func NotesOf(records ...Record) []Note {
	lists := make([][]Note, len(records))
	for i := range records {
		lists[i] = records[i].Notes
	}
	return Merge(lists...)
}

// advised is an error with advice that may name options. [Plain] drops the advice, for callers that
// have none, and [Spell] spells them.
type advised struct {
	err    error
	advice Note
}

func (e *advised) Error() string { return e.err.Error() + clause(e.advice.Text) }
func (e *advised) Unwrap() error { return e.err }

// clause is the text that advice adds to an error.
func clause(advice string) string { return " (" + advice + ")" }

// advise adds advice to an error. Settings among the arguments are spelled by each surface.
func advise(err error, format string, args ...any) error {
	return &advised{err, Remark(format, args...)}
}

// OptionError is an error whose text may name options.
type OptionError struct {
	note Note
	err  error // what it wraps, or nil
}

// Error implements error.
func (e *OptionError) Error() string { return e.note.Text }

// Unwrap returns the error that it wraps, or nil.
func (e *OptionError) Unwrap() error { return e.err }

// Errorf returns an error whose text may name options: settings among the arguments are formatted by %v and
// spelled by each surface. An error among the arguments is wrapped.
func Errorf(format string, args ...any) error {
	e := &OptionError{note: Remark(format, args...)}
	for _, arg := range args {
		if err, ok := arg.(error); ok {
			e.err = err
		}
	}
	return e
}

// Plain returns the text of an error without advice on options.
func Plain(err error) string {
	text := err.Error()
	visit(err, func(err error) {
		if a, ok := err.(*advised); ok {
			// The text of an error that wraps it contains its text.
			text = strings.Replace(text, clause(a.advice.Text), "", 1)
		}
	})
	return text
}

// Spell returns the text of an error with other names of options.
func Spell(err error, how func(Setting) string) string {
	text := err.Error()
	visit(err, func(err error) {
		switch e := err.(type) {
		case *advised:
			text = strings.Replace(text, clause(e.advice.Text), clause(e.advice.Spell(how)), 1)
		case *OptionError:
			text = strings.Replace(text, e.note.Text, e.note.Spell(how), 1)
		}
	})
	return text
}

// visit calls what for an error and all that it wraps.
func visit(err error, what func(error)) {
	for err != nil {
		what(err)
		if all, ok := err.(interface{ Unwrap() []error }); ok {
			for _, inner := range all.Unwrap() {
				visit(inner, what)
			}
			return
		}
		err = errors.Unwrap(err)
	}
}
