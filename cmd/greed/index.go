package main

import (
	"errors"

	"github.com/greedgraph/greed/store"
)

// indexCommand groups the commands for indexes.
type indexCommand struct {
	Build    indexBuild    `cmd:"" help:"Build an index of a collection, of one large graph or of vectors."`
	Add      indexAdd      `cmd:"" help:"Add graphs to an index; a graph whose id is already there replaces the old one."`
	Sync     indexSync     `cmd:"" help:"Bring an index up to date with a database."`
	Delete   indexDelete   `cmd:"" help:"Delete graphs from an index by their ids."`
	Info     indexInfo     `cmd:"" help:"Show what is in an index."`
	Check    indexCheck    `cmd:"" help:"Read everything in an index and name what is damaged."`
	Compact  indexCompact  `cmd:"" help:"Free the disk space of deleted and replaced graphs."`
	Snapshot indexSnapshot `cmd:"" help:"Copy an index as it is now."`
	Export   indexExport   `cmd:"" help:"Write an index as Parquet, its vectors as NumPy, or its records to PostgreSQL."`
	Reembed  indexReembed  `cmd:"" help:"Replace a model of an index and embed every graph with the new one."`
}

// withIndex opens an index while use runs.
func withIndex(dir string, use func(*store.Store) error) error {
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		return err
	}
	return errors.Join(use(s), s.Close())
}
