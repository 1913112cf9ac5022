package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/store"
)

// ExportOptions say how a collection is laid out.
type ExportOptions struct {
	// Shards are the addresses of the servers that the graphs are divided over; none: the
	// server of the collection itself holds them.
	Shards []string
	// Scan leaves out the trees over vectors of few coordinates, too: searches for the nearest
	// then read all.
	Scan bool
	// Progress, if not nil, is told how many graphs were sent.
	Progress func(done int)
}

// Export copies an index to a database that does not have the collection yet. Until all is
// there, nothing can be read of it. An error leaves nothing behind, if the servers can be
// reached.
func Export(ctx context.Context, to string, snap *store.Snapshot, opt ExportOptions) (graphs int, err error) {
	a, err := parseAddress(to)
	if err != nil {
		return 0, err
	}
	x := &export{address: a, opt: opt, shards: []address{a}}
	if len(opt.Shards) > 0 {
		x.shards = nil
		for _, text := range opt.Shards {
			of, err := parseAddress(text)
			if err != nil {
				return 0, err
			}
			of.schema = a.schema
			x.shards = append(x.shards, of)
		}
	}
	for _, e := range snap.Embeddings() {
		if e.Rows == snap.Slots() {
			x.embeddings = append(x.embeddings, Embedding{e.Name, e.Task, e.Model, e.Norm, e.Serves})
		}
	}
	defer func() {
		if err != nil {
			x.undo(context.WithoutCancel(ctx))
		}
	}()
	if err := x.create(ctx); err != nil {
		return 0, err
	}
	if err := x.copy(ctx, snap); err != nil {
		return 0, err
	}
	return x.state.count, x.finish(ctx, snap)
}

// export is a collection on its way to a database.
type export struct {
	address
	opt        ExportOptions
	shards     []address // those that hold graphs
	embeddings []Embedding
	made       []address // whose schema was made here
	state      struct {
		count    int
		directed *bool
		labels   labels
	}
}

