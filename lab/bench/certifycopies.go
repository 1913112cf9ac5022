package bench

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
)

// openCopies makes the collection of [Index]: the bundled molecules and edited copies.
func openCopies(ctx context.Context, o *CertifyOptions) (*contest, error) {
	if o.Copies == 0 {
		return nil, fmt.Errorf("--copies says how many molecules to make: %w", fs.ErrNotExist)
	}
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		return nil, err
	}
	m, err := bundle.Model(edit.GED)
	if err != nil {
		return nil, err
	}
	g := molecules(records, edit.GED)
	rng := newRand(g.stream)
	list := make([]dataset.Record, 0, o.Copies)
	for i := range o.Copies {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		list = append(list, dataset.Record{ID: fmt.Sprint(i), Graph: g.graph(rng, i)})
	}
	c := &contest{collection: search.NewCollection(vocab, list), costs: edit.Uniform()}
	rng = newRand(43)
	for range o.Queries {
		q, err := g.query(rng)
		if err != nil {
			return nil, err
		}
		c.queries = append(c.queries, question{q, -1})
	}
	if !o.wantsAny(arena{name: "copies/ged", radii: copiesRadii()}, byModel) {
		return c, nil
	}
	return c, c.collection.Attach(ctx, m, nil, nil)
}

func copiesRadii() []int { return []int{2, 4, 6} }
