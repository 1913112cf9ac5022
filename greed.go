package greed

import (
	"context"
	"errors"
	"iter"
	"math"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
)

func wrap(in *search.Collection) *Collection { return &Collection{live: live.New(in)} }

// New returns an empty collection.
func New() *Collection { return wrap(search.NewCollection(graph.NewVocabulary(), nil)) }

// Bundled returns the collection that comes with the program, 4,999 molecules
// of the NCI Open Database, with models for the tasks: GED and SED if none is given.
func Bundled(ctx context.Context, tasks ...Task) (*Collection, error) {
	c, err := Open(ctx, Source{Bundled: true})
	if err == nil {
		err = c.AttachBundled(ctx, tasks...)
	}
	return c, err
}

// AttachBundled makes searches use the bundled models for the tasks, GED and SED if none is
// given. They are for molecules with unit costs. It embeds the whole collection, for which a
// model takes about 40 µs of a core per molecule.
func (c *Collection) AttachBundled(ctx context.Context, tasks ...Task) error {
	return eachBundled(tasks, func(m *model.Model) error { return c.live.Attach(ctx, m) })
}

// AttachBundledLazily is [Collection.AttachBundled], but the collection is embedded when a
// search first needs that. Proven searches for few answers do not: a single one is over
// sooner.
func (c *Collection) AttachBundledLazily(tasks ...Task) error {
	return eachBundled(tasks, c.live.AttachLazily)
}

func eachBundled(tasks []Task, attach func(*model.Model) error) error {
	if len(tasks) == 0 {
		tasks = []Task{GED, SED}
	}
	for _, task := range tasks {
		m, err := bundle.Model(task)
		if err != nil {
			return err
		}
		if err := attach(m); err != nil {
			return err
		}
	}
	return nil
}

// Save writes the collection, its models and their embeddings as an index to a
// new folder, which appears whole or not at all. An id that occurs twice is an
// error. The index of a synthon space is a file.
func (c *Collection) Save(path string) error {
	if c.space != nil {
		return saveSpace(c.space, path)
	}
	return c.live.Save(path)
}

// Models returns the tasks for which a model is attached.
func (c *Collection) Models() []Task {
	in := c.live.Acquire()
	defer in.Release()
	var tasks []Task
	for _, task := range []Task{GED, SED} {
		if in.Model(task) != nil {
			tasks = append(tasks, task)
		}
	}
	return tasks
}

// Attach makes searches for the model's task use the model, whose file greed
// train wrote. It embeds the whole collection.
func (c *Collection) Attach(ctx context.Context, path string) error {
	m, err := model.LoadIndexable(path)
	if err != nil {
		return err
	}
	return c.live.Attach(ctx, m)
}

// Len returns the number of graphs.
func (c *Collection) Len() int {
	if c.space != nil {
		_, products := c.space.Size()
		return int(min(products, math.MaxInt64))
	}
	in := c.live.Acquire()
	defer in.Release()
	return in.Len()
}

// Record returns record i, from 0, and panics if there is no such position. After a
// deletion or a replacement some positions are empty: use [Collection.All] then.
func (c *Collection) Record(i int) Record {
	if c.space != nil {
		return c.numbered(i)
	}
	in := c.live.Acquire()
	defer in.Release()
	return in.Record(i)
}

// All yields all records, as they were when the iteration began.
func (c *Collection) All() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		in := c.live.Acquire()
		defer in.Release()
		in.All(context.Background())(yield)
	}
}

// Read runs read with the graphs as they are now, which stay so until it returns. It is for what
// packages below this one do with them.
func (c *Collection) Read(read func(*search.Collection) error) error {
	in := c.live.Acquire()
	defer in.Release()
	return in.Read(func() error { return read(in.Collection) })
}

// Listing yields the positions and the records of all graphs, as they were when
// the iteration began. The records may lack their graphs.
func (c *Collection) Listing() iter.Seq2[int, Record] {
	return func(yield func(int, Record) bool) {
		in := c.live.Acquire()
		defer in.Release()
		for p := range in.Live() {
			if !yield(p, in.About(p)) {
				return
			}
		}
	}
}

// Molecules reports whether the collection has graphs and all of them are
// molecules. It does not read them.
func (c *Collection) Molecules() bool {
	if c.space != nil {
		return true
	}
	in := c.live.Acquire()
	defer in.Release()
	return in.Molecules()
}

// Direction returns whether the graphs are directed.
func (c *Collection) Direction() dataset.Direction {
	in := c.live.Acquire()
	defer in.Release()
	return in.Direction()
}

// Vocabulary returns the numbering of the labels of the collection's graphs.
// Graphs that are built with it add their labels to it. Better build queries,
// and graphs to put, with a vocabulary of their own ([graph.NewVocabulary]); it
// is translated.
func (c *Collection) Vocabulary() *graph.Vocabulary {
	in := c.live.Acquire()
	defer in.Release()
	return in.Vocabulary()
}

// parsing returns the vocabulary that SMILES are read with, one for all, so that
// what was read can be compared. There are not many elements: it stays small.
func (c *Collection) parsing() *graph.Vocabulary {
	base := c.Vocabulary()
	for {
		v := c.parsed.Load()
		if v != nil && graph.Common(base, v) == v {
			return v
		}
		if next := base.Extend(); c.parsed.CompareAndSwap(v, next) {
			return next
		}
	}
}

// ParseSMILES reads a molecule as a graph: atoms without hydrogens, labelled by
// element, bonds by order, aromatic bonds apart. It is for this collection, to be
// searched for or put, but may be used elsewhere.
func (c *Collection) ParseSMILES(smiles string) (*Graph, error) {
	rules, _ := c.Rules()
	rec, err := dataset.ReadOne(smiles, dataset.Options{Vocabulary: c.parsing(), Format: "smiles", Rules: rules,
		Adopted: true})
	if bad, ok := errors.AsType[*dataset.BadRecord](err); ok {
		return nil, bad.Err
	}
	return rec.Graph, err
}

// AttachModel makes searches for the model's task use the model, as
// [Collection.Attach] does with one in a file. It embeds the whole collection.
func (c *Collection) AttachModel(ctx context.Context, m *model.Model) error {
	if m == nil {
		return errors.New("attach: there is no model")
	}
	return c.live.Attach(ctx, m)
}
