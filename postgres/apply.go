package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
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

// kept is how long rows that were removed stay for searches that began before.
const kept = "1 hour"

// Apply carries out a change in a transaction. Where the graphs are divided over servers,
// all of it can be seen, or nothing, whenever servers or this process stop.
func (db *DB) Apply(ctx context.Context, c Change) (out Outcome, err error) {
	err = explained(pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		w := &change{Snapshot: &Snapshot{db: db, tx: tx}}
		// One writer at a time.
		if err := w.load(ctx, " for update"); err != nil {
			return err
		}
		out, err = w.carryOut(ctx, c)
		return err
	}))
	if err != nil {
		return Outcome{}, err
	}
	return out, nil
}

// change is the transaction of a change.
type change struct {
	*Snapshot
}

func (w *change) carryOut(ctx context.Context, c Change) (out Outcome, err error) {
	if err := w.tidy(ctx); err != nil {
		return out, err
	}
	if c.Number {
		if err := w.number(ctx, c.Put); err != nil {
			return out, err
		}
	}
	puts := last(c.Put)
	rows, err := w.rows(ctx, puts)
	if err != nil {
		return out, err
	}
	if out.Deleted, err = w.remove(ctx, c.Delete); err != nil {
		return out, err
	}
	ids := make([]string, len(puts))
	for i, rec := range puts {
		ids[i] = rec.ID
	}
	if out.Replaced, err = w.remove(ctx, ids); err != nil {
		return out, err
	}
	if err := w.insert(ctx, ids, rows); err != nil {
		return out, err
	}
	var fresh labels
	for _, rec := range puts {
		directed := rec.Graph.Directed()
		w.Directed = &directed
		fresh.add(rec.Graph)
	}
	if w.labelled {
		if err := fresh.insert(ctx, w.tx, w.db.table("labels")); err != nil {
			return out, err
		}
	}
	_, err = w.tx.Exec(ctx, "update "+w.db.table("state")+" set generation = $1, graphs = $2, slots = $3, directed = $4",
		w.Generation+1, w.Graphs-int64(out.Deleted)-int64(out.Replaced)+int64(len(rows)), w.Slots+int64(len(rows)), w.Directed)
	return out, err
}

// number gives records without an id numbers, from the number of graphs on, that are no ids
// so far and none of the others'. The change holds the lock of writers.
func (w *change) number(ctx context.Context, records []dataset.Record) error {
	given := make(map[string]bool)
	var bare []int
	for i, rec := range records {
		if given[rec.ID] = true; rec.ID == "" {
			bare = append(bare, i)
		}
	}
	for next := w.Graphs; len(bare) > 0; {
		ids := make([]string, max(1000, 2*len(bare)))
		for i := range ids {
			ids[i] = strconv.FormatInt(next, 10)
			next++
		}
		if err := w.there(ctx, ids, given); err != nil {
			return err
		}
		for _, id := range ids {
			if !given[id] && len(bare) > 0 {
				records[bare[0]].ID = id
				bare = bare[1:]
			}
		}
	}
	return nil
}

