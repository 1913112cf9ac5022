package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/greedgraph/greed/dataset"
)

// Create makes a collection of records, which were read by rules, nil if those are not
// known. It appears whole or not at all. The ids must differ.
func Create(ctx context.Context, at string, rules *dataset.Rules, records iter.Seq2[dataset.Record,
	error]) (graphs int, err error) {
	a, err := parseAddress(at)
	if err != nil {
		return 0, err
	}
	err = a.begin(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		for _, statement := range []string{
			"create schema " + pgx.Identifier{a.schema}.Sanitize(),
			fmt.Sprintf(`create table %s (slot bigint generated always as identity, id text not null, name text not null, smiles text not null, mol text not null,
				attributes jsonb, nodes integer not null, edges integer not null, graph bytea not null, generation bigint not null)`, a.table("records")),
			fmt.Sprintf(`create table %s (id text not null, generation bigint not null)`, a.table("removed")),
			fmt.Sprintf(`create table %s (version integer not null, id text not null, generation bigint not null, directed boolean, rules jsonb)`, a.table("state")),
		} {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
		w := &writer{a: a, tx: tx, generation: 1}
		if err := w.copy(ctx, records); err != nil {
			return err
		}
		graphs = w.written
		// An id may be longer than what an index takes. The first searches need no statistics:
		// the generations are few.
		for _, statement := range []string{
			fmt.Sprintf("create unique index on %s (md5(id))", a.table("records")),
			fmt.Sprintf("create index on %s (generation)", a.table("records")),
			fmt.Sprintf("create index on %s (generation)", a.table("removed")),
			"analyze " + a.table("records"),
		} {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
		var text []byte
		if rules != nil {
			if text, err = json.Marshal(rules); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, "insert into "+a.table("state")+" values ($1, md5(random()::text || "+
			"clock_timestamp()::text), 1, $2, $3)", version, w.directed, text)
		return err
	})
	if failed, ok := errors.AsType[*pgconn.PgError](err); ok && failed.Code == "42P06" {
		return 0, fmt.Errorf("%w: schema %s on %s", ErrExists, a.schema, a.config.Host)
	}
	return graphs, err
}

// writer adds records within a transaction.
type writer struct {
	a          address
	tx         pgx.Tx
	generation int64 // of the records that are written
	directed   *bool // nil: there are no graphs yet
	written    int
}

// copy writes records whose ids are new.
func (w *writer) copy(ctx context.Context, records iter.Seq2[dataset.Record, error]) error {
	next, stop := iter.Pull2(records)
	defer stop()
	var failed error // which the server would give back as a text
	source := pgx.CopyFromFunc(func() (row []any, err error) {
		rec, err, more := next()
		if err == nil && more {
			row, err = w.row(rec)
		}
		failed = err
		return row, err
	})
	columns := []string{"id", "name", "smiles", "mol", "attributes", "nodes", "edges", "graph", "generation"}
	_, err := w.tx.CopyFrom(ctx, pgx.Identifier{w.a.schema, "records"}, columns, source)
	return cmp.Or(failed, err)
}

// row returns the columns of a record.
func (w *writer) row(rec dataset.Record) ([]any, error) {
	switch {
	case rec.Graph == nil:
		return nil, fmt.Errorf("%w: %q has no graph", ErrRecord, rec.ID)
	case rec.ID == "":
		return nil, fmt.Errorf("%w: an id is empty", ErrRecord)
	}
	directed := rec.Graph.Directed()
	if w.directed == nil {
		w.directed = &directed
	}
	if *w.directed != directed {
		return nil, fmt.Errorf("graph %q: %w", rec.ID, dataset.ErrMixed)
	}
	var attributes []byte
	if len(rec.Attributes) > 0 {
		var err error
		if attributes, err = json.Marshal(rec.Attributes); err != nil {
			return nil, fmt.Errorf("%w: graph %q: %w", ErrRecord, rec.ID, err)
		}
	}
	for _, text := range []string{rec.ID, rec.Name, rec.SMILES, rec.Block, string(attributes)} {
		if !holdable(text) || strings.Contains(text, `\u0000`) {
			return nil, fmt.Errorf("%w: graph %q has text that holds a zero byte or is not UTF-8", ErrRecord, rec.ID)
		}
	}
	w.written++
	code := appendGraph(nil, rec.Graph, rec.NodeIDs)
	return []any{rec.ID, rec.Name, rec.SMILES, rec.Block, attributes, int32(rec.Graph.N()), int32(rec.Graph.M()), code,
		w.generation}, nil
}

// holdable reports whether PostgreSQL can hold a text.
func holdable(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }
