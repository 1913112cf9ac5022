// Package postgres stores records in PostgreSQL, where several machines share them. It
// searches nothing: collections and indexes are filled from the database and follow the
// generations of its changes. docs/formats.md describes the tables.
package postgres

import "errors"

// Errors that callers branch on.
var (
	// ErrDatabase is wrapped if a database holds no collection, or one of another
	// version.
	ErrDatabase = errors.New("there is no greed collection")
	// ErrExists is wrapped if a collection would replace another.
	ErrExists = errors.New("there is a collection already")
	// ErrRecord is wrapped if PostgreSQL cannot hold a record.
	ErrRecord = errors.New("PostgreSQL cannot hold the record")
)
