package search

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/vectorindex"
)

// engine is a model attached to a collection. To embed all graphs takes longer than most
// searches, so it is done when it is first needed.
type engine struct {
	model *model.Model
	cell  *cell // of all collections with the same positions
}

// cell holds vectors once they are computed or read.
type cell struct {
	vectors atomic.Pointer[embedded]
	turn    chan struct{} // held while they are computed or read
	stored  *Stored       // where they are before they are read; nil: they are computed
	of      []*Collection // whose vectors they are, of collections that are one; nil otherwise

	looked  sync.Once
	strange string // what the model does not know of the graphs, once it was looked at
}

// Stored are vectors that are kept with an index of them.
type Stored struct {
	Vectors []float32 // [positions, dim] row-major
	Indexed int       // how many of them, from the first, are in the index
	// Open returns the index, or nil if it is to be built. It is called when vectors are first
	// needed; before that, or if it returns an error, they may be anything.
	Open func() (vectorindex.Index, error)
}

// embedded has the vectors of a collection. The first ones are in an index that is slow to
// build, the others beside it.
type embedded struct {
	vectors []float32 // [positions, dim]; nil if they are those of several collections
	of      []*embedded
	built   vectorindex.Index
	beside  []*vectorindex.Flat
	index   vectorindex.Index // of all
}

// row returns the vector of the graph at a position.
func (v *embedded) row(position int) []float32 {
	for _, part := range v.of {
		n := part.index.Len()
		if position < n {
			return part.row(position)
		}
		position -= n
	}
	dim := v.index.Norm().Dim()
	return v.vectors[position*dim : (position+1)*dim]
}

// newEngine returns an engine with vectors, or nil for those that are still to be computed.
func newEngine(m *model.Model, v *embedded) engine {
	e := engine{m, &cell{turn: make(chan struct{}, 1)}}
	e.cell.vectors.Store(v)
	return e
}

// have returns the vectors, or nil if they are not computed yet.
func (e engine) have() *embedded { return e.cell.vectors.Load() }

// embedded returns the vectors of the collection by an engine of it.
func (c *Collection) embedded(ctx context.Context, e engine) (*embedded, error) {
	if v := e.have(); v != nil {
		return v, nil
	}
	select {
	case e.cell.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-e.cell.turn }()
	if v := e.have(); v != nil {
		return v, nil
	}
	if e.cell.of != nil {
		v, err := joinVectors(ctx, e)
		if err == nil {
			e.cell.vectors.Store(v)
		}
		return v, err
	}
	var vectors []float32
	var built vectorindex.Index
	var err error
	if s := e.cell.stored; s != nil {
		vectors = s.Vectors
		built, err = s.Open()
	} else {
		vectors, err = c.embed(ctx, e.model)
	}
	if err != nil {
		return nil, err
	}
	v, err := c.indexed(e.model, vectors, built)
	if err == nil {
		e.cell.vectors.Store(v)
	}
	return v, err
}

// indexed returns the vectors of the collection with an index of them. built is an index of
// the first of them; if nil, it is built.
func (c *Collection) indexed(m *model.Model, vectors []float32, built vectorindex.Index) (*embedded, error) {
	if have := len(vectors) / m.Norm().Dim(); have != c.Positions() {
		return nil, fmt.Errorf("search: %d vectors for %d graphs", have, c.Positions())
	}
	if built == nil {
		var err error
		if built, err = vectorindex.NewBoxTree(m.Norm(), vectors); err != nil {
			return nil, err
		}
	}
	return (&embedded{built: built}).with(m, vectors)
}

// embedBatch is the number of graphs read from a segment at a time.
const embedBatch = 4096

// embed returns the vectors of the graphs at all positions, [Positions, dim].
func (c *Collection) embed(ctx context.Context, m *model.Model) ([]float32, error) {
	vectors := make([]float32, 0, c.Positions()*m.Norm().Dim())
	var graphs []*graph.Graph
	for from := 0; from < c.Positions(); from += embedBatch {
		graphs = graphs[:0]
		for p := from; p < min(from+embedBatch, c.Positions()); p++ {
			graphs = append(graphs, c.Record(p).Graph)
		}
		z, err := m.Embed(ctx, graphs, 0)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, z...)
	}
	return vectors, nil
}

