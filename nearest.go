package greed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
	"github.com/greedgraph/greed/vectorindex"
)

// VectorOptions say which vectors are compared, without model or solver.
type VectorOptions struct {
	// Like are the ids of graphs whose vectors are looked for. Vectors are looked for
	// besides, each as long as those of the embedding.
	Like    []string
	Vectors [][]float32
	// Embedding is the name of the embedding; "" is the only one.
	Embedding string
	K         int      // answers to each at most; 0 means 10 without a radius and all with one
	Radius    *float64 // the greatest distance; nil: any
	Filters   []Filter // limit the answers to the graphs whose records pass all of them
}

// NearVectors are the graphs whose vectors are nearest to one.
type NearVectors struct {
	Query     string       `json:"query" doc:"The id of the graph, or the number of the vector from 0"`
	Graphs    int          `json:"graphs" doc:"How many the collection has"`
	Embedding string       `json:"embedding"`
	Model     string       `json:"model,omitempty" doc:"${near_vectors_model}"`
	Answers   []NearVector `json:"answers" doc:"Nearest first"`
	Seconds   float64      `json:"seconds" doc:"For all queries together"`
}

// NearVector is a graph, with the distance of its vector by the norm of the embedding.
type NearVector struct {
	ID       string  `json:"id"`
	Name     string  `json:"name,omitempty"`
	SMILES   string  `json:"smiles,omitempty"`
	Distance float64 `json:"distance"`
}

// ErrVectors is wrapped if vectors cannot be compared: there are none, or others than
// the question names.
var ErrVectors = errors.New("vectors cannot be compared")

// Nearest finds the graphs whose vectors are nearest to others, by the models of the
// collection, whose embeddings have the names of their tasks. Other embeddings of an index
// are searched on the disk. The error wraps [ErrVectors] or [ErrAttribute], or is the
// context's.
func (c *Collection) Nearest(ctx context.Context, opt VectorOptions) (list []NearVectors, err error) {
	in := c.live.Acquire()
	defer in.Release()
	if err := cmp.Or(in.Err(), in.Whole()); err != nil {
		return nil, err
	}
	var there []store.Embedding
	for _, task := range []Task{GED, SED} {
		if m := in.Model(task); m != nil {
			there = append(there, store.Embedding{Name: task.String(), Task: task, Model: in.Fingerprint(task),
				Norm: m.Norm()})
		}
	}
	of, err := opt.choose(there)
	if path := c.live.Path(); err != nil && path != "" {
		return NearestInIndex(ctx, path, opt)
	}
	if err != nil {
		return nil, err
	}
	err = in.Read(func() error {
		if err := in.CheckFilters(opt.Filters); err != nil {
			return err
		}
		queries, err := opt.queries(of.Norm, func(id string) ([]float32, error) {
			s, p, ok := c.live.Find(id)
			defer s.Release()
			if !ok {
				return nil, c.live.Unfound(id)
			}
			row, _, err := s.Vectors(ctx, of.Task)
			if err != nil {
				return nil, err
			}
			return slices.Clone(row(p)), nil
		})
		if err != nil {
			return err
		}
		_, index, err := in.Vectors(ctx, of.Task)
		if err != nil {
			return err
		}
		accept := func(p int) bool { return !in.Deleted(p) && in.Passes(p, opt.Filters) }
		list, err = opt.nearest(ctx, queries, of, in.Len(), index, accept, func(p int) (Record, error) {
			return in.About(p),
				nil
		})
		return err
	})
	return list, err
}

// NearestInIndex is [Collection.Nearest] for an index on the disk, whoever made its
// vectors, without opening its graphs; those of several are opened as one collection.
func NearestInIndex(ctx context.Context, path string, opt VectorOptions) (list []NearVectors, err error) {
	if len(Indexes(path)) > 1 {
		c, err := Open(ctx, Source{Path: path, Options: dataset.Options{Format: FormatIndex}})
		if err != nil {
			return nil, err
		}
		list, err = c.Nearest(ctx, opt)
		return list, errors.Join(err, c.Close())
	}
	st, err := store.Open(path, store.Options{})
	if err != nil {
		return nil, err
	}
	view := st.View
	if len(opt.Filters) > 0 || len(opt.Like)+len(opt.Vectors) > 1 {
		view = st.Hold // for what takes long, so that others may write
	}
	err = view(ctx, func(snap *store.Snapshot) error {
		of, err := opt.choose(snap.Embeddings())
		if err != nil {
			return err
		}
		rows, err := snap.Vectors(of.Name)
		switch {
		case err != nil:
			return err
		case of.Rows != snap.Slots():
			return fmt.Errorf("%w: embedding %q is not complete: it has %d of %d rows", ErrVectors, of.Name, of.Rows,
				snap.Slots())
		}
		queries, err := opt.queries(of.Norm, func(id string) ([]float32, error) {
			slot, err := snap.Slot(id)
			if err != nil {
				return nil, err
			}
			dim := of.Norm.Dim()
			return rows[slot*dim : (slot+1)*dim], nil
		})
		if err != nil {
			return err
		}
		passing, err := passingIn(ctx, snap, opt.Filters)
		if err != nil {
			return err
		}
		flat, err := vectorindex.NewFlat(of.Norm, rows)
		if err != nil {
			return fmt.Errorf("embedding %q: %w", of.Name, err)
		}
		list, err = opt.nearest(ctx, queries, of, snap.Len(), flat, func(slot int) bool { return passing[slot] },
			snap.At)
		return err
	})
	return list, errors.Join(err, st.Close())
}

