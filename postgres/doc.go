// Package postgres keeps a collection in PostgreSQL, on one server or divided over
// several, and searches it there: the database finds candidates by vectors and counts of
// labels, and the solver here decides, so that the answers are those of an index on the
// disk.
//
// Vectors are of the type cube of PostgreSQL's own extension of that name, which measures
// the distance of a point to a point (GED) and to a box (SED: the orthant above the
// query), and has a GiST index for both, which is used for few coordinates; others are
// scanned. docs/formats.md has the tables.
package postgres

import "errors"

// Errors that callers branch on.
var (
	// ErrDatabase is wrapped where a database holds no collection, or one of another
	// version.
	ErrDatabase = errors.New("no collection of greed is there")
	// ErrExists is wrapped where a collection would replace another.
	ErrExists = errors.New("there is a collection already")
	// ErrRecord is wrapped where PostgreSQL cannot hold a record.
	ErrRecord = errors.New("PostgreSQL cannot hold the record")
	// ErrNoGraphs is wrapped where graphs are asked of a collection of vectors alone.
	ErrNoGraphs = errors.New("the collection holds vectors alone")
	// ErrNotFound is wrapped where an id or an embedding is not there.
	ErrNotFound = errors.New("not found")
)
