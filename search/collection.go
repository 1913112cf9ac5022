package search

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/jsonwalk"
)

// Collection is a list of graphs that can be searched. Searches may run concurrently,
// but not while models are attached. [Collection.With] makes a new collection with
// other graphs.
type Collection struct {
	vocab   *graph.Vocabulary
	runs    []run // of consecutive positions; the last one is of records and grows
	engines map[edit.Task]engine
	gone    []bool // whether the graph at a position was deleted; positions beyond its end are not deleted
	deleted int
	labels  *labels
	mean    *mean
	// deciders has those of searches that are over, for their memory.
	deciders *sync.Pool
	// Rules are those by which the graphs were read; nil if they are not known. They are
	// set before the collection is shared.
	Rules *dataset.Rules
	// Unsearched are the indexes of a collection of several that cannot be read. Nothing is proven without them. They
	// are set before the collection is shared.
	Unsearched []Unsearched
}

// run is a run of positions: those of a segment, or of records in memory.
type run struct {
	from    int     // the first of them
	segment Segment // nil: records
	records []dataset.Record
	signed  bound.Signatures // of records
	sheet   screen.Sheet     // of records
}

func (r *run) len() int {
	if r.segment != nil {
		return r.segment.Len()
	}
	return len(r.records)
}

// signature returns that of the graph at a position of the run, from 0.
func (r *run) signature(at int) bound.Signature {
	if r.segment != nil {
		return r.segment.Signatures().At(at)
	}
	return r.signed.At(at)
}

// signatures returns those of all graphs.
func (r *run) signatures() *bound.Signatures {
	if r.segment != nil {
		return r.segment.Signatures()
	}
	return &r.signed
}

// counts returns the counts and branches of all graphs.
func (r *run) counts() *screen.Sheet {
	if r.segment != nil {
		return r.segment.Sheet()
	}
	return &r.sheet
}

// Segment holds graphs that are read when they are needed. It is immutable and may be
// used concurrently.
type Segment interface {
	Len() int
	// Record returns the record at a position.
	Record(position int) dataset.Record
	// About returns the record without its graph.
	About(position int) dataset.Record
	// ID returns the id of the record.
	ID(position int) string
	// AttributeText returns the attributes of the record as a JSON object, or nil if it has none.
	AttributeText(position int) []byte
	// Graph returns the graph at a position. It may be built in memory that the next use of in overwrites.
	Graph(position int, in *graph.Scratch) *graph.Graph
	// Form returns the graph at a position, built or not.
	Form(position int) graph.Form
	// Vocabulary numbers the labels of Signatures and Sheet. It is that of the collection or, where several
	// collections are one, may be another.
	Vocabulary() *graph.Vocabulary
	// Signatures returns the signatures of all graphs.
	Signatures() *bound.Signatures
	// Sheet returns the counts and branches of all graphs.
	Sheet() *screen.Sheet
	// Rest is called when a step of a search is over that looked at so many graphs.
	Rest(looked int)
	// Err returns an error if a graph could not be read. It was taken for an empty one.
	Err() error
}

// NewCollection returns a collection of the records, whose graphs share vocab.
func NewCollection(vocab *graph.Vocabulary, records []dataset.Record) *Collection {
	c := &Collection{vocab: vocab, runs: make([]run, 1), engines: make(map[edit.Task]engine), deciders: new(sync.Pool)}
	c.append(records)
	return c
}

// NewSegmented returns a collection of the graphs in a segment, followed by records. All
// share vocab.
func NewSegmented(vocab *graph.Vocabulary, segment Segment, records []dataset.Record) *Collection {
	c := NewCollection(vocab, records)
	c.runs[0].from = segment.Len()
	c.runs = slices.Insert(c.runs, 0, run{segment: segment})
	return c
}

func (c *Collection) append(records []dataset.Record) {
	last := &c.runs[len(c.runs)-1]
	for _, r := range records {
		if r.Graph.Vocabulary() != c.vocab {
			panic("search: record and collection of different vocabularies")
		}
		last.signed.Append(r.Graph)
	}
	last.sheet.Append(dataset.Graphs(records)...)
	last.records = append(last.records, records...)
	c.labels, c.mean = new(labels), new(mean)
}

