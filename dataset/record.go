package dataset

import (
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/greedgraph/greed/graph"
)

// Record is a graph of a collection and what the file says about it.
type Record struct {
	// ID is the id in the file, the name after a SMILES, or the name of the file in a folder
	// of files; else the position of the record in the collection, from 0. The reader does
	// not check that ids are unique.
	ID string
	// Name is the name or title of the graph, or empty.
	Name string
	// Graph is never nil. It may have no nodes, unless Options.Strict is set.
	Graph *graph.Graph
	// SMILES is the SMILES of the molecule whose atoms are the nodes, in order, or empty if
	// the graph is not a molecule. For a molecule from a MOL block it is written by package
	// chem; otherwise it is the file's.
	SMILES string
	// Block is the MOL block that the molecule was read from, up to M  END, with its
	// coordinates, if [Options.Blocks] is set and the graph is the whole molecule.
	Block string
	// NodeIDs holds the file's names of the nodes, [n], or nil if they are 0, 1, 2, ... in
	// order.
	NodeIDs []string
	// Attributes holds the graph's other properties: its class, columns of a table, SDF
	// properties. Values are strings unless the format has types. Whoever is given a record
	// may keep the map, so it must not be changed afterwards.
	Attributes map[string]any
	// File and Line locate the start of the record. Lines count from 1.
	File string
	Line int
	// Unread says what of the graph has attributes but no labels.
	Unread Unread
	// Notes are those of [Reader.Notes] where the graph was read by itself, by [ReadOne] or
	// [NodeLink.Record]. In collections they are the Reader's.
	Notes []Note
}

// IsMolecule reports whether the graph is a molecule, which means that the record has a
// SMILES.
func (r *Record) IsMolecule() bool { return r.SMILES != "" }

// Molecules reports whether there are records and all are molecules. Such collections can use
// the bundled models, and pages draw them as molecules.
func Molecules(records iter.Seq[Record]) bool {
	any := false
	for r := range records {
		if !r.IsMolecule() {
			return false
		}
		any = true
	}
	return any
}

// Graphs returns the graphs of records.
func Graphs(records []Record) []*graph.Graph {
	graphs := make([]*graph.Graph, len(records))
	for i := range records {
		graphs[i] = records[i].Graph
	}
	return graphs
}

// Number gives records without an id numbers, from next on, that are ids of none that there are, as has says, and of
// none of the records. It returns the next number.
func Number(records []Record, next int, has func(id string) bool) int {
	given := make(map[string]bool)
	for _, rec := range records {
		given[rec.ID] = true
	}
	for i := range records {
		for rec := &records[i]; rec.ID == ""; next++ {
			if id := strconv.Itoa(next); !given[id] && !has(id) {
				rec.ID = id
			}
		}
	}
	return next
}

// IDs returns the ids of records.
func IDs(records []Record) []string {
	ids := make([]string, len(records))
	for i := range records {
		ids[i] = records[i].ID
	}
	return ids
}

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
