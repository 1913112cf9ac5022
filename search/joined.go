package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/greedgraph/greed/vectorindex"
)

// Unsearched is an index that a collection lacks.
type Unsearched struct {
	Path   string `json:"-"`
	Index  string `json:"index" doc:"The end of its path, by which it differs from the others"`
	Reason string `json:"reason" doc:"Why it cannot be read: it is missing, or how it is damaged"`
}

// ErrLacking is wrapped if a question needs all graphs of a collection, an index of which is missing or damaged.
var ErrLacking = errors.New("a collection that lacks an index does not answer this, since it needs all graphs")

// Whole returns an error that wraps [ErrLacking] if the collection lacks indexes, and names them.
func (c *Collection) Whole() error {
	if len(c.Unsearched) == 0 {
		return nil
	}
	reasons := make([]string, len(c.Unsearched))
	for i, u := range c.Unsearched {
		reasons[i] = u.Index + ": " + u.Reason
	}
	return fmt.Errorf("%w: restore it, or leave it out: %s", ErrLacking, strings.Join(reasons, "; "))
}

// Join returns collections as one, which has their positions one after the other and their memory. Their graphs share
// a vocabulary, and their models and rules are those of the first. It cannot be changed, but models can be attached
// to it.
func Join(of []*Collection) *Collection {
	c := NewCollection(of[0].vocab, nil)
	c.runs, c.Rules = nil, of[0].Rules
	from := 0
	for _, part := range of {
		for _, r := range part.runs {
			r.from += from
			if r.len() > 0 {
				c.runs = append(c.runs, r)
			}
		}
		if part.deleted > 0 {
			c.gone = append(c.gone, make([]bool, from-len(c.gone))...)
			c.gone = append(c.gone, part.gone...)
			c.deleted += part.deleted
		}
		from += part.Positions()
	}
	if len(c.runs) == 0 {
		c.runs = make([]run, 1)
	}
	for task, e := range of[0].engines {
		joined := newEngine(e.model, nil)
		joined.cell.of = slices.Clone(of)
		if e.cell.stored != nil {
			joined.cell.stored = &Stored{}
		}
		c.engines[task] = joined
	}
	return c
}

// joinVectors returns the vectors of the collections that an engine is of.
func joinVectors(ctx context.Context, e engine) (*embedded, error) {
	all := new(embedded)
	var indexes []vectorindex.Index
	for _, part := range e.cell.of {
		v, err := part.embedded(ctx, part.engines[e.model.Metadata().Task])
		if err != nil {
			return nil, err
		}
		all.of, indexes = append(all.of, v), append(indexes, v.index)
	}
	all.built = vectorindex.Join(indexes...)
	all.index = all.built
	return all, nil
}
