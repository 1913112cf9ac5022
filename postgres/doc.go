// Package postgres keeps records in PostgreSQL, where several machines share them.
// Nothing is searched there: collections and indexes are filled from it, and follow it by
// the generations of its changes. docs/formats.md has the tables.
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
)
