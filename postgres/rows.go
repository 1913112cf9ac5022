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
	limit     int    // 0: none
	graphs    bool   // read the graphs
}

// read returns the rows of a selection from all servers that pass its filters, those with
// the least order first, and whether there may be more. Every server sorts and limits its
// own rows, which the planner would not do for all of them together.
func (s *Snapshot) read(ctx context.Context, sel selection, vocab *graph.Vocabulary) (list []found, more bool, err error) {
	condition, args := filtered(sel.filters, 1)
	fields := []string{"slot", "id", "name", "smiles", "attributes::text", "null::bytea", "0::float8"}
	if sel.graphs {
		fields[5] = "graph"
	}
	if sel.order != "" {
		fields[6] = sel.order
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
			q += fmt.Sprintf(" order by %s limit %d", sel.order, sel.limit)
		}
		parts = append(parts, "("+q+")")
	}
	rows, err := s.tx.Query(ctx, strings.Join(parts, " union all "), args...)
	if err != nil {
		return nil, false, err
	}
	read := 0
	list, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (found, error) {
		read++
		return scan(r, n, vocab)
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
	list = slices.DeleteFunc(list, func(f found) bool {
		return slices.ContainsFunc(sel.filters, func(x search.Filter) bool { return !x.Match(&f.record) })
	})
	return list, more, nil
}

// scan reads a row with a number of columns of a vector.
func scan(r pgx.CollectableRow, columns int, vocab *graph.Vocabulary) (f found, err error) {
	var attributes *string
	var code []byte
	parts := make([]string, columns)
	targets := []any{&f.slot, &f.record.ID, &f.record.Name, &f.record.SMILES, &attributes, &code, &f.key}
	for i := range parts {
		targets = append(targets, &parts[i])
	}
	if err := r.Scan(targets...); err != nil {
		return f, err
	}
	if attributes != nil {
		if err := json.Unmarshal([]byte(*attributes), &f.record.Attributes); err != nil {
			return f, fmt.Errorf("%w: graph %q: %w", ErrDatabase, f.record.ID, err)
		}
	}
	if code != nil {
		if f.record.Graph, f.record.NodeIDs, err = decodeGraph(code, vocab); err != nil {
			return f, fmt.Errorf("%w: graph %q: %w", ErrDatabase, f.record.ID, err)
		}
	}
	for _, text := range parts {
		if f.vector, err = parsePoint(f.vector, text); err != nil {
			return f, fmt.Errorf("%w: graph %q: %w", ErrDatabase, f.record.ID, err)
		}
	}
	return f, nil
}

// looseness is how far, relative to 1 and a distance, the distance of the database may be
// from that of [norm.Norm.Distance], which takes differences in float32: each is off by a
// part of 2^-24 at most.
const looseness = 1e-6

// nearest returns the k rows nearest to a vector within a radius by the norm of its
// embedding, 0 for all, in the order of distances and then of slots.
func (s *Snapshot) nearest(ctx context.Context, e *Embedding, vector []float32, k int, radius float64, filters []search.Filter, graphs bool, vocab *graph.Vocabulary) ([]found, error) {
	c := columnsOf(e.Name, e.Norm)
	sel := selection{embedding: e, where: "true", filters: filters, order: c.distance(vector), graphs: graphs}
	if radius < far {
		sel.where = c.within(vector, radius+looseness*(1+radius))
	}
	for limit := k + k/4 + 16; ; limit *= 2 {
		if k > 0 {
			sel.limit = limit
		}
		list, more, err := s.read(ctx, sel, vocab)
		if err != nil {
			return nil, err
		}
		last := 0.0
		for i := range list {
			list[i].distance = e.Norm.Distance(vector, list[i].vector)
			last = max(last, list[i].key)
		}
		list = slices.DeleteFunc(list, func(f found) bool { return f.distance > radius })
		slices.SortFunc(list, func(a, b found) int {
			return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.slot, b.slot))
		})
		// What was not read lies at last or beyond, give or take the looseness.
		if !more || len(list) >= k && list[k-1].distance < last-looseness*(1+last) {
			if k > 0 {
				list = list[:min(k, len(list))]
			}
			return list, nil
		}
	}
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