// locate returns the run of a position below [Collection.Positions], and the number of the position in it.
func (c *Collection) locate(position int) (r *run, at int) {
	r = &c.runs[c.runOf(position)]
	return r, position - r.from
}

// runOf returns the number of the run of a position: the last that begins there or before.
func (c *Collection) runOf(position int) int {
	first, after := 0, len(c.runs)
	for after-first > 1 {
		if middle := (first + after) / 2; c.runs[middle].from <= position {
			first = middle
		} else {
			after = middle
		}
	}
	return first
}

// ReadBounds reads what searches need of every graph, if it is kept in segments.
func (c *Collection) ReadBounds() {
	for i := range c.runs {
		r := &c.runs[i]
		r.signatures()
		r.counts()
	}
}

// Rest says that a step is over that looked at so many graphs: memory of those that are read when
// they are needed may be given back.
func (c *Collection) Rest(looked int) {
	for i := range c.runs {
		if s := c.runs[i].segment; s != nil {
			s.Rest(looked)
		}
	}
}

// Err returns an error if a graph could not be read since the collection was opened. It was taken for
// an empty one.
func (c *Collection) Err() error {
	for i := range c.runs {
		if s := c.runs[i].segment; s != nil && s.Err() != nil {
			return s.Err()
		}
	}
	return nil
}

// All yields the records of the graphs that were not deleted, until the context ends.
func (c *Collection) All(ctx context.Context) iter.Seq[dataset.Record] {
	return func(yield func(dataset.Record) bool) {
		for p := range c.Live() {
			if ctx.Err() != nil || !yield(c.Record(p)) {
				return
			}
			c.Rest(1)
		}
	}
}

// Len returns the number of graphs.
func (c *Collection) Len() int { return c.Positions() - c.deleted }

// Positions returns the number of positions, those of deleted graphs included.
func (c *Collection) Positions() int {
	last := &c.runs[len(c.runs)-1]
	return last.from + last.len()
}

// Deleted reports whether the graph at a position was deleted.
func (c *Collection) Deleted(position int) bool { return position < len(c.gone) && c.gone[position] }

// Record returns the record at a position below [Collection.Positions].
func (c *Collection) Record(position int) dataset.Record {
	c.checkPosition(position)
	r, at := c.locate(position)
	if r.segment == nil {
		return r.records[at]
	}
	return r.segment.Record(at)
}

// About returns the record at a position, possibly without its graph.
func (c *Collection) About(position int) dataset.Record {
	c.checkPosition(position)
	r, at := c.locate(position)
	if r.segment == nil {
		return r.records[at]
	}
	return r.segment.About(at)
}

// ID returns the id of the record at a position.
func (c *Collection) ID(position int) string {
	r, at := c.locate(position)
	if r.segment == nil {
		return r.records[at].ID
	}
	return r.segment.ID(at)
}

// Attributes returns those of the record at a position. Those of one in a segment are a JSON object, which is valid as
// long as that, or nil.
func (c *Collection) Attributes(position int) (values map[string]any, text []byte) {
	r, at := c.locate(position)
	if r.segment == nil {
		return r.records[at].Attributes, nil
	}
	return nil, r.segment.AttributeText(at)
}

// Attribute returns the value of an attribute of the record at a position, or nil. It decodes no other.
func (c *Collection) Attribute(position int, name string) (value any) {
	values, text := c.Attributes(position)
	if text == nil {
		return values[name]
	}
	walk := jsonwalk.Walk{Text: text}
	_ = walk.Members(func(written, given []byte, _ int) error {
		if jsonwalk.Is(written, name) {
			return dataset.UnmarshalAttributes(given, &value) // it is JSON
		}
		return nil
	})
	return value
}

// decoded returns the attributes of the record at a position.
func (c *Collection) decoded(position int) map[string]any {
	values, text := c.Attributes(position)
	if text != nil {
		_ = dataset.UnmarshalAttributes(text, &values) // it is JSON
	}
	return values
}

