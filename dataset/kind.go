package dataset

import (
	"errors"
	"fmt"
)

// ErrMixed is the reason of a graph that does not fit its collection: one is
// directed and the other is not.
var ErrMixed = errors.New("the graphs of a collection must all be directed or all be undirected")

// Kind is what the graphs of a collection have in common: all are directed or
// none is, since there is no distance between the two. The zero Kind is that of
// a collection without graphs, which every graph fits.
type Kind struct {
	known, directed bool
	of              string // the graph it was taken from, for the sentence
}

// KindOf returns the kind of a collection that holds rec, which needs ID and Graph.
// File and Line improve the message of [Kind.Check].
func KindOf(rec Record) Kind {
	k := Kind{known: true, directed: rec.Graph.Directed(), of: "graph " + shorten(rec.ID)}
	if rec.File != "" {
		k.of += " (" + place(rec.File, rec.Line) + ")"
	}
	return k
}

// Known reports whether the collection has a graph.
func (k Kind) Known() bool { return k.known }

// Directed reports whether the graphs of the collection are directed.
func (k Kind) Directed() bool { return k.directed }

// Check returns nil if rec fits a collection of kind k, else a sentence that
// names both graphs and wraps [ErrMixed].
func (k Kind) Check(rec Record) error {
	if !k.known || k.directed == rec.Graph.Directed() {
		return nil
	}
	is, was := "undirected", "directed"
	if rec.Graph.Directed() {
		is, was = was, is
	}
	return fmt.Errorf("graph %s is %s, and %s is %s: %w", shorten(rec.ID), is, k.of, was, ErrMixed)
}

// place is how messages name a line of a file, or a file without lines.
func place(file string, line int) string {
	if line > 0 {
		return fmt.Sprintf("%s:%d", file, line)
	}
	return file
}
