package pipe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
		return nil, badRequest("%d records about %d graphs", len(set.About), len(list))
	}
	out := make([]dataset.Record, len(list))
	for i, about := range set.About {
		out[i] = dataset.Record{
			ID: about.ID, Name: about.Name, Graph: list[i], SMILES: smiles[i], NodeIDs: about.Nodes, Attributes: about.Attributes, Block: about.Block,
		}
	}
	return out, distinct(out)
}

// distinct returns an error if two records have the same id.
func distinct(list []dataset.Record) error {
	at := make(map[string]int, len(list))
	for i, rec := range list {
		if j, there := at[rec.ID]; there {
			return wrongValue("ids: %q is that of the graphs %d and %d: every graph has an id of its own", rec.ID, j, i)
		}
		at[rec.ID] = i
	}
	return nil
}

// openCollection keeps a new collection: of an index, of a file, of graphs, or the
// bundled one. It answers whether it is an index, too.
func (s *server) openCollection(r *request) (*answer, error) {
	var args struct {
		readArgs
		Key     string     `json:"key"`
		Bundled bool       `json:"bundled"`
		Graphs  *recordSet `json:"graphs"`
	}
	if err := r.read(&args); err != nil {
		return nil, err
	}
	var c *greed.Collection
	var err error
	switch {
	case args.Bundled:
		c, err = greed.Bundled(r.ctx)
	case args.Path != "" && greed.IsIndex(args.Path):
		c, err = openIndex(r.ctx, &args.readArgs)
	case args.Graphs != nil:
		vocab := graph.NewVocabulary()
		var list []dataset.Record
		if list, err = r.records(args.Graphs, vocab); err == nil {
			c, err = greed.FromRecords(vocab, list)
		}
	default:
		args.Blocks = true // for those who ask later, and for an index that it is saved as
		vocab := graph.NewVocabulary()
		var list []dataset.Record
		var rules dataset.Rules
		if list, rules, err = s.readRecords(r, &args.readArgs, vocab); err == nil {
			err = distinct(list)
		}
		if err == nil {
			c, err = greed.FromRecords(vocab, list)
		}
		if err == nil {
			c.SetRules(rules)
		}
	}
	if err != nil {
		return nil, err
	}
	register(&s.registry, &s.registry.collections, args.Key, c)
	info := collectionInfo(c)
	info.Index = args.Path != "" && greed.IsIndex(args.Path)
	return &answer{result: info}, nil
}

// openIndex opens an index, whose graphs have been read: options of reading may only say
// what its rules say.
func openIndex(ctx context.Context, args *readArgs) (*greed.Collection, error) {
	if args.Format != "" || args.SMILESColumn != "" || args.IDColumn != "" || args.SkipBad {
		return nil, wrongValue("%s is an index, whose graphs have been read: leave format, smiles_column, id_column and skip_bad out", args.Path)
	}
	c, err := greed.OpenIndex(ctx, args.Path)
	if err != nil {
		return nil, err
	}
	if rules, _ := c.Rules(); !rules.Fits(args.Rules) {
		return nil, errors.Join(wrongValue("the graphs of %s were read by other rules (%s) than the options ask for (%s): leave these out",
			args.Path, cmp.Or(rules.String(), "those of docs/inputs.md"), args.Rules), c.Close())
	}
	return c, nil
}

type collectionJSON struct {
	Graphs int            `json:"graphs"`
	Models []modelJSON    `json:"models"`
	Index  bool           `json:"index"`
	State  string         `json:"state"`
	Rules  *dataset.Rules `json:"rules,omitempty"` // by which its graphs were read, where known
}

func collectionInfo(c *greed.Collection) collectionJSON {
	info := collectionJSON{Graphs: c.Len(), Models: []modelJSON{}, State: c.State()}
	if rules, known := c.Rules(); known {
		info.Rules = &rules
	}
	for _, m := range c.ModelInfos() {
		info.Models = append(info.Models, modelJSON{
			Task: m.Task, Fingerprint: m.Fingerprint, Norm: m.Norm.String(), Dim: m.Norm.Dim(), Costs: m.Costs, Metrics: m.Metrics,
		})
	}
	return info
}

// collectionArgs name a collection.
type collectionArgs struct {
	Key string `json:"key"`
}

// collection reads the arguments and returns the collection that they name.
func (s *server) collection(r *request, args interface{ name() string }) (*greed.Collection, error) {
	if err := r.read(args); err != nil {
		return nil, err
	}
	c, err := find(&s.registry, &s.registry.collections, args.name())
	if err == nil {
		r.rules, _ = c.Rules()
	}
	return c, err
}

