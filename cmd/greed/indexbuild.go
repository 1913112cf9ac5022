package main

import (
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/part"
	"github.com/greedgraph/greed/store"
)

// indexBuild makes an index.
type indexBuild struct {
	Graphs string   `arg:"" optional:"" help:"${index_build_graphs}"`
	Out    string   `short:"o" required:"" placeholder:"DIR" help:"The folder to create."`
	Model  []string `type:"model" placeholder:"FILE" help:"${index_build_model}"`

	Part part.Share `placeholder:"I/N" help:"${index_build_part}"`

	Replace bool `help:"If several graphs have the same id, keep the last instead of refusing them."`

	NoBlocks bool `help:"${index_build_no_blocks}"`

	hopsFlags

	Vectors string ` placeholder:"FILE" help:"Index the vectors of another program, from a NumPy file."`
	IDs     string `name:"ids" placeholder:"FILE" help:"The ids of those vectors, one a line."`
	Norm    string `placeholder:"NORM" help:"${index_build_norm}"`

	readFlags

	chosen []*model.Model // by --model
}

// built describes the new index as JSON.
type built struct {
	Index      string      `json:"index"`
	Graphs     int         `json:"graphs"`
	Replaced   int         `json:"replaced,omitempty"`
	Truncated  *int        `json:"truncated,omitempty"`
	Embeddings []string    `json:"embeddings"`
	Models     []edit.Task `json:"models"`

	Notes []dataset.Note `json:"notes,omitempty"`
}

func (c *indexBuild) Run(s *session) error {
	foreign := c.Vectors != "" || c.IDs != "" || c.Norm != ""
	switch {
	case foreign && (c.Vectors == "" || c.IDs == "" || c.Norm == ""):
		return usageError("--vectors, --ids and --norm go together")
	case foreign && (c.Hops != nil || len(c.Model) > 0):
		return usageError("--vectors cannot be combined with --hops and --model")
	case !c.Part.All() && (foreign || c.Hops != nil):
		return usageError("--part divides graphs: leave out --hops and --vectors")
	case !c.Part.All() && c.Replace:
		return usageError("--part refuses ids that are given twice, since the other may be in another part: " +
			"leave out --replace")
	case !foreign && c.Graphs == "":
		return usageError("name a collection, or --vectors")
	}
	if err := c.hopsFlags.check(); err != nil {
		return err
	}
	if given := c.source(s); given.Format == "" && greed.IsSpace(c.Graphs) {
		if len(c.Model) > 0 || c.Hops != nil || c.Replace || len(given.Given()) > 0 {
			return usageError(fmt.Sprintf("%s is a synthon space, which has an index without models: name it alone",
				field(c.Graphs)))
		}
		return buildSpace(s, c.Graphs, c.Out)
	}
	var err error
	if c.chosen, err = loadModels(c.Model); err != nil {
		return err
	}
	src, err := c.learntAll(s, c.Model, c.chosen)
	if err != nil {
		return err
	}
	b := built{Index: c.Out, Embeddings: []string{}, Models: []edit.Task{}}
	src.Blocks = !c.NoBlocks
	err = store.Build(c.Out, func(st *store.Store) error {
		if c.NoBlocks {
			if err := st.SetBlocks(s.ctx, false); err != nil {
				return err
			}
		}
		if c.Vectors != "" {
			return c.foreign(s, src, st, &b)
		}
		fill := c.collection
		if c.Hops != nil {
			fill = c.neighbourhoods
		}
		if err := fill(s, src, st, &b); err != nil {
			return err
		}
		return st.WriteSegment(s.ctx, s.workers)
	})
	if err != nil {
		return err
	}
	return c.report(s, b)
}

// collection indexes graphs while they are read.
func (c *indexBuild) collection(s *session, src greed.Source, st *store.Store, b *built) error {
	ids, position := newIDSources(), 0
	r, err := s.batches(src, c.Graphs, func(batch []dataset.Record) error {
		if position == 0 {
			models, err := c.models(src, batch)
			if err == nil {
				err = b.attach(s, st, models)
			}
			if err != nil {
				return err
			}
		}
		for i := range batch {
			if err := c.unique(ids, batch[i], position+i); err != nil {
				return err
			}
		}
		own := batch[:0]
		for i := range batch {
			if c.Part.Has(position + i) {
				own = append(own, batch[i])
			}
		}
		position += len(batch)
		added, replaced, err := st.Add(s.ctx, own, false, s.workers)
		b.Graphs, b.Replaced = b.Graphs+added, b.Replaced+replaced
		return err
	})
	if err != nil {
		return err
	}
	return errors.Join(st.SetRules(s.ctx, r.Rules), st.SetSource(s.ctx, r.Origin))
}

