package search

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
)

// Collection is a list of graphs that can be searched. Searches may run concurrently,
// but not while models are attached. [Collection.With] makes a new collection with
// other graphs.
type Collection struct {
	vocab   *graph.Vocabulary
	segment Segment          // of the first positions; nil if there is none
	records []dataset.Record // of the positions after the segment
	signed  bound.Signatures // of records
	sheet   screen.Sheet     // of records
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
}

// Segment holds graphs that are read when they are needed. It is immutable and may be
// used concurrently.
type Segment interface {
	Len() int
	// Record returns the record at a position.
	Record(position int) dataset.Record
	// About returns the record without its graph.
	About(position int) dataset.Record
	// Graph returns the graph at a position. It may be built in memory that the next use of in overwrites.
	Graph(position int, in *graph.Scratch) *graph.Graph
	// Form returns the graph at a position, built or not.
	Form(position int) graph.Form
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
	c := &Collection{vocab: vocab, engines: make(map[edit.Task]engine), deciders: new(sync.Pool)}
	c.append(records)
	return c
}

// NewSegmented returns a collection of the graphs in a segment, followed by records. All
// share vocab.
func NewSegmented(vocab *graph.Vocabulary, segment Segment, records []dataset.Record) *Collection {
	c := NewCollection(vocab, records)
	c.segment = segment
	return c
}

func (c *Collection) append(records []dataset.Record) {
	for _, r := range records {
		if r.Graph.Vocabulary() != c.vocab {
			panic("search: record and collection of different vocabularies")
		}
		c.signed.Append(r.Graph)
	}
	c.sheet.Append(dataset.Graphs(records)...)
	c.records = append(c.records, records...)
	c.labels, c.mean = new(labels), new(mean)
}

// inSegment returns how many graphs are in the segment.
func (c *Collection) inSegment() int {
	if c.segment == nil {
		return 0
	}
	return c.segment.Len()
}

// Rest says that a step is over that looked at so many graphs: memory of those that are read when
// they are needed may be given back.
func (c *Collection) Rest(looked int) {
	if c.segment != nil {
		c.segment.Rest(looked)
	}
}

// Err returns an error if a graph could not be read since the collection was opened. It was taken for
// an empty one.
func (c *Collection) Err() error {
	if c.segment == nil {
		return nil
	}
	return c.segment.Err()
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
func (c *Collection) Positions() int { return c.inSegment() + len(c.records) }

// Deleted reports whether the graph at a position was deleted.
func (c *Collection) Deleted(position int) bool { return position < len(c.gone) && c.gone[position] }

// Record returns the record at a position below [Collection.Positions].
func (c *Collection) Record(position int) dataset.Record {
	c.checkPosition(position)
	if n := c.inSegment(); position >= n {
		return c.records[position-n]
	}
	return c.segment.Record(position)
}

// About returns the record at a position, possibly without its graph.
func (c *Collection) About(position int) dataset.Record {
	c.checkPosition(position)
	if n := c.inSegment(); position >= n {
		return c.records[position-n]
	}
	return c.segment.About(position)
}

// Graph returns the graph at a position below [Collection.Positions], which is valid until in is used again.
func (c *Collection) Graph(position int, in *graph.Scratch) *graph.Graph {
	if n := c.inSegment(); position >= n {
		return c.records[position-n].Graph
	}
	return c.segment.Graph(position, in)
}

// Form returns the graph at a position, built or not.
func (c *Collection) Form(position int) graph.Form {
	c.checkPosition(position)
	if n := c.inSegment(); position >= n {
		return c.records[position-n].Graph
	}
	return c.segment.Form(position)
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
// [Collection.Positions].
func (c *Collection) Signature(position int) bound.Signature {
	if n := c.inSegment(); position >= n {
		return c.signed.At(position - n)
	}
	return c.segment.Signatures().At(position)
}

// hash returns a hash of the graph at a position: see [screen.Sheet.Hash].
func (c *Collection) hash(position int) uint64 {
	if n := c.inSegment(); position >= n {
		return c.sheet.Hash(position - n)
	}
	return c.segment.Sheet().Hash(position)
}

// Vocabulary returns the vocabulary of the graphs, which queries must share.
func (c *Collection) Vocabulary() *graph.Vocabulary { return c.vocab }

// labels holds those of all graphs once they are needed, and the names of attributes that
// a graph was seen to have.
type labels struct {
	once       sync.Once
	witness    *graph.Graph
	err        error
	attributes sync.Map
}

// mean is how many nodes and edges a graph has, once it is needed.
type mean struct {
	once         sync.Once
	nodes, edges float64
}

// witness returns a graph that has all labels of the collection's graphs.
func (c *Collection) witness() (*graph.Graph, error) {
	c.labels.once.Do(func() {
		nodes, edges := c.signed.Labels()
		if c.segment != nil {
			n, e := c.segment.Signatures().Labels()
			nodes, edges = append(nodes, n...), append(edges, e...)
		}
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