// passingIn returns which slots may be answers.
func passingIn(ctx context.Context, snap *store.Snapshot, filters []Filter) ([]bool, error) {
	if len(filters) == 0 {
		return snap.Filled()
	}
	passing, lacks := make([]bool, snap.Slots()), make([]search.Lack, len(filters))
	err := snap.Range(0, snap.Slots(), func(slot int, rec Record) error {
		passing[slot] = search.Pass(&rec, filters)
		for i, f := range filters {
			lacks[i].Filter = f
			lacks[i].Add(&rec)
		}
		return ctx.Err()
	})
	for _, l := range lacks {
		if lack := l.Err(); err == nil && lack != nil {
			err = fmt.Errorf("filter %q: %w", l.Filter, lack)
		}
	}
	return passing, err
}

// choose returns the embedding that is meant.
func (o *VectorOptions) choose(there []store.Embedding) (e store.Embedding, err error) {
	if o.K < 0 || o.Radius != nil && !search.FiniteRadius(*o.Radius) {
		_, radius := o.wanted()
		return e, fmt.Errorf("nearest: k is %d, the radius %v: want a number of at least 0, and a finite distance "+
			"of at "+
			"least 0", o.K, radius)
	}
	var names []string
	for _, e := range there {
		if e.Name == o.Embedding || o.Embedding == "" && len(there) == 1 {
			return e, nil
		}
		names = append(names, e.Name)
	}
	switch {
	case len(there) == 0:
		return e, fmt.Errorf("%w: the collection holds none", ErrVectors)
	case o.Embedding == "":
		return e, fmt.Errorf("%w: the collection holds %d embeddings: embedding must name one of %s", ErrVectors,
			len(there), strings.Join(names, ", "))
	}
	return e, fmt.Errorf("%w: embedding %q: not found; there are %s", ErrVectors, o.Embedding,
		strings.Join(names, ", "))
}

// vectorQuery is a vector to look for.
type vectorQuery struct {
	name   string
	vector []float32
}

// queries returns the vectors to look for.
func (o *VectorOptions) queries(n norm.Norm, like func(id string) ([]float32, error)) (list []vectorQuery, err error) {
	for _, id := range o.Like {
		v, err := like(id)
		if err != nil {
			return nil, fmt.Errorf("like: %w", err)
		}
		list = append(list, vectorQuery{id, v})
	}
	for i, v := range o.Vectors {
		if len(v) != n.Dim() {
			return nil, fmt.Errorf("%w: vector %d has %d coordinates, those of the embedding have %d", ErrVectors, i,
				len(v), n.Dim())
		}
		for j, x := range v {
			if x-x != 0 {
				return nil, fmt.Errorf("%w: vector %d: coordinate %d is %v: want a finite float32", ErrVectors, i, j, x)
			}
		}
		list = append(list, vectorQuery{strconv.Itoa(i), v})
	}
	return list, nil
}

// wanted returns the greatest number of answers, 0 for all, and their greatest distance.
func (o *VectorOptions) wanted() (k int, radius float64) {
	if o.Radius == nil {
		return cmp.Or(o.K, search.DefaultK), math.Inf(1)
	}
	return o.K, *o.Radius
}

// nearest looks for all queries in an index of vectors.
func (o *VectorOptions) nearest(ctx context.Context, queries []vectorQuery, of store.Embedding, graphs int,
	index vectorindex.Index, accept func(int) bool, record func(int) (Record, error)) ([]NearVectors, error) {
	batch := make([]vectorindex.Query, len(queries))
	for i, q := range queries {
		batch[i] = vectorindex.Query{Vector: q.vector, Accept: accept}
	}
	begin := time.Now()
	var results []vectorindex.Result
	var err error
	k, radius := o.wanted()
	if k == 0 {
		results, err = index.Range(ctx, batch, radius)
	} else {
		results, err = index.KNN(ctx, batch, k)
	}
	if err != nil {
		return nil, err
	}
	took := time.Since(begin).Seconds()
	list := make([]NearVectors, len(results))
	for i, r := range results {
		list[i] = NearVectors{queries[i].name, graphs, of.Name, of.Model, make([]NearVector, 0, len(r.Hits)), took}
		for _, h := range r.Hits {
			if h.Distance > radius {
				break
			}
			rec, err := record(h.Position)
			if err != nil {
				return nil, err
			}
			list[i].Answers = append(list[i].Answers, NearVector{rec.ID, rec.Name, rec.SMILES, h.Distance})
		}
	}
	return list, nil
}
