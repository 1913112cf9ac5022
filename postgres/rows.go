package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
)

// found is a row that was read.
type found struct {
	slot     int64
	record   dataset.Record
	vector   []float32
	distance float64 // by the embedding's norm
	key      float64 // that the database ordered by
}

// selection says which rows to read.
type selection struct {
	embedding *Embedding // whose vectors are read, too; nil: none
	where     string
	filters   []search.Filter
	order     string // what the least come first of; "": any order
	bySlot    bool   // those of equal order by slot
	limit     int    // 0: none
	graphs    bool   // read the graphs
}

// query returns the rows of a selection from all servers, and the number of columns of
// their vectors. Every server sorts and limits its own rows, which the planner would not do
// for all of them together.
func (s *Snapshot) query(ctx context.Context, sel selection) (pgx.Rows, int, error) {
	condition, args := filtered(sel.filters, 1)
	fields := []string{"slot", "id", "name", "smiles", "attributes::text", "null::bytea", "0::float8"}
	if sel.graphs {
		fields[5] = "graph"
	}
	if sel.order != "" {
		fields[6] = sel.order
	}
	order := sel.order
	if sel.bySlot {
		order += ", slot"
	}
	n := 0
	if sel.embedding != nil {
		c := columnsOf(sel.embedding.Name, sel.embedding.Norm)
		for n = range c.widths {
			fields = append(fields, c.column(n)+"::text")
		}
		n++
	}
	var parts []string
	for _, t := range s.db.tables(s.Shards) {
		q := fmt.Sprintf("select %s from %s where %s and %s and %s", strings.Join(fields, ", "), t, s.current(), sel.where, condition)
		if sel.limit > 0 {
			q += fmt.Sprintf(" order by %s limit %d", order, sel.limit)
		}
		parts = append(parts, "("+q+")")
	}
	rows, err := s.tx.Query(ctx, strings.Join(parts, " union all "), args...)
	return rows, n, err
}

// read returns the rows of a selection that pass its filters, those with the least order
// first, and whether there may be more.
func (s *Snapshot) read(ctx context.Context, sel selection, vocab *graph.Vocabulary) (list []found, more bool, err error) {
	rows, n, err := s.query(ctx, sel)
	if err != nil {
		return nil, false, err
	}
	list, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (found, error) {
		var f found
		raw, err := f.scan(r, n)
		if err != nil {
			return f, err
		}
		return f, raw.decode(&f, vocab)
	})
	if err != nil {
		return nil, false, err
	}
	slices.SortFunc(list, func(a, b found) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.slot, b.slot)) })
	if sel.limit > 0 && len(list) > sel.limit {
		list = list[:sel.limit]
	}
	more = sel.limit > 0 && len(list) == sel.limit
	// Those that SQL could not tell go after the limit was applied: they are known to lie
	// before what follows.
	list = slices.DeleteFunc(list, func(f found) bool { return !passes(f, sel.filters) })
	return list, more, nil
}

func passes(f found, filters []search.Filter) bool {
	return !slices.ContainsFunc(filters, func(x search.Filter) bool { return !x.Match(&f.record) })
}

// raw is what of a row takes long to decode.
type raw struct {
	attributes *string
	graph      []byte
}

// scan reads a row with a number of columns of a vector, but for what decode adds.
func (f *found) scan(r pgx.CollectableRow, columns int) (raw, error) {
	var rest raw
	parts := make([]string, columns)
	targets := []any{&f.slot, &f.record.ID, &f.record.Name, &f.record.SMILES, &rest.attributes, &rest.graph, &f.key}
	for i := range parts {
		targets = append(targets, &parts[i])
	}
	if err := r.Scan(targets...); err != nil {
		return rest, err
	}
	for _, text := range parts {
		var err error
		if f.vector, err = parsePoint(f.vector, text); err != nil {
			return rest, fmt.Errorf("%w: graph %q: %w", ErrDatabase, f.record.ID, err)
		}
	}
	return rest, nil
}

// decode adds the attributes and the graph to a row.
func (x raw) decode(f *found, vocab *graph.Vocabulary) error {
	if x.attributes != nil {
		if err := json.Unmarshal([]byte(*x.attributes), &f.record.Attributes); err != nil {
			return fmt.Errorf("%w: graph %q: %w", ErrDatabase, f.record.ID, err)
		}
	}
	if x.graph != nil {
		var err error
		if f.record.Graph, f.record.NodeIDs, err = decodeGraph(x.graph, vocab); err != nil {
			return fmt.Errorf("%w: graph %q: %w", ErrDatabase, f.record.ID, err)
		}
	}
	return nil
}

