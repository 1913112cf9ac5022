package greed

import (
	"context"
	"errors"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/store"
)

// syncBatch is how many graphs are embedded and put at a time.
const syncBatch = 4096

// SyncIndex makes an index hold the records of a database. Of an index that it was called
// for before, or that greed index build made of the database, it reads what has changed
// since; of another, all. Searches go on meanwhile and see one batch after the other. If it
// is stopped, the next call does the rest. Records that were put into the index alone stay
// where only changes are read.
func SyncIndex(ctx context.Context, path, address string, workers int) (done Synced, err error) {
	db, err := postgres.Open(ctx, address)
	if err != nil {
		return done, err
	}
	st, err := store.Open(path, store.Options{})
	if err != nil {
		return done, err
	}
	err = db.View(ctx, func(from *postgres.Snapshot) error { return done.sync(ctx, st, from, workers) })
	return done, errors.Join(err, st.Close())
}

func (done *Synced) sync(ctx context.Context, st *store.Store, from *postgres.Snapshot, workers int) error {
	now := store.Source{ID: from.ID, Generation: from.Generation}
	var before store.Source
	extra := make(map[string]bool) // ids that the database may lack
	err := st.View(ctx, func(snap *store.Snapshot) error {
		if rules := snap.Rules(); rules != nil && from.Rules != nil && !rules.Equal(*from.Rules) {
			return fmt.Errorf("the graphs of the database were read by other rules (%s) than those of the index (%s)",
				from.Rules, rules)
		}
		if before = snap.Source(); before.ID == now.ID {
			return nil
		}
		before = store.Source{}
		return snap.Range(0, snap.Slots(), func(_ int, rec dataset.Record) error {
			extra[rec.ID] = true
			return ctx.Err()
		})
	})
	if err != nil {
		return err
	}
	var batch []Record
	put := func() error {
		_, _, err := st.Add(ctx, batch, false, workers)
		done.Put += len(batch)
		batch = batch[:0]
		return err
	}
	err = from.Since(ctx, before.Generation, graph.NewVocabulary(), func(rec Record) error {
		delete(extra, rec.ID)
		if batch = append(batch, rec); len(batch) < syncBatch {
			return nil
		}
		return put()
	})
	if err == nil && len(batch) > 0 {
		err = put()
	}
	if err != nil {
		return err
	}
	gone, err := from.Removed(ctx, before.Generation)
	if err != nil {
		return err
	}
	for id := range extra {
		gone = append(gone, id)
	}
	absent, err := st.Delete(ctx, gone)
	if err != nil {
		return err
	}
	done.Deleted = len(gone) - len(absent)
	if err := st.SetSource(ctx, now); err != nil {
		return err
	}
	if err := st.WriteSegmentIfDue(ctx, workers); err != nil {
		return err
	}
	return st.View(ctx, func(snap *store.Snapshot) error {
		done.Graphs = snap.Len()
		return nil
	})
}
