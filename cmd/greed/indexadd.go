package main

import (
	"context"
	"errors"
	"fmt"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/store"
)

// indexAdd adds graphs to an index.
type indexAdd struct {
	Index  string `arg:"" help:"The index, or the address of a database."`
	Graphs string `arg:"" help:"What to add: a file, a folder, - for standard input, or a SMILES."`

	operation.Storing
	readFlags
}

// numberNew gives records without an id numbers, from next on or, below 0, from how many there are, and returns the
// next.
func numberNew(snap *store.Snapshot, records []dataset.Record, next int) (_ int, err error) {
	if next < 0 {
		next = snap.Len()
	}
	next = dataset.Number(records, next, func(id string) bool {
		_, failed := snap.Slot(id)
		if failed != nil && !errors.Is(failed, store.ErrNotFound) {
			err = failed
		}
		return failed == nil
	})
	return next, err
}

func (c *indexAdd) Run(s *session) error {
	if err := c.needed(s, c.Graphs); err != nil {
		return err
	}
	if postgres.IsAddress(c.Index) {
		if c.New {
			return usageError("--new does not work with a database, where a graph always replaces the one with its id")
		}
		return c.toDatabase(s)
	}
	done := indexChange{Index: c.Index}
	next := -1 // the number to try for a graph without an id
	src := c.source(s)
	src.Unnumbered, src.Blocks = true, true
	err := withIndex(c.Index, func(st *store.Store) error {
		err := st.View(s.ctx, func(snap *store.Snapshot) error { return src.Follow(c.Index, snap.Rules()) })
		if err != nil {
			return usageOfReading(err)
		}
		_, err = s.batches(src, c.Graphs, func(batch []dataset.Record) error {
			err := st.View(s.ctx, func(snap *store.Snapshot) (err error) {
				next, err = numberNew(snap, batch, next)
				return err
			})
			if err != nil {
				return err
			}
			added, replaced, err := st.Add(s.ctx, batch, c.New, s.workers)
			done.Put, done.Replaced = done.Put+added+replaced, done.Replaced+replaced
			return err
		})
		if err != nil {
			if done.Put > 0 {
				err = fmt.Errorf("%w (the first %s of %s are stored; the rest can be added once this is mended)", err,
					count(done.Put, "graph"), c.Graphs)
			}
			return err
		}
		c.keepUp(s, st.WriteSegmentIfDue)
		return done.now(s, st)
	})
	if err != nil {
		return err
	}
	return done.print(s)
}

// keepUp does what is due after graphs were stored. They are there whatever becomes of it: if its failure
// were the command's, they would be added again.
func (c *indexAdd) keepUp(s *session, write func(ctx context.Context, workers int) error) {
	if err := write(s.ctx, s.workers); err != nil {
		s.note("the graphs are stored, but %s could not be prepared for faster searches, "+
			"which the next change tries again: %v", c.Index, err)
	}
}

// indexChange is what a change of an index did, as over HTTP. A database has no state.
type indexChange struct {
	Index string `json:"index"`
	greed.Outcome
}

// now sets the state that the index has after the change.
func (c *indexChange) now(s *session, st *store.Store) error {
	return st.View(s.ctx, func(snap *store.Snapshot) error {
		c.State = snap.Tag()
		return nil
	})
}

func (c *indexChange) print(s *session) error {
	c.Notes = s.allNotes()
	return s.answer(c, "%s: %s added, %d replaced\n", c.Index, count(c.Put-c.Replaced, "graph"), c.Replaced)
}
