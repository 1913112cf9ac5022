package main

import (
	"fmt"
	"io"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/part"
	"github.com/greedgraph/greed/store"
)

// indexSettings are what the vectors and the content of an index depend on beside the
// graphs and the models.
type indexSettings struct {
	Replace  bool
	NoBlocks bool `json:",omitempty"`
	Hops     *int `json:",omitempty"`
	MaxNodes int
}

// sharedVectors are those of the graphs of one share.
type sharedVectors struct {
	units   []int
	ids     []string
	vectors []float32
	models  []*model.Model
}

// writePart embeds the graphs of a share and writes their vectors.
func (c *indexBuild) writePart(s *session) error {
	var own sharedVectors
	inputs := part.NewInputs()
	var err error
	units := 0
	if c.Hops != nil {
		units, err = own.neighbourhoods(s, c, inputs)
	} else {
		err = own.collection(s, c, inputs)
		units = inputs.Len()
	}
	if err != nil {
		return err
	}
	if len(own.models) == 0 {
		return fmt.Errorf("no model fits %s, so there is nothing to divide: build its index without --part", c.Graphs)
	}
	h := c.header(part.Index, units, inputs.Sum(), indexSettings{c.Replace, c.NoBlocks, c.Hops, c.MaxNodes})
	if err := own.write(c.Out, h); err != nil {
		return err
	}
	return s.answer(built{Index: c.Out, Graphs: len(own.ids)}, "%s: %s of %d, %s\n", c.Out, count(len(own.ids), "graph"), units, count(len(own.models), "model"))
}

// write writes a part.
func (own *sharedVectors) write(path string, h part.Header) error {
	h.Models = partModels(own.models)
	return atomicfile.Write(path, func(w io.Writer) error { return h.WriteVectors(w, own.units, own.ids, own.vectors) })
}

func partModels(models []*model.Model) []part.Model {
	var list []part.Model
	for _, m := range models {
		list = append(list, part.Model{Name: m.Metadata().Task.String(), Fingerprint: m.Fingerprint(), Norm: m.Norm()})
	}
	return list
}

// collection embeds those of the graphs as they are read.
func (own *sharedVectors) collection(s *session, c *indexBuild, inputs *part.Inputs) error {
	ids := newIDSources()
	return c.batches(s, c.Graphs, func(batch []dataset.Record) error {
		if inputs.Len() == 0 {
			var err error
			if own.models, err = c.models(batch); err != nil {
				return err
			}
		}
		for i := range batch {
			if err := c.unique(ids, batch[i], inputs.Len()+i); err != nil {
				return err
			}
		}
		return own.add(s, c.Part, batch, inputs)
	})
}

// add adds the vectors of those records that are in a share, of every model for each.
func (own *sharedVectors) add(s *session, of part.Share, batch []dataset.Record, inputs *part.Inputs) error {
	var share []dataset.Record
	for i := range batch {
		if position := inputs.Len(); of.Has(position) {
			own.units, share = append(own.units, position), append(share, batch[i])
		}
		inputs.Add(&batch[i])
	}
	rows := make([][]float32, len(own.models))
	for i, m := range own.models {
		var err error
		if rows[i], err = m.Embed(s.ctx, dataset.Graphs(share), s.workers); err != nil {
			return err
		}
	}
	own.ids = append(own.ids, dataset.IDs(share)...)
	own.append(rows, len(share))
	return nil
}

// append adds n rows of every model.
func (own *sharedVectors) append(rows [][]float32, n int) {
	for i := range n {
		for j, m := range own.models {
			dim := m.Norm().Dim()
			own.vectors = append(own.vectors, rows[j][i*dim:(i+1)*dim]...)
		}
	}
}

// neighbourhoods embeds those of the nodes of one large graph, and returns how many there are.
func (own *sharedVectors) neighbourhoods(s *session, c *indexBuild, inputs *part.Inputs) (nodes int, err error) {
	large, models, err := c.large(s)
	if err != nil {
		return 0, err
	}
	inputs.Add(&large.Record)
	nodes = large.Record.Graph.N()
	own.models, own.units = models, c.Part.Units(nodes)
	rows := make([][]float32, len(models))
	for i, m := range models {
		if own.ids, rows[i], err = large.Embed(s.ctx, m, own.units); err != nil {
			return 0, err
		}
	}
	own.append(rows, len(own.ids))
	return nodes, nil
}

// givenVectors are those of all parts of an index, by the position of the graph.
type givenVectors struct {
	parts   *part.Parts
	ids     []string
	vectors []float32
	inputs  *part.Inputs // that are read
}

// rows returns those of the graphs from, ..., to-1 by every model.
func (g *givenVectors) rows(from, to int) map[string][]float32 {
	dim := 0
	for _, m := range g.parts.Models {
		dim += m.Norm.Dim()
	}
	rows := make(map[string][]float32)
	at := 0
	for _, m := range g.parts.Models {
		n := m.Norm.Dim()
		for i := from; i < to; i++ {
			rows[m.Name] = append(rows[m.Name], g.vectors[i*dim+at:i*dim+at+n]...)
		}
		at += n
	}
	return rows
}

// check returns an error unless the parts are of as many graphs and of these models.
func (g *givenVectors) check(models []*model.Model, graphs int) error {
	if graphs > g.parts.Units {
		return g.otherGraphs()
	}
	have := partModels(models)
	if len(have) != len(g.parts.Models) {
		return fmt.Errorf("%w: they were made with %s, not %d: name them with --model", part.ErrPart, count(len(g.parts.Models), "model"), len(have))
	}
	for i, m := range g.parts.Models {
		if have[i].Fingerprint != m.Fingerprint {
			return fmt.Errorf("%w: they were made with model %s for %s: name it with --model", part.ErrPart, m.Fingerprint, m.Name)
		}
	}
	return nil
}

func (g *givenVectors) otherGraphs() error {
	return fmt.Errorf("%w: they were not built from --collection: it has other graphs, ids or attributes, or another order", part.ErrPart)
}

// add puts a batch of records, of which the first is at a position, and returns how many
// others it replaced.
func (c *indexBuild) add(s *session, st *store.Store, batch []dataset.Record, position int) (replaced int, err error) {
	if c.given == nil {
		return st.Add(s.ctx, batch, false, s.workers)
	}
	if position+len(batch) > c.given.parts.Units {
		return 0, c.given.otherGraphs()
	}
	return st.Put(s.ctx, batch, c.given.rows(position, position+len(batch)))
}
