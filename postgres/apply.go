package postgres

import (
	"context"
	"crypto/md5"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/greedgraph/greed/dataset"
)

// Change is a set of deletions and puts, made all at once or not at all.
type Change struct {
	Delete []string         // ids, which need not be there; they go first
	Put    []dataset.Record // a record replaces one with its id, and the last of several is kept
	// Number gives records without an id the next free numbers. The records are changed.
	Number bool
}

// Outcome says what a change did.
type Outcome struct{ Replaced, Deleted int }

// Apply carries out a change in a transaction.
func (db *DB) Apply(ctx context.Context, c Change) (out Outcome, err error) {
	err = db.transact(ctx, pgx.TxOptions{}, " for update", func(s *Snapshot) error { // one writer at a time
		if c.Number {
			if err := s.number(ctx, c.Put); err != nil {
				return err
			}
		}
		deleted, err := s.remove(ctx, c.Delete)
		if err != nil {
			return err
		}
		at := make(map[string]int)
		for i, rec := range c.Put {
			at[rec.ID] = i
		}
		replaced, err := s.remove(ctx, slices.Collect(maps.Keys(at)))
		if err != nil {
			return err
		}
		out = Outcome{Replaced: len(replaced), Deleted: len(deleted)}
		if len(deleted) > 0 {
			if _, err := s.tx.Exec(ctx, "insert into "+s.a.table("removed")+" select unnest($1::text[]), $2", deleted,
				s.Generation+1); err != nil {
				return err
			}
		}
		w := &writer{a: s.a, tx: s.tx, generation: s.Generation + 1, directed: s.Directed}
		err = w.copy(ctx, func(yield func(dataset.Record, error) bool) {
			for i, rec := range c.Put {
				if at[rec.ID] == i && !yield(rec, nil) {
					return
				}
			}
		})
		if err != nil {
			return err
		}
		_, err = s.tx.Exec(ctx, "update "+s.a.table("state")+" set generation = $1, directed = $2", w.generation,
			w.directed)
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	return out, nil
}

// remove deletes the records with the ids and returns the ids that there were.
func (s *Snapshot) remove(ctx context.Context, ids []string) ([]string, error) {
	return s.collect(ctx, "delete from "+s.a.table("records")+" where md5(id) = any($1) and id = any($2) returning id",
		ids)
}

// collect returns the ids that a statement about ids yields. Its index goes by hashes.
func (s *Snapshot) collect(ctx context.Context, statement string, ids []string) ([]string, error) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !holdable(id) })
	if len(ids) == 0 {
		return nil, nil
	}
	hashes := make([]string, len(ids))
	for i, id := range ids {
		hashes[i] = fmt.Sprintf("%x", md5.Sum([]byte(id)))
	}
	rows, err := s.tx.Query(ctx, statement, hashes, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// number gives records without an id numbers, from the number of graphs on, that are no ids
// so far and none of the others'.
func (s *Snapshot) number(ctx context.Context, records []dataset.Record) error {
	taken := make(map[string]bool)
	var bare []int
	for i, rec := range records {
		if taken[rec.ID] = true; rec.ID == "" {
			bare = append(bare, i)
		}
	}
	next, err := s.Len(ctx)
	for len(bare) > 0 && err == nil {
		ids := make([]string, max(1000, 2*len(bare)))
		for i := range ids {
			ids[i] = strconv.Itoa(next)
			next++
		}
		var there []string
		there, err = s.collect(ctx, "select id from "+s.a.table("records")+" where md5(id) = any($1) and id = any($2)",
			ids)
		for _, id := range there {
			taken[id] = true
		}
		for _, id := range ids {
			if err == nil && !taken[id] && len(bare) > 0 {
				records[bare[0]].ID = id
				bare = bare[1:]
			}
		}
	}
	return err
}