// Graph returns the graph at a position below [Collection.Positions], which is valid until in is used again.
func (c *Collection) Graph(position int, in *graph.Scratch) *graph.Graph {
	r, at := c.locate(position)
	if r.segment == nil {
		return r.records[at].Graph
	}
	return r.segment.Graph(at, in)
}

// Form returns the graph at a position, built or not.
func (c *Collection) Form(position int) graph.Form {
	c.checkPosition(position)
	r, at := c.locate(position)
	if r.segment == nil {
		return r.records[at].Graph
	}
	return r.segment.Form(at)
}

func (c *Collection) checkPosition(position int) {
	if n := c.Positions(); position < 0 || position >= n {
		panic(fmt.Sprintf("search: there is no position %d in a collection of %d", position, n))
	}
}

// Live yields the positions of the graphs that were not deleted.
func (c *Collection) Live() iter.Seq[int] {
	return func(yield func(int) bool) {
		for p := range c.Positions() {
			if !c.Deleted(p) && !yield(p) {
				return
			}
		}
	}
}

// Signature returns the signature of the graph at a position below
// [Collection.Positions]. Its labels are numbered by the segment of the graph.
func (c *Collection) Signature(position int) bound.Signature {
	r, at := c.locate(position)
	return r.signature(at)
}

// Vocabulary returns the vocabulary of the graphs, which queries must share.
func (c *Collection) Vocabulary() *graph.Vocabulary { return c.vocab }

// labels holds those of all graphs once they are needed, and the names of attributes that
// a graph was seen to have.
type labels struct {
	once       sync.Once
	witness    *graph.Graph
	err        error
	attributes sync.Map     // by names: nil, or the error of one that no graph has
	named      atomic.Int64 // how many of those there are
}

// mean is how many nodes and edges a graph has, once it is needed.
type mean struct {
	once         sync.Once
	nodes, edges float64
}

// witness returns a graph that has all labels of the collection's graphs.
func (c *Collection) witness() (*graph.Graph, error) {
	c.labels.once.Do(func() {
		nodes, edges := c.allLabels()
		b := graph.NewBuilder(c.vocab, false)
		if len(nodes) == 0 {
			return
		}
		for i := range max(len(nodes), len(edges)+1) {
			b.AddNodeLabel(nodes[i%len(nodes)])
		}
		for i, l := range edges {
			if c.labels.err = b.AddEdgeLabel(0, i+1, l); c.labels.err != nil {
				return
			}
		}
		c.labels.witness, c.labels.err = b.Build()
	})
	return c.labels.witness, c.labels.err
}

// allLabels returns the labels of all graphs, some of them more than once.
func (c *Collection) allLabels() (nodes, edges []graph.Label) {
	for i := range c.runs {
		r := &c.runs[i]
		n, e := r.signatures().Labels()
		if r.segment != nil && r.segment.Vocabulary() != c.vocab {
			from := r.segment.Vocabulary()
			for i, l := range n {
				n[i] = c.vocab.Node(from.NodeText(l))
			}
			for i, l := range e {
				e[i] = c.vocab.Edge(from.EdgeText(l))
			}
		}
		nodes, edges = append(nodes, n...), append(edges, e...)
	}
	return nodes, edges
}

// asNumbered are a query and its signature as each run of a collection numbers labels.
type asNumbered struct {
	in      *Collection
	queries []*graph.Graph
	signs   []bound.Signature
}

func (c *Collection) asNumbered(q *graph.Graph) *asNumbered {
	a := &asNumbered{in: c}
	sign := bound.Sign(q)
	for i := range c.runs {
		own, signed := q, sign
		if s := c.runs[i].segment; s != nil && s.Vocabulary() != c.vocab {
			own = graph.Adopt(s.Vocabulary(), q)
			signed = bound.Sign(own)
		}
		a.queries, a.signs = append(a.queries, own), append(a.signs, signed)
	}
	return a
}

// at returns the signature of the query and that of the graph at a position, which can be compared.
func (a *asNumbered) at(position int) (query, target bound.Signature) {
	i := a.in.runOf(position)
	r := &a.in.runs[i]
	return a.signs[i], r.signature(position - r.from)
}
