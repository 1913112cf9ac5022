package main

import (
	"errors"
	"iter"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/store"
)

// toDatabase copies the records of an index to PostgreSQL.
func (c *indexExport) toDatabase(s *session) error {
	graphs := 0
	begin := time.Now()
	err := withIndex(c.Index, func(st *store.Store) error {
		return st.Hold(s.ctx, func(snap *store.Snapshot) (err error) {
			shown := s.bar(snap.Len(), "graphs")
			defer shown.Finish()
			graphs, err = postgres.Create(s.ctx, c.To, snap.Rules(),
				sequence(func(each func(dataset.Record) error) error {
					return snap.Range(0, snap.Slots(), func(slot int, rec dataset.Record) (err error) {
						shown.Add(1)
						if rec.Block, err = snap.Block(slot); err != nil {
							return err
						}
						return each(rec)
					})
				}))
			return err
		})
	})
	if err != nil {
		return err
	}
	to, took := postgres.Shown(c.To), time.Since(begin)
	return s.answer(struct {
		To      string  `json:"to"`
		Graphs  int     `json:"graphs"`
		Seconds float64 `json:"seconds"`
	}{to, graphs, took.Seconds()}, "%s: %s in %s\n", to, count(graphs, "graph"), rounded(took))
}

// errStopped ends an iteration whose caller wants no more.
var errStopped = errors.New("stopped")

// sequence returns the records that a function calls another with, and its error.
func sequence(visit func(each func(dataset.Record) error) error) iter.Seq2[dataset.Record, error] {
	return func(yield func(dataset.Record, error) bool) {
		err := visit(func(rec dataset.Record) error {
			if !yield(rec, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && err != errStopped {
			yield(dataset.Record{}, err)
		}
	}
}

// toDatabase adds graphs in batches.
func (c *indexAdd) toDatabase(s *session) error {
	db, err := postgres.Open(s.ctx, c.Index)
	if err != nil {
		return err
	}
	name := postgres.Shown(c.Index)
	src := c.source(s)
	src.Unnumbered, src.Blocks = true, true
	err = db.View(s.ctx, func(snap *postgres.Snapshot) error { return src.Follow(name, snap.Rules) })
	if err != nil {
		return usageOfReading(err)
	}
	done := indexChange{Index: name}
	_, err = s.batches(src, c.Graphs, func(batch []dataset.Record) error {
		out, err := db.Apply(s.ctx, postgres.Change{Put: batch, Number: true})
		done.Put, done.Replaced = done.Put+len(batch), done.Replaced+out.Replaced
		return err
	})
	if err != nil {
		return err
	}
	return done.print(s)
}

func deleteInDatabase(s *session, at string, ids []string) (int, error) {
	db, err := postgres.Open(s.ctx, at)
	if err != nil {
		return 0, err
	}
	out, err := db.Apply(s.ctx, postgres.Change{Delete: ids})
	return out.Deleted, err
}

// indexSync makes an index follow a database.
type indexSync struct {
	Index    string `arg:"" help:"The index."`
	Database string `arg:"" help:"The address of the database: postgres://user@host/database?schema=greed."`
}

func (c *indexSync) Run(s *session) error {
	done, err := greed.SyncIndex(s.ctx, c.Index, c.Database, s.workers)
	if err != nil {
		return err
	}
	return s.answer(struct {
		Index   string `json:"index"`
		Put     int    `json:"put"`
		Deleted int    `json:"deleted"`
		Graphs  int    `json:"graphs"`
	}{c.Index, done.Put, done.Deleted, done.Graphs}, "%s: %s, %d put, %d deleted\n", c.Index,
		count(done.Graphs, "graph"), done.Put, done.Deleted)
}
