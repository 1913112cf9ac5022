package main

import (
	"fmt"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/store"
)

// toDatabase copies an index to PostgreSQL.
func (c *indexExport) toDatabase(s *session) error {
	graphs := 0
	begin := time.Now()
	err := withIndex(c.Index, func(st *store.Store) error {
		return st.Hold(s.ctx, func(snap *store.Snapshot) (err error) {
			shown := s.bar(snap.Len(), "graphs")
			defer shown.finish()
			last := 0
			opt := postgres.ExportOptions{Shards: c.Shards, Scan: c.Scan, Progress: func(done int) {
				shown.add(done - last)
				last = done
			}}
			graphs, err = postgres.Export(s.ctx, c.To, snap, opt)
			return err
		})
	})
	if err != nil {
		return err
	}
	to, took := postgres.Shown(c.To), time.Since(begin)
	if s.json {
		return s.out.printJSON(struct {
			To      string  `json:"to"`
			Graphs  int     `json:"graphs"`
			Shards  int     `json:"shards"`
			Seconds float64 `json:"seconds"`
		}{to, graphs, len(c.Shards), took.Seconds()})
	}
	_, err = fmt.Fprintf(s.out, "%s: %s in %s\n", to, count(graphs, "graph"), rounded(took))
	return err
}

// inDatabase searches for graphs.
func (c *searchCommand) inDatabase(s *session, opt greed.Options) error {
	if len(c.Model) > 0 {
		return usageError("a database is searched with the models that it holds: --model cannot name others")
	}
	db, err := greed.OpenDatabase(s.ctx, c.Collection)
	if err != nil {
		return err
	}
	defer db.Close()
	graphs, err := db.Len(s.ctx)
	if err != nil {
		return err
	}
	if err := c.follows(s, db, c.Collection); err != nil {
		return err
	}
	return c.searchIn(s, searched{postgres.Shown(c.Collection), graphs, db.Search, nil, nil}, opt)
}

// follows makes what is read next fit a database.
func (f *readFlags) follows(s *session, db *greed.Database, address string) error {
	rules, known, err := db.Rules(s.ctx)
	if err != nil || !known {
		return err
	}
	return f.adopt(postgres.Shown(address), rules)
}

// toDatabase adds graphs in batches.
func (c *indexAdd) toDatabase(s *session) error {
	db, err := greed.OpenDatabase(s.ctx, c.Index)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := c.follows(s, db, c.Index); err != nil {
		return err
	}
	c.Index = postgres.Shown(c.Index)
	added, replaced := 0, 0
	var batch []dataset.Record
	flush := func() error {
		out, err := db.Add(s.ctx, batch)
		added, replaced = added+len(batch)-out.Replaced, replaced+out.Replaced
		batch = batch[:0]
		return err
	}
	c.unnumbered = true
	err = c.visit(s, c.Graphs, graph.NewVocabulary(), func(rec dataset.Record) error {
		if batch = append(batch, rec); len(batch) < batchSize {
			return nil
		}
		return flush()
	})
	if err == nil && len(batch) > 0 {
		err = flush()
	}
	if err != nil {
		return err
	}
	return c.print(s, added, replaced)
}

func deleteInDatabase(s *session, at string, ids []string) (int, error) {
	db, err := greed.OpenDatabase(s.ctx, at)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	out, err := db.Apply(s.ctx, greed.Change{Delete: ids})
	return out.Deleted, err
}
