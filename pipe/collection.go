package pipe

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/operation"
)

// recordSet is graphs in a request with what else is known of them.
type recordSet struct {
	graphSet
	About []recordJSON `json:"about"`
}

// records returns the records of the set that the request calls "graphs".
func (r *request) records(set *recordSet, vocab *graph.Vocabulary) ([]dataset.Record, error) {
	list, smiles, err := r.graphs("graphs", "", &set.graphSet, vocab)
	if err != nil {
		return nil, err
	}
	if len(set.About) != len(list) {
		return nil, badRequest("%d records for %d graphs", len(set.About), len(list))
	}
	out := make([]dataset.Record, len(list))
	for i, about := range set.About {
		if err := operation.CheckID(about.ID); err != nil {
			return nil, err
		}
		out[i] = dataset.Record{
			ID: about.ID, Name: about.Name, Graph: list[i], SMILES: smiles[i], NodeIDs: about.Nodes,
			Attributes: about.Attributes,
		}
	}
	return out, distinct(slices.All(out))
}

// distinct returns an error if two records have the same id.
func distinct(list iter.Seq2[int, dataset.Record]) error {
	at := make(map[string]int)
	for i, rec := range list {
		if j, there := at[rec.ID]; there {
			return wrongValue("ids: %[1]q is the id of both graph %[2]d and graph %[3]d: ids must differ", rec.ID, j, i)
		}
		at[rec.ID] = i
	}
	return nil
}

type openArgs struct {
	readArgs
	Key     string     `json:"key"`
	Bundled bool       `json:"bundled"`
	Graphs  *recordSet `json:"graphs"`
	// Compared is what the labels of molecules among the graphs have besides elements and bonds.
	Compared []string `json:"compared"`
	// Forms are the standard forms in which the graphs are read; see [dataset.Rules.Forms].
	Forms []string `json:"forms"`
}

// openCollection keeps a new collection: of an index, of a file, of graphs, or the
// bundled one. It answers whether it is an index, too.
func (s *server) openCollection(r *request, args *openArgs) (*answer, error) {
	c, err := s.opened(r, args)
	if err != nil {
		return nil, err
	}
	s.collections.put(args.Key, c)
	return &answer{result: struct {
		greed.Info
		Index bool     `json:"index"`
		Paths []string `json:"paths"` // of the indexes that are searched, in their order
	}{c.Info(), args.Path != "" && greed.IsIndex(args.Path), c.Indexes()}}, nil
}

func (s *server) opened(r *request, args *openArgs) (*greed.Collection, error) {
	if args.Bundled {
		return greed.Bundled(r.ctx)
	}
	src := args.source(s)
	src.Blocks = true // for an index that it is saved as
	if args.Graphs != nil {
		var err error
		if r.rules.Form(args.Forms); len(args.Compared)+len(args.Forms) > 0 {
			rules := r.rules // by which queries are read
			rules.Compare(args.Compared)
			src.As = &rules
		}
		if src.Records, err = r.records(args.Graphs, src.Vocabulary); err != nil {
			return nil, err
		}
		return greed.Open(r.ctx, src)
	}
	c, err := greed.Open(r.ctx, src)
	if err != nil {
		return nil, wrongReading(err)
	}
	if !greed.IsIndex(args.Path) {
		if err := distinct(c.Listing()); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	rules, _ := c.Rules()
	s.logNotes(args.Path, rules, c.Notes())
	return c, nil
}

func (s *server) infoOfCollection(r *request, c *greed.Collection, _ *keyArgs) (*answer, error) {
	// What other processes have written to an index is seen.
	if _, err := c.Refresh(r.ctx); err != nil {
		return nil, err
	}
	return &answer{result: c.Info()}, nil
}

type getArgs struct {
	keyArgs
	IDs *[]string `json:"ids"` // nil: all
}

// getRecords answers with the records of some ids, or with all.
func (s *server) getRecords(_ *request, c *greed.Collection, args *getArgs) (*answer, error) {
	var list []dataset.Record
	if args.IDs == nil {
		if err := c.Listable(); err != nil {
			return nil, err
		}
		list = slices.Collect(c.All())
	} else {
		for _, id := range *args.IDs {
			rec, ok := c.Get(id)
			if !ok {
				text := fmt.Sprintf("there is no graph with the id %q", id)
				if err := c.Unfound(id); errors.Is(err, greed.ErrRepeated) {
					text = err.Error()
				}
				return nil, &failure{Code: "key", Message: text}
			}
			list = append(list, rec)
		}
	}
	a := new(answer)
	a.addRecords(list, false, nil)
	return a, nil
}

type saveArgs struct {
	keyArgs
	Path string `json:"path"`
}

// saveCollection writes a collection to a new index.
func (s *server) saveCollection(_ *request, c *greed.Collection, args *saveArgs) (*answer, error) {
	return new(answer), c.Save(args.Path)
}

type vectorsArgs struct {
	keyArgs
	Task edit.Task `json:"task"`
}

// vectorsOf answers with the vectors of all graphs, f4 [graphs, dim], by the model
// for a task.
func (s *server) vectorsOf(r *request, c *greed.Collection, args *vectorsArgs) (*answer, error) {
	ids, vectors, dim, err := c.Sample(r.ctx, args.Task, c.Len())
	if err != nil {
		return nil, err
	}
	if dim == 0 {
		return nil, &failure{Code: "model", Message: fmt.Sprintf("the collection has no model for %v: attach one",
			args.Task)}
	}
	a := &answer{result: append([]string{}, ids...)}
	add(a, "vectors", vectors, len(ids), dim)
	return a, nil
}