// run carries out statements in one transaction.
func run(ctx context.Context, a address, statements []string) error {
	conn, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, s := range statements {
			if _, err := tx.Exec(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", a.config.Host, err)
	}
	return nil
}

// create makes the tables of graphs on every server.
func (x *export) create(ctx context.Context) error {
	for _, a := range x.shards {
		err := run(ctx, a, a.createGraphs(x.embeddings))
		var failed *pgconn.PgError
		if errors.As(err, &failed) && failed.Code == "42P06" {
			return fmt.Errorf("%w: schema %s on %s", ErrExists, a.schema, a.config.Host)
		}
		if err != nil {
			return err
		}
		x.made = append(x.made, a)
	}
	return nil
}

// undo removes what was made.
func (x *export) undo(ctx context.Context) {
	for _, a := range x.made {
		_ = run(ctx, a, []string{"drop schema if exists " + a.quotedSchema() + " cascade"})
	}
}

// copyBytes is about how much is sent at a time.
const copyBytes = 1 << 20

// copy sends the graphs to the servers, all at the same time.
func (x *export) copy(ctx context.Context, snap *store.Snapshot) error {
	rows := make([][]float32, len(x.embeddings))
	for i, e := range x.embeddings {
		var err error
		if rows[i], err = snap.Vectors(e.Name); err != nil {
			return err
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	pieces := make([]chan []byte, len(x.shards))
	for i, a := range x.shards {
		pieces[i] = make(chan []byte, 4)
		group.Go(func() error { return receive(ctx, a, pieces[i]) })
	}
	buffers := make([][]byte, len(x.shards))
	send := func(i int) error {
		select {
		case pieces[i] <- bytes.Clone(buffers[i]):
			buffers[i] = buffers[i][:0]
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	group.Go(func() error {
		defer func() {
			for _, p := range pieces {
				close(p)
			}
		}()
		vectors := make([][]float32, len(rows))
		err := snap.Range(0, snap.Slots(), func(slot int, rec dataset.Record) error {
			for i, e := range x.embeddings {
				dim := e.Norm.Dim()
				vectors[i] = rows[i][slot*dim : (slot+1)*dim]
			}
			if rec.Graph != nil {
				directed := rec.Graph.Directed()
				x.state.directed = &directed
				x.state.labels.add(rec.Graph)
			}
			r, err := newRow(rec, int64(slot), 1, x.embeddings, vectors)
			if err != nil {
				return err
			}
			i := shardOf(rec.ID, len(x.shards))
			buffers[i] = r.appendCopy(buffers[i])
			if x.state.count++; x.opt.Progress != nil && x.state.count%1000 == 0 {
				x.opt.Progress(x.state.count)
			}
			if len(buffers[i]) < copyBytes {
				return nil
			}
			return send(i)
		})
		if err != nil {
			return err
		}
		for i := range buffers {
			if err := send(i); err != nil {
				return err
			}
		}
		return nil
	})
	return group.Wait()
}

// receive fills the table of graphs on a server with lines of COPY.
func receive(ctx context.Context, a address, pieces <-chan []byte) error {
	conn, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.PgConn().CopyFrom(ctx, &piecesReader{ctx: ctx, pieces: pieces}, "copy "+a.table("graphs")+" from stdin")
	if err != nil {
		return fmt.Errorf("%s: %w", a.config.Host, err)
	}
	return nil
}

// piecesReader reads pieces one after the other. If the context ends before the last, that
// is its error, so that the copy fails.
type piecesReader struct {
	ctx    context.Context
	pieces <-chan []byte
	rest   []byte
}

func (r *piecesReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		select {
		case piece, ok := <-r.pieces:
			if !ok {
				if err := r.ctx.Err(); err != nil {
					return 0, err
				}
				return 0, io.EOF
			}
			r.rest = piece
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// finish makes the indexes of the tables, and last the row that says that all is there.
func (x *export) finish(ctx context.Context, snap *store.Snapshot) error {
	group, gctx := errgroup.WithContext(ctx)
	for _, a := range x.shards {
		group.Go(func() error { return run(gctx, a, a.indexGraphs(x.embeddings, !x.opt.Scan)) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if len(x.opt.Shards) > 0 {
		statements := []string{"create extension if not exists cube"}
		if !x.holds(x.address) {
			statements = append(statements, "create schema "+x.quotedSchema())
		}
		for i, of := range x.shards {
			statements = append(statements, x.createShard(i, of, x.embeddings)...)
		}
		if err := run(ctx, x.address, statements); err != nil {
			return err
		}
		x.made = append(x.made, x.address)
	}
	if err := run(ctx, x.address, x.createState()); err != nil {
		return err
	}
	conn, err := x.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, e := range x.embeddings {
			if e.Model == "" {
				continue
			}
			m, err := snap.Model(e.Model)
			if err != nil {
				return err
			}
			var file bytes.Buffer
			if err := m.Write(&file); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "insert into "+x.table("models")+" values ($1, $2) on conflict do nothing", e.Model, file.Bytes()); err != nil {
				return err
			}
		}
		text, err := json.Marshal(x.embeddings)
		if err != nil {
			return err
		}
		var rules *string
		if r := snap.Rules(); r != nil {
			text, err := json.Marshal(r)
			if err != nil {
				return err
			}
			rules = new(string(text))
		}
		_, err = tx.Exec(ctx, "insert into "+x.table("state")+" values ($1, 1, $2, $3, $4, $5, $6, $7)",
			version, x.state.count, snap.Slots(), len(x.opt.Shards), x.state.directed, string(text), rules)
		if err != nil {
			return err
		}
		return x.state.labels.insert(ctx, tx, x.table("labels"))
	})
}

// holds reports whether a server is one of those with graphs, whose schema is there.
func (x *export) holds(a address) bool {
	for _, of := range x.shards {
		if of.config.Host == a.config.Host && of.config.Port == a.config.Port && of.config.Database == a.config.Database {
			return true
		}
	}
	return false
}