// there marks those of ids that graphs have.
func (w *change) there(ctx context.Context, ids []string, marked map[string]bool) error {
	for i, part := range w.divided(ids) {
		some := make([]string, len(part))
		for j, at := range part {
			some[j] = ids[at]
		}
		rows, err := w.tx.Query(ctx, fmt.Sprintf("select id from %s where until = %s and md5(id) = any($1::text[])", w.db.tables(w.Shards)[i], never), hashes(some))
		if err != nil {
			return err
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, id := range found {
			marked[id] = true
		}
	}
	return nil
}

// last returns the records without those whose id a later one has.
func last(records []dataset.Record) []dataset.Record {
	at := make(map[string]int)
	for i, rec := range records {
		at[rec.ID] = i
	}
	var list []dataset.Record
	for i, rec := range records {
		if at[rec.ID] == i {
			list = append(list, rec)
		}
	}
	return list
}

// rows embeds records.
func (w *change) rows(ctx context.Context, records []dataset.Record) ([]row, error) {
	if len(records) == 0 {
		return nil, nil
	}
	vocab := graph.NewVocabulary()
	graphs := make([]*graph.Graph, len(records))
	directed := w.Directed
	for i, rec := range records {
		if rec.Graph == nil || w.Graphs > 0 && w.Directed == nil {
			return nil, fmt.Errorf("graph %q: %w", rec.ID, ErrNoGraphs)
		}
		if rec.ID == "" {
			return nil, fmt.Errorf("%w: an id is empty", ErrRecord)
		}
		is := rec.Graph.Directed()
		if directed == nil {
			directed = &is
		}
		if *directed != is {
			return nil, fmt.Errorf("graph %q: %w", rec.ID, dataset.ErrMixed)
		}
		graphs[i] = graph.In(vocab, rec.Graph)
	}
	all := make([][]float32, len(w.Embeddings))
	for i, e := range w.Embeddings {
		if e.Model == "" {
			return nil, fmt.Errorf("%w: embedding %q is of another program, which alone can make its vectors", ErrRecord, e.Name)
		}
		m, err := w.model(ctx, e.Model)
		if err != nil {
			return nil, err
		}
		if all[i], err = m.Embed(ctx, graphs, 0); err != nil {
			return nil, err
		}
	}
	rows := make([]row, len(records))
	vectors := make([][]float32, len(all))
	for i, rec := range records {
		for j, e := range w.Embeddings {
			dim := e.Norm.Dim()
			vectors[j] = all[j][i*dim : (i+1)*dim]
		}
		var err error
		if rows[i], err = newRow(rec, w.Slots+int64(i), w.Generation+1, w.Embeddings, vectors); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// tidy takes back what a change left that stopped after some of the servers had it, and
// frees the rows that no search needs any more.
func (w *change) tidy(ctx context.Context) error {
	for _, t := range w.db.tables(w.Shards) {
		for _, statement := range []string{
			fmt.Sprintf("delete from %s where since > %d", t, w.Generation),
			fmt.Sprintf("update %s set until = %s, gone = null where until > %d and until < %s", t, never, w.Generation, never),
			fmt.Sprintf("delete from %s where until < %s and gone < now() - interval '%s'", t, never, kept),
		} {
			if _, err := w.tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
	}
	return nil
}

// remove marks the graphs with the ids as gone and returns how many there were. They may
// have been put in the same change.
func (w *change) remove(ctx context.Context, ids []string) (removed int, err error) {
	for i, part := range w.divided(ids) {
		if len(part) == 0 {
			continue
		}
		var marks []string
		for _, at := range part {
			marks = append(marks, ids[at])
		}
		t, err := w.tx.Exec(ctx, fmt.Sprintf("update %s set until = %d, gone = now() where until = %s and md5(id) = any($1::text[]) and id = any($2::text[])",
			w.db.tables(w.Shards)[i], w.Generation+1, never), hashes(marks), marks)
		if err != nil {
			return removed, err
		}
		removed += int(t.RowsAffected())
	}
	return removed, nil
}

// divided returns the positions of ids by the server that they are on.
func (w *change) divided(ids []string) [][]int {
	parts := make([][]int, max(1, w.Shards))
	for i, id := range ids {
		s := shardOf(id, w.Shards)
		parts[s] = append(parts[s], i)
	}
	return parts
}

// insertRows is how many rows go into a statement.
const insertRows = 500

func (w *change) insert(ctx context.Context, ids []string, rows []row) error {
	for i, part := range w.divided(ids) {
		for len(part) > 0 {
			n := min(len(part), insertRows)
			var b strings.Builder
			fmt.Fprintf(&b, "insert into %s select * from json_populate_recordset(null::%s, $1)", w.db.tables(w.Shards)[i], w.db.tables(w.Shards)[i])
			list := make([]map[string]any, n)
			for j, at := range part[:n] {
				list[j] = w.named(rows[at])
			}
			text, err := json.Marshal(list)
			if err != nil {
				return err
			}
			if _, err := w.tx.Exec(ctx, b.String(), string(text)); err != nil {
				return err
			}
			part = part[n:]
		}
	}
	return nil
}

// named returns a row by the names of its columns.
func (w *change) named(r row) map[string]any {
	named := make(map[string]any, len(r))
	for i, column := range columnNames(w.Embeddings) {
		if column == "attributes" && r[i] != nil {
			named[column] = json.RawMessage(*r[i])
		} else {
			named[column] = r[i]
		}
	}
	return named
}

// Check returns an error if the rows of the state are not as many as it says, or an id
// occurs twice in them.
func (s *Snapshot) Check(ctx context.Context) error {
	n, ids := int64(0), int64(0)
	for _, t := range s.db.tables(s.Shards) {
		var some, distinct int64
		if err := s.tx.QueryRow(ctx, "select count(*), count(distinct id) from "+t+" where "+s.current()).Scan(&some, &distinct); err != nil {
			return err
		}
		n, ids = n+some, ids+distinct
	}
	if n != s.Graphs || ids != n {
		return errors.Join(ErrDatabase, fmt.Errorf("generation %d has %d rows with %d ids, want %d", s.Generation, n, ids, s.Graphs))
	}
	return nil
}