// blockVectors is how many of the vectors outside that index share a scan. A change
// copies only the last scan.
const blockVectors = 1024

// with returns vectors that begin with those of v.
func (v *embedded) with(m *model.Model, vectors []float32) (*embedded, error) {
	n := m.Norm()
	next := &embedded{vectors: vectors, built: v.built, index: v.built}
	at := v.built.Len()
	for _, b := range v.beside {
		if b.Len() == blockVectors {
			next.beside = append(next.beside, b)
			at += blockVectors
		}
	}
	positions := len(vectors) / n.Dim()
	for ; at < positions; at += blockVectors {
		b, err := vectorindex.NewFlat(n, vectors[at*n.Dim():min(at+blockVectors, positions)*n.Dim()])
		if err != nil {
			return nil, err
		}
		next.beside = append(next.beside, b)
	}
	if len(next.beside) > 0 {
		parts := []vectorindex.Index{v.built}
		for _, b := range next.beside {
			parts = append(parts, b)
		}
		next.index = vectorindex.Join(parts...)
	}
	return next, nil
}

// Attach makes searches for the model's task use the model. vectors are its embeddings
// of the collection, [Positions, dim] row-major; if nil, they are computed. built is
// an index of the first of them; if nil, it is built.
func (c *Collection) Attach(ctx context.Context, m *model.Model, vectors []float32, built vectorindex.Index) error {
	if err := m.CheckIndexable(); err != nil {
		return err
	}
	if vectors == nil {
		var err error
		if vectors, err = c.embed(ctx, m); err != nil {
			return err
		}
	}
	v, err := c.indexed(m, vectors, built)
	if err == nil {
		c.engines[m.Metadata().Task] = newEngine(m, v)
	}
	return err
}

// AttachLazily is [Collection.Attach], but the vectors are computed when they are first
// needed. Proven searches for few answers do without.
func (c *Collection) AttachLazily(m *model.Model) error {
	if err := m.CheckIndexable(); err != nil {
		return err
	}
	c.engines[m.Metadata().Task] = newEngine(m, nil)
	return nil
}

// AttachStored is [Collection.Attach], but the vectors are read when they are first needed, as
// [Collection.AttachLazily] says.
func (c *Collection) AttachStored(m *model.Model, s Stored) error {
	if err := m.CheckIndexable(); err != nil {
		return err
	}
	if have := len(s.Vectors) / m.Norm().Dim(); have != c.Positions() {
		return fmt.Errorf("search: %d vectors for %d graphs", have, c.Positions())
	}
	s.Open = sync.OnceValues(s.Open)
	e := newEngine(m, nil)
	e.cell.stored = &s
	c.engines[m.Metadata().Task] = e
	return nil
}

// Model returns the model attached for a task, or nil.
func (c *Collection) Model(task edit.Task) *model.Model { return c.engines[task].model }

// Vectors returns the embeddings of the collection by the model for a task, which row gives by positions, and an
// index of them. Without a model both are nil. The rows must not be changed.
func (c *Collection) Vectors(ctx context.Context, task edit.Task) (row func(position int) []float32,
	index vectorindex.Index, err error) {
	e, ok := c.engines[task]
	if !ok {
		return nil, nil, nil
	}
	v, err := c.embedded(ctx, e)
	if err != nil {
		return nil, nil, err
	}
	return v.row, v.index, nil
}

// Embedded returns the embeddings, [Positions, dim] row-major, if they are computed already and in one piece, or nil.
func (c *Collection) Embedded(task edit.Task) []float32 {
	if e, ok := c.engines[task]; ok {
		if v := e.have(); v != nil {
			return v.vectors
		}
	}
	return nil
}

// Indexed returns how many positions, from the first, have all their vectors in an
// index that is slow to build.
func (c *Collection) Indexed() int {
	indexed := c.Positions()
	for _, e := range c.engines {
		if v := e.have(); v != nil {
			indexed = min(indexed, v.built.Len())
		} else if s := e.cell.stored; s != nil {
			indexed = min(indexed, s.Indexed)
		}
	}
	return indexed
}