// unique returns an error if the id of a record was given before, unless the flags say
// that the last one wins.
func (c *indexBuild) unique(ids *idSources, rec dataset.Record, position int) error {
	if before, given := ids.add(rec, position); given && !c.Replace {
		return fmt.Errorf("%s: the id %s was given before, at %s: the ids of an index must differ (--replace "+
			"keeps the last; --id-column chooses the ids of a table or an SDF)",
			recordSource(rec.File, rec.Line, position), field(rec.ID), before)
	}
	return nil
}

// models returns the models requested, or the bundled ones if the first
// graphs are all molecules with labels that these models were trained on.
func (c *indexBuild) models(src greed.Source, first []dataset.Record) ([]*model.Model, error) {
	var list []*model.Model
	if len(c.Model) == 0 && src.Plain() && dataset.Molecules(slices.Values(first)) {
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			m, err := bundle.Model(task)
			if err != nil {
				return nil, err
			}
			list = append(list, m)
		}
	}
	return append(list, c.chosen...), nil
}

// attach adds an embedding for each model to an empty index.
func (b *built) attach(s *session, st *store.Store, models []*model.Model) error {
	for _, m := range models {
		task := m.Metadata().Task
		if err := st.AddEmbedding(s.ctx, task.String(), m); err != nil {
			return err
		}
		b.Embeddings = append(b.Embeddings, task.String())
		b.Models = append(b.Models, task)
	}
	return nil
}

func (c *indexBuild) report(s *session, b built) error {
	if s.json {
		b.Notes = s.allNotes()
		return s.out.printJSON(b)
	}
	if b.Replaced > 0 {
		s.note("%s in %s had the id of an earlier one and replaced it", count(b.Replaced, "graph"), c.Graphs)
	}
	if b.Truncated != nil {
		s.note("%d of %s were cut at %s", *b.Truncated, count(b.Graphs, "neighbourhood"), count(c.MaxNodes, "node"))
	}
	if len(b.Embeddings) == 0 {
		s.note("no model fits %s: searches will use bounds and the exact solver alone; to add a model, make one "+
			"with greed "+
			"train and name it with --model", c.Graphs)
	}
	_, err := fmt.Fprintf(s.out, "%s: %s, %s\n", b.Index, count(b.Graphs, "graph"), count(len(b.Models), "model"))
	return err
}

// idSources remembers where every id of a collection was given. It keeps 128 bits of a
// hash instead of the text; a collision is as good as impossible.
type idSources struct {
	seeds  [2]maphash.Seed
	source map[[2]uint64]idSource
	files  []string
}

type idSource struct{ file, line, record int32 }

func newIDSources() *idSources {
	return &idSources{
		seeds:  [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		source: make(map[[2]uint64]idSource),
	}
}

// add takes the id of the record at a position. It returns the
// source of an earlier record with that id, and whether there is one.
func (p *idSources) add(rec dataset.Record, position int) (before string, given bool) {
	key := [2]uint64{maphash.String(p.seeds[0], rec.ID), maphash.String(p.seeds[1], rec.ID)}
	if at, ok := p.source[key]; ok {
		return recordSource(p.files[at.file], int(at.line), int(at.record)), true
	}
	if n := len(p.files); n == 0 || p.files[n-1] != rec.File {
		p.files = append(p.files, rec.File)
	}
	p.source[key] = idSource{int32(len(p.files) - 1), int32(rec.Line), int32(position)}
	return "", false
}

// noteRepeated says that graphs of an input share ids, by which answers name them.
func noteRepeated(s *session, arg string, records iter.Seq2[int, dataset.Record]) {
	ids, repeated, first := newIDSources(), 0, ""
	for i, rec := range records {
		before, given := ids.add(rec, i)
		if !given {
			continue
		}
		if repeated++; repeated == 1 {
			first = fmt.Sprintf("%s at %s, before at %s", field(rec.ID), recordSource(rec.File, rec.Line, i), before)
		}
	}
	if repeated > 0 {
		s.note("%s: %s with an id that was given before, which answers do not tell apart; the first: %s", arg,
			count(repeated, "graph"), first)
	}
}

// recordSource is how messages name a record.
func recordSource(file string, line, record int) string {
	if line > 0 {
		return fmt.Sprintf("%s:%d: record %d", file, line, record)
	}
	return fmt.Sprintf("%s: record %d", file, record)
}