func (a *collectionArgs) name() string { return a.Key }

func (s *server) infoOfCollection(r *request) (*answer, error) {
	c, err := s.collection(r, new(collectionArgs))
	if err != nil {
		return nil, err
	}
	// What other processes have written to an index is seen.
	if _, err := c.Refresh(r.ctx); err != nil {
		return nil, err
	}
	return &answer{result: collectionInfo(c)}, nil
}

// change keeps and deletes graphs.
func (s *server) change(r *request) (*answer, error) {
	var args struct {
		collectionArgs
		Graphs recordSet `json:"graphs"`
		operation.Change
	}
	c, err := s.collection(r, &args)
	if err != nil {
		return nil, err
	}
	list, err := r.records(&args.Graphs, c.Vocabulary())
	if err != nil {
		return nil, err
	}
	change, err := args.Resolve(list)
	if err != nil {
		return nil, err
	}
	done, err := c.Apply(r.ctx, change)
	return &answer{result: done}, err
}

// getRecords answers with the records of some ids, or with all.
func (s *server) getRecords(r *request) (*answer, error) {
	var args struct {
		collectionArgs
		IDs    *[]string `json:"ids"`
		Blocks bool      `json:"blocks"` // MOL blocks are wanted
	}
	c, err := s.collection(r, &args)
	if err != nil {
		return nil, err
	}
	list, err := recordsOf(c, args.IDs)
	if err != nil {
		return nil, err
	}
	if args.Blocks {
		err = c.Blocks(r.ctx, list)
	} else {
		for i := range list {
			list[i].Block = ""
		}
	}
	a := new(answer)
	a.addRecords(list, false)
	return a, err
}

// recordsOf returns the records of some ids, or all.
func recordsOf(c *greed.Collection, ids *[]string) (list []dataset.Record, err error) {
	if ids == nil {
		return slices.Collect(c.All()), nil
	}
	for _, id := range *ids {
		rec, ok := c.Get(id)
		if !ok {
			return nil, &failure{Code: "key", Message: fmt.Sprintf("there is no graph with the id %q", id)}
		}
		list = append(list, rec)
	}
	return list, nil
}

// writeRecords answers with the text of some records, or all, in a format that package
// dataset writes, and what was lost in it.
func (s *server) writeRecords(r *request) (*answer, error) {
	var args struct {
		collectionArgs
		IDs    *[]string `json:"ids"`
		Format string    `json:"format"`
	}
	c, err := s.collection(r, &args)
	if err != nil {
		return nil, err
	}
	list, err := recordsOf(c, args.IDs)
	if err != nil {
		return nil, err
	}
	if err := c.Blocks(r.ctx, list); err != nil {
		return nil, err
	}
	var text strings.Builder
	w, err := dataset.NewWriter(&text, args.Format)
	if err != nil {
		return nil, wrongValue("format: %v", err)
	}
	for _, rec := range list {
		if err := w.Write(rec); err != nil {
			return nil, wrongValue("%v", err)
		}
	}
	err = w.Close()
	return &answer{result: struct {
		Text  string   `json:"text"`
		Notes []string `json:"notes,omitempty"`
	}{text.String(), w.Notes()}}, err
}

// saveCollection writes a collection to a new index.
func (s *server) saveCollection(r *request) (*answer, error) {
	var args struct {
		collectionArgs
		Path string `json:"path"`
	}
	c, err := s.collection(r, &args)
	if err != nil {
		return nil, err
	}
	return new(answer), c.Save(args.Path)
}

// vectorsOf answers with the vectors of all graphs, f4 [graphs, dim], by the model
// for a task.
func (s *server) vectorsOf(r *request) (*answer, error) {
	var args struct {
		collectionArgs
		Task edit.Task `json:"task"`
	}
	c, err := s.collection(r, &args)
	if err != nil {
		return nil, err
	}
	ids, vectors, dim, err := c.Sample(r.ctx, args.Task, c.Len())
	if err != nil {
		return nil, err
	}
	if dim == 0 {
		return nil, &failure{Code: "model", Message: fmt.Sprintf("the collection has no model for %v: attach one", args.Task)}
	}
	if ids == nil {
		ids = []string{}
	}
	a := &answer{result: ids}
	a.addVectors("vectors", vectors, len(ids), dim)
	return a, nil
}