// looseness is how far, relative to 1 and a distance, the distance of the database may be
// from that of [norm.Norm.Distance], which takes differences in float32: each is off by a
// part of 2^-24 at most.
const looseness = 1e-6

// nearest returns the k rows nearest to a vector within a radius by the norm of its
// embedding, 0 for all, in the order of distances and then of slots. It reads the rows
// twice at most: where the k-th of the first few is not known to be nearer than what was
// not read, all rows up to it are read, and k of them are kept at a time.
func (s *Snapshot) nearest(ctx context.Context, e *Embedding, vector []float32, k int, radius float64, filters []search.Filter, graphs bool, vocab *graph.Vocabulary) ([]found, error) {
	c := columnsOf(e.Name, e.Norm)
	sel := selection{embedding: e, where: "true", filters: filters, order: c.distance(vector), graphs: graphs}
	loose := func(x float64) float64 { return x + looseness*(1+x) }
	if radius < far {
		sel.where = c.within(vector, loose(radius))
	}
	if k > 0 {
		// A tree gives rows in the order of distances alone.
		sel.limit, sel.bySlot = k+k/4+16, len(c.widths) > 1 || c.widths[0] > treeWidth
	}
	list, more, err := s.read(ctx, sel, vocab)
	if err != nil {
		return nil, err
	}
	last := 0.0 // what was not read lies there or beyond, give or take the looseness
	for i := range list {
		list[i].distance = e.Norm.Distance(vector, list[i].vector)
		last = max(last, list[i].key)
	}
	list = slices.DeleteFunc(list, func(f found) bool { return f.distance > radius })
	slices.SortFunc(list, nearer)
	if !more {
		if k > 0 {
			list = list[:min(k, len(list))]
		}
		return list, nil
	}
	bound := radius
	if len(list) >= k {
		list = list[:k]
		bound = list[k-1].distance
		// A distance of 0 is 0 here as there: no coordinate differs, whatever the rounding.
		if loose(bound) < last || bound == 0 && (last > 0 || sel.bySlot) {
			return list, nil
		}
	}
	sel.limit = 0
	if bound < far {
		sel.where = c.within(vector, loose(bound))
	}
	return s.least(ctx, sel, vector, k, bound, vocab)
}

func nearer(a, b found) int {
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.slot, b.slot))
}

// least returns the k rows of a selection nearest to a vector, no further than a bound. It
// holds no more than 2k rows.
func (s *Snapshot) least(ctx context.Context, sel selection, vector []float32, k int, bound float64, vocab *graph.Vocabulary) ([]found, error) {
	rows, n, err := s.query(ctx, sel)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []found
	full := false // the first k of the list are in order, and only nearer ones are answers
	cut := func() {
		slices.SortFunc(list, nearer)
		full = len(list) >= k
		list = list[:min(k, len(list))]
	}
	for rows.Next() {
		var f found
		rest, err := f.scan(rows, n)
		if err != nil {
			return nil, err
		}
		f.distance = sel.embedding.Norm.Distance(vector, f.vector)
		if f.distance > bound || full && nearer(f, list[k-1]) > 0 {
			continue
		}
		if err := rest.decode(&f, vocab); err != nil {
			return nil, err
		}
		if !passes(f, sel.filters) {
			continue
		}
		if list = append(list, f); len(list) == k && !full || len(list) == 2*k {
			cut()
		}
	}
	cut()
	return list, rows.Err()
}

// Hit is a graph near a vector.
type Hit struct {
	Slot     int64
	Record   dataset.Record // without its graph
	Distance float64
}

// Nearest returns the k graphs nearest to a vector within a radius by the norm of an
// embedding, 0 for all, that pass the filters, in the order of distances and then of slots.
func (s *Snapshot) Nearest(ctx context.Context, e Embedding, vector []float32, k int, radius float64, filters []search.Filter) ([]Hit, error) {
	if len(vector) != e.Norm.Dim() {
		panic(fmt.Sprintf("postgres: a vector of %d coordinates, want %d", len(vector), e.Norm.Dim()))
	}
	list, err := s.nearest(ctx, &e, vector, k, radius, filters, false, nil)
	hits := make([]Hit, len(list))
	for i, f := range list {
		hits[i] = Hit{f.slot, f.record, f.distance}
	}
	return hits, err
}

// Vector returns the vector of the graph with an id by an embedding. The error wraps
// [ErrNotFound].
func (s *Snapshot) Vector(ctx context.Context, e Embedding, id string) ([]float32, error) {
	list, _, err := s.read(ctx, selection{embedding: &e, where: "md5(id) = " + quoted(hashes([]string{id})[0])}, nil)
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		if f.record.ID == id {
			return f.vector, nil
		}
	}
	return nil, fmt.Errorf("id %q: %w", id, ErrNotFound)
}
