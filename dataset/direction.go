package dataset

import (
	"errors"
	"fmt"
)

// ErrMixed is the reason of a graph that does not fit its collection: one is
// directed and the other is not.
var ErrMixed = errors.New("the graphs of a collection must all be directed or all be undirected")

// Direction is what the graphs of a collection have in common: all are directed or
// none is, since there is no distance between the two. The zero Direction is that of
// a collection without graphs, which every graph fits.
type Direction struct {
	known, directed bool
	of              string // the graph it was taken from, for the sentence
}

// DirectionOf returns the direction of a collection that holds rec, which needs ID and Graph.
// File and Line improve the message of [Direction.Check].
func DirectionOf(rec Record) Direction {
	d := Direction{known: true, directed: rec.Graph.Directed(), of: "graph " + shorten(rec.ID)}
	if rec.File != "" {
		d.of += " (" + location(rec.File, rec.Line) + ")"
	}
	return d
}

// Known reports whether the collection has a graph.
func (d Direction) Known() bool { return d.known }

// Directed reports whether the graphs of the collection are directed.
func (d Direction) Directed() bool { return d.directed }

// Check returns nil if rec fits a collection of direction d, else a sentence that
// names both graphs and wraps [ErrMixed].
func (d Direction) Check(rec Record) error {
	if !d.known || d.directed == rec.Graph.Directed() {
		return nil
	}
	is, was := "undirected", "directed"
	if rec.Graph.Directed() {
		is, was = was, is
	}
	return fmt.Errorf("graph %s is %s, but %s is %s: %w", shorten(rec.ID), is, d.of, was, ErrMixed)
}

// location is how messages name a line of a file, or a file without lines.
func location(file string, line int) string {
	if line > 0 {
		return fmt.Sprintf("%s:%d", file, line)
	}
	return file
}
