package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// version is that of the tables written. Version 1 also held vectors and was searched in
// the database.
const version = 2

// DB is a collection in a database. It may be used concurrently: each use has a connection
// of its own.
type DB struct{ address }

// Open opens the collection at an address.
func Open(ctx context.Context, at string) (*DB, error) {
	a, err := parseAddress(at)
	if err != nil {
		return nil, err
	}
	db := &DB{a}
	return db, db.View(ctx, func(*Snapshot) error { return nil })
}

// Snapshot is the collection at one moment.
type Snapshot struct {
	a  address
	tx pgx.Tx

	// ID names the collection among all others. Generation counts its changes.
	ID         string
	Generation int64
	Directed   *bool          // nil: there was never a graph
	Rules      *dataset.Rules // by which the graphs were read; nil: not known
}

// View calls read with the collection as it is now.
func (db *DB) View(ctx context.Context, read func(*Snapshot) error) error {
	return db.transact(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, "", read)
}

// transact calls use within a transaction, after it has read the state.
func (db *DB) transact(ctx context.Context, opt pgx.TxOptions, lock string, use func(*Snapshot) error) error {
	return db.begin(ctx, opt, func(tx pgx.Tx) error {
		s := &Snapshot{a: db.address, tx: tx}
		if err := s.load(ctx, lock); err != nil {
			return err
		}
		return use(s)
	})
}

// begin calls use within a transaction.
func (a address) begin(ctx context.Context, opt pgx.TxOptions, use func(pgx.Tx) error) error {
	conn, err := pgx.ConnectConfig(ctx, a.config)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return pgx.BeginTxFunc(ctx, conn, opt, use)
}

// load reads the row of the table state.
func (s *Snapshot) load(ctx context.Context, lock string) error {
	var found int
	absent := func(err error) bool {
		var failed *pgconn.PgError
		return errors.Is(err, pgx.ErrNoRows) || errors.As(err, &failed) &&
			(failed.Code == "42P01" || failed.Code == "3F000")
	}
	err := s.tx.QueryRow(ctx, "select version from "+s.a.table("state")+lock).Scan(&found)
	switch {
	case absent(err):
		return fmt.Errorf("%w: database %s has no schema %s: greed index export --to creates it", ErrDatabase,
			s.a.config.Database, s.a.schema)
	case err != nil:
		return err
	case found != version:
		return fmt.Errorf("%w: schema %s has version %d, this program reads %d", ErrDatabase, s.a.schema, found,
			version)
	}
	var rules []byte
	err = s.tx.QueryRow(ctx, "select id, generation, directed, rules from "+s.a.table("state")).Scan(&s.ID,
		&s.Generation, &s.Directed, &rules)
	if err != nil || rules == nil {
		return err
	}
	return json.Unmarshal(rules, &s.Rules)
}

// Len returns the number of graphs.
func (s *Snapshot) Len(ctx context.Context) (n int, err error) {
	return n, s.tx.QueryRow(ctx, "select count(*) from "+s.a.table("records")).Scan(&n)
}

// Since calls visit for every record that was put after a generation, 0 for all, in the
// order in which they were put. Labels are numbered by vocab.
func (s *Snapshot) Since(ctx context.Context, generation int64, vocab *graph.Vocabulary,
	visit func(dataset.Record) error) error {
	rows, err := s.tx.Query(ctx, "select id, name, smiles, mol, attributes, graph from "+s.a.table("records")+
		" where generation > $1 order by slot", generation)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var rec dataset.Record
		var attributes, code []byte
		if err := rows.Scan(&rec.ID, &rec.Name, &rec.SMILES, &rec.Block, &attributes, &code); err != nil {
			return err
		}
		if attributes != nil {
			if err := dataset.UnmarshalAttributes(attributes, &rec.Attributes); err != nil {
				return fmt.Errorf("%w: graph %q: %w", ErrDatabase, rec.ID, err)
			}
		}
		if rec.Graph, rec.NodeIDs, err = decodeGraph(code, vocab); err != nil {
			return fmt.Errorf("%w: graph %q: %w", ErrDatabase, rec.ID, err)
		}
		if err := visit(rec); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Removed returns the ids that were deleted after a generation and have not been put
// again.
func (s *Snapshot) Removed(ctx context.Context, generation int64) ([]string, error) {
	rows, err := s.tx.Query(ctx, fmt.Sprintf(`select distinct id from %s as gone where generation > $1 and not exists
		(select from %s as r where md5(r.id) = md5(gone.id) and r.id = gone.id)`, s.a.table("removed"), s.a.table("records")), generation)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
