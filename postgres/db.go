package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/model"
)

// DB is a collection in a database. It may be used concurrently. Close it.
type DB struct {
	address
	pool *pgxpool.Pool

	mu     sync.Mutex
	models map[string]*model.Model // by fingerprint
}

// Open opens the collection at an address.
func Open(ctx context.Context, at string) (*DB, error) {
	a, err := parseAddress(at)
	if err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig("")
	if err != nil {
		return nil, err
	}
	config.ConnConfig = a.config
	// Every query is another text, with its vector in it.
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	db := &DB{address: a, pool: pool, models: make(map[string]*model.Model)}
	if err := db.View(ctx, func(*Snapshot) error { return nil }); err != nil {
		pool.Close()
		return nil, err
	}
	return db, nil
}

// Close closes all connections.
func (db *DB) Close() { db.pool.Close() }

// Snapshot is the collection at one moment.
type Snapshot struct {
	db *DB
	tx pgx.Tx
	state
}

// View calls read with the collection as it is now. Servers that it is divided over show
// the same state.
func (db *DB) View(ctx context.Context, read func(*Snapshot) error) error {
	opt := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return explained(pgx.BeginTxFunc(ctx, db.pool, opt, func(tx pgx.Tx) error {
		s := &Snapshot{db: db, tx: tx}
		if err := s.load(ctx, ""); err != nil {
			return err
		}
		return read(s)
	}))
}

// load reads the row of the table state.
func (s *Snapshot) load(ctx context.Context, lock string) error {
	var embeddings string
	var rules *string // collections of older programs have no such column
	err := s.tx.QueryRow(ctx, "select version, generation, graphs, slots, shards, directed, embeddings::text, to_jsonb(s)->>'rules', to_jsonb(s) ? 'rules' from "+s.db.table("state")+" as s"+lock).
		Scan(&s.Version, &s.Generation, &s.Graphs, &s.Slots, &s.Shards, &s.Directed, &embeddings, &rules, &s.labelled)
	var failed *pgconn.PgError
	switch {
	case errors.As(err, &failed) && (failed.Code == "42P01" || failed.Code == "3F000"), errors.Is(err, pgx.ErrNoRows):
		return fmt.Errorf("%w: database %s has no complete schema %s: greed index export --to makes it", ErrDatabase, s.db.config.Database, s.db.schema)
	case err != nil:
		return err
	case s.Version != version:
		return fmt.Errorf("%w: its version is %d, want %d", ErrDatabase, s.Version, version)
	}
	if rules != nil {
		if err := json.Unmarshal([]byte(*rules), &s.Rules); err != nil {
			return err
		}
	}
	return json.Unmarshal([]byte(embeddings), &s.Embeddings)
}

// explained adds to an error of a server that cannot be reached what PostgreSQL says in its
// details, such as which.
func explained(err error) error {
	var failed *pgconn.PgError
	if errors.As(err, &failed) && failed.Detail != "" {
		return fmt.Errorf("%w: %s", err, strings.Join(strings.Fields(failed.Detail), " "))
	}
	return err
}

// Len returns the number of graphs.
func (s *Snapshot) Len() int { return int(s.Graphs) }

// Embedding returns the embedding with a name; "" is the only one. The error wraps
// [ErrNotFound].
func (s *Snapshot) Embedding(name string) (Embedding, error) {
	var names []string
	for _, e := range s.Embeddings {
		if e.Name == name || name == "" && len(s.Embeddings) == 1 {
			return e, nil
		}
		names = append(names, e.Name)
	}
	if len(names) == 0 {
		return Embedding{}, fmt.Errorf("%w: the collection holds no vectors", ErrNotFound)
	}
	return Embedding{}, fmt.Errorf("%w: embedding %q: there are %s", ErrNotFound, name, strings.Join(names, ", "))
}

// serving returns the embedding that searches for a task use, and its model, which is nil
// if there is none.
func (s *Snapshot) serving(ctx context.Context, task edit.Task) (Embedding, *model.Model, error) {
	i := slices.IndexFunc(s.Embeddings, func(e Embedding) bool { return e.Serves && e.Task == task && e.Model != "" })
	if i < 0 {
		return Embedding{}, nil, nil
	}
	m, err := s.model(ctx, s.Embeddings[i].Model)
	return s.Embeddings[i], m, err
}

// model returns the model with a fingerprint, which is read once.
func (s *Snapshot) model(ctx context.Context, fingerprint string) (*model.Model, error) {
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	if m := s.db.models[fingerprint]; m != nil {
		return m, nil
	}
	var file []byte
	if err := s.tx.QueryRow(ctx, "select file from "+s.db.table("models")+" where fingerprint = $1", fingerprint).Scan(&file); err != nil {
		return nil, err
	}
	m, err := model.Parse(file)
	if err != nil {
		return nil, err
	}
	if m.Fingerprint() != fingerprint {
		return nil, fmt.Errorf("%w: model %s is damaged", ErrDatabase, fingerprint)
	}
	s.db.models[fingerprint] = m
	return m, nil
}

// Attributes returns the names of all attributes, in order.
func (s *Snapshot) Attributes(ctx context.Context) ([]string, error) {
	var names []string
	for _, t := range s.db.tables(s.Shards) {
		rows, err := s.tx.Query(ctx, "select distinct jsonb_object_keys(attributes) from "+t+" where "+s.current())
		if err != nil {
			return nil, err
		}
		some, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return nil, err
		}
		names = append(names, some...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// current is the condition of the rows of the state.
func (s *Snapshot) current() string {
	return fmt.Sprintf("since <= %d and until > %d", s.Generation, s.Generation)
}
