package greed

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/search"
)

// FromRecords returns a collection of records. Graphs of another vocabulary than
// vocab are translated; nil means a new vocabulary. The error wraps [ErrNoGraph] or [ErrMixed].
func FromRecords(vocab *graph.Vocabulary, records []Record) (*Collection, error) {
	if err := checkRecords(records); err != nil {
		return nil, err
	}
	if vocab == nil {
		vocab = graph.NewVocabulary()
	}
	own := make([]Record, len(records))
	for i, r := range records {
		r.Graph = graph.In(vocab, r.Graph)
		own[i] = r
	}
	return wrap(search.NewCollection(vocab, own)), nil
}

// checkGraphs returns an error unless all records have graphs.
func checkGraphs(records []Record) error {
	for i, r := range records {
		if r.Graph == nil {
			return fmt.Errorf("record %d, id %q: %w", i, r.ID, ErrNoGraph)
		}
	}
	return nil
}

// checkRecords returns an error unless all records have graphs, of one direction.
func checkRecords(records []Record) error {
	var direction dataset.Direction
	if err := checkGraphs(records); err != nil {
		return err
	}
	for _, r := range records {
		if err := direction.Check(r); err != nil {
			return err
		}
		if !direction.Known() {
			direction = dataset.DirectionOf(r)
		}
	}
	return nil
}

// Rules returns the rules by which the graphs of the collection were read, and whether
// they are known. What is compared with the graphs, or put beside them, is to be read by
// the same rules: see [dataset.Options].
func (c *Collection) Rules() (rules dataset.Rules, known bool) {
	in := c.live.Acquire()
	defer in.Release()
	if in.Rules == nil {
		return dataset.Rules{}, false
	}
	return *in.Rules, true
}

// setRules says by which rules the graphs of a new collection in memory were read.
func (c *Collection) setRules(rules dataset.Rules) {
	in := c.live.Acquire()
	defer in.Release()
	in.Rules = &rules
}

// Notes returns what was said of the graphs when they were read, unless that was long ago: an index has none. Of
// several indexes they say which cannot be read. Results about the collection repeat it.
func (c *Collection) Notes() []dataset.Note { return c.notes }

// Unsearched returns the indexes of a collection of several that were missing or damaged when it was opened. Without
// them no search is proven, and what needs all graphs is refused with [ErrLacking].
func (c *Collection) Unsearched() []Unsearched { return c.live.Lacking() }

// Indexes returns where the indexes are that are searched, in their order; none of a collection in memory.
func (c *Collection) Indexes() []string { return c.live.Paths() }

// Repeated returns ids that several indexes of the collection have, at most most of them, and how many there are. It
// reads all ids, and keeps none. The error is the context's, or that of reading.
func (c *Collection) Repeated(ctx context.Context, most int) (list []live.Repeated, count int, err error) {
	return c.live.Repeated(ctx, most)
}

// Several reports whether the collection is one of several indexes, which is not changed as one: see [ErrParts].
func (c *Collection) Several() bool { return c.live.Several() }
