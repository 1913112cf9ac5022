package dataset

import (
	"errors"
	"fmt"
)

// ErrMixed means that a graph is directed and its collection is not, or the other way round.
var ErrMixed = errors.New("the graphs of a collection must all be directed or all be undirected")

// Direction says whether the graphs of a collection are directed. All are or none is, because
// distances between the two are undefined. The zero Direction is that of an empty collection,
// which any graph fits.
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

// Check returns nil if rec fits a collection of direction d. Otherwise the error names both
// graphs and wraps [ErrMixed].
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

// location formats a line of a file, or a file without lines, for messages.
func location(file string, line int) string {
	if line > 0 {
		return fmt.Sprintf("%s:%d", file, line)
	}
	return file
}
