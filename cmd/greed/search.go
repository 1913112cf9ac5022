package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/store"
)

// searchCommand finds graphs in a collection.
type searchCommand struct {
	Query      string `arg:"" optional:"" help:"${search_query}"`
	Collection string `arg:"" optional:"" help:"${search_collection}"`

	More []string `arg:"" optional:"" name:"index" help:"Further indexes of the same collection."`

	searchFlags
	readFlags

	forgotten bool // no collection is named
}

// searchFlags say what to search for.
type searchFlags struct {
	operation.Search
	Sed         bool     `help:"Find graphs that contain the query, exactly or nearly: --task sed."`
	Output      string   `short:"o" placeholder:"FILE" help:"${search_output}"`
	Certificate string   `writes:"" placeholder:"FILE" help:"${search_certificate}"`
	Model       []string `type:"model" placeholder:"FILE" help:"${search_model}"`

	Vector string `placeholder:"FILE" help:"${search_vector}"`
	operation.Compared
}

// AfterApply takes up --sed.
func (c *searchCommand) AfterApply(command *kong.Context) error {
	c.Task = cmp.Or(c.Task, new(string))
	for _, p := range command.Path {
		if f := p.Flag; f != nil && c.vectors() && (f.Name == "mode" || f.Name == "task" ||
			f.Group != nil && f.Group.Title == readingGroup) {
			return usageError(fmt.Sprintf("--%s does not apply: %s", f.Name, vectorsAlone))
		}
	}
	return setTask(command, c.Sed, c.Task)
}

func (c *searchCommand) Run(s *session) error {
	s.holds = true
	// Without a query the first argument is an index, too.
	queryless := (c.vectors() || c.SMARTS != "") && greed.IsIndex(c.Query) && c.Collection != ""
	if queryless {
		c.Collection, c.More = c.Query, append([]string{c.Collection}, c.More...)
	}
	if len(c.More) > 0 {
		if err := c.joinIndexes(); err != nil {
			return err
		}
	}
	if queryless {
		c.Query, c.Collection = c.Collection, ""
	}
	if c.vectors() {
		switch {
		case c.Collection != "" || c.SMARTS != "":
			return usageError("give only one of QUERY, --smarts, --vector and --like")
		case c.Certificate != "":
			return usageError("--certificate proves distances, but --vector and --like compute none")
		}
		return c.byVector(s, c.Query)
	}
	if c.SMARTS != "" {
		if c.Collection != "" {
			return usageError("give only one of QUERY and --smarts")
		}
		c.Query, c.Collection = "", c.Query
		if err := readMolBlock(&c.SMARTS); err != nil {
			return err
		}
	}
	switch {
	case c.Embedding != "":
		return usageError("--embedding goes with --vector or --like")
	case c.Query == "" && c.SMARTS == "":
		return usageError("an argument is empty or missing: name a query (a file, - for standard input, or a " +
			"SMILES), or --smarts, --vector or --like")
	}
	if greed.IsIndex(c.Query) {
		return usageError(fmt.Sprintf("%[1]s is an index: name a query before it (greed search QUERY %[1]s), or "+
			"--vector or --like", field(c.Query)))
	}
	if greed.IsSpace(c.Query) {
		return usageError(fmt.Sprintf("%[1]s is a synthon space: name a query before it (greed search QUERY %[1]s)",
			field(c.Query)))
	}
	if c.forgotten = c.Collection == ""; isBundled(c.Collection) {
		c.Collection = ""
	}
	if c.Collection == "" || greed.HasRules(c.Collection) {
		if err := c.needed(s, cmp.Or(c.Query, c.SMARTS)); err != nil {
			return err
		}
	}
	plan, err := s.planned(&c.Search, 0)
	if err != nil {
		return err
	}
	if plan.Pattern != nil && (c.Certificate != "" || len(c.Model) > 0) {
		return usageError("--smarts finds what contains the pattern: leave out --model and --certificate")
	}
	if c.Certificate != "" && c.Mode != greed.Proven.String() {
		return usageError("--certificate proves answers, but --mode " + c.Mode + " proves none: leave out one of them")
	}
	collection, name, err := c.open(s, plan)
	if err != nil {
		return err
	}
	defer collection.Close()
	if len(c.Model) > 0 && !c.NoModel && !slices.Contains(collection.Models(), plan.Task) {
		return fmt.Errorf("%s was not trained for %v: name a model that was, as greed train --task %v makes, or "+
			"search without a model (--no-model)", strings.Join(c.Model, ", "), plan.Task, plan.Task)
	}
	in := searched{postgres.Shown(name), collection}
	src, err := c.asIn(s, in, plan)
	if err != nil {
		return usageOfReading(err)
	}
	return c.searchIn(s, in, src, plan)
}

// joinIndexes makes one collection of several indexes.
func (c *searchCommand) joinIndexes() error {
	given := append([]string{c.Collection}, c.More...)
	if c.Collection = strings.Join(given, ","); greed.IsIndex(c.Collection) {
		return nil
	}
	others := slices.DeleteFunc(given, greed.IsIndex)
	text := fmt.Sprintf("%s is no index, and only indexes are searched together", field(others[0]))
	if given[0] == others[0] { // the collection
		others = c.More
	}
	return usageError(text + ": leave out " + field(strings.Join(others, " ")))
}

// usage turns an error about a field of a request into one about its flag.
func usage(err error) error {
	if field, ok := errors.AsType[*operation.Error](err); ok {
		return usageError(fmt.Sprintf("--%s %s", strings.ReplaceAll(field.Field, "_", "-"), field.Reason))
	}
	return err
}

// asIn says how queries are read: as the graphs of the collection were.
func (c *searchCommand) asIn(s *session, in searched, plan *operation.Planned) (greed.Source, error) {
	src := c.source(s)
	if rules, known := in.Rules(); known {
		return src, src.Follow(in.name, &rules)
	}
	for _, costs := range append(slices.Clone(plan.Costs), in.Costs(plan.Task)) {
		src.Compare(costs)
	}
	return src, nil
}

// open returns the collection with the models that fit it.
func (c *searchCommand) open(s *session, plan *operation.Planned) (*greed.Collection, string, error) {
	name := cmp.Or(c.Collection, bundle.Name)
	defer s.stage(func() string { return "opening " + field(name) })()
	models, err := loadModels(c.Model)
	if err != nil {
		return nil, "", err
	}
	collection, err := c.opened(s, plan, models)
	if errors.Is(err, store.ErrKind) {
		err = fmt.Errorf("%w: search it with --vector or --like", err)
	}
	if err != nil {
		return nil, "", err
	}
	rules, known := collection.Rules()
	if known && rules.Plain() && len(models) == 0 && !c.NoModel && plan.Pattern == nil &&
		!greed.IsIndex(c.Collection) &&
		collection.Molecules() && collection.Space() == nil {
		err = collection.AttachBundledLazily(plan.Task)
	}
	for _, m := range models {
		if err == nil {
			err = collection.AttachModel(s.ctx, m)
		}
	}
	if err != nil {
		return nil, "", errors.Join(err, collection.Close())
	}
	return collection, name, nil
}

// opened returns the collection.
func (c *searchCommand) opened(s *session, plan *operation.Planned, models []*model.Model) (*greed.Collection, error) {
	if c.Collection == "" {
		return greed.Open(s.ctx, greed.Source{Bundled: true})
	}
	src := c.source(s)
	for _, costs := range plan.Costs {
		src.Compare(costs)
	}
	src.Blocks = slices.Contains([]string{".sdf", ".sd"}, strings.ToLower(filepath.Ext(c.Output)))
	for i, m := range models {
		if greed.IsIndex(c.Collection) {
			break // its graphs have been read
		}
		if err := src.FollowModel(c.Model[i], m); err != nil {
			return nil, usageOfReading(err)
		}
	}
	return s.open(src, c.Collection)
}

// searched is the collection that is searched.
type searched struct {
	name string
	*greed.Collection
}

// searchIn searches for every graph of the query.
func (c *searchCommand) searchIn(s *session, in searched, src greed.Source, plan *operation.Planned) error {
	queries, notes, err := c.queries(s, src, plan)
	if err != nil {
		return err
	}
	if c.forgotten && len(queries) > 1 {
		return usageError(fmt.Sprintf("%[1]s has %[2]s, and no collection is named: to search in it, name a query "+
			"before it "+
			"(greed search QUERY %[1]s); "+
			"to search the molecules that come with the program for each, name those (greed search %[1]s %[3]s)",
			c.Query, count(len(queries), "graph"), bundledName))
	}
	if c.Certificate != "" && len(queries) != 1 {
		return usageError(fmt.Sprintf("--certificate is for one query, but %s has %d", c.Query, len(queries)))
	}
	return c.answer(s, func(write func(answerSet) error) error {
		for _, q := range queries {
			one := q
			one.Notes = notes
			// If the search is interrupted, it prints what is known.
			found, interrupted := withProgress(s, plan, &operation.Inputs{Query: &one, Collection: in.Collection,
				Maps: c.Certificate != ""})
			switch {
			case found == nil && errors.Is(interrupted, greed.ErrAttribute): // of every query
				return fmt.Errorf("%s: %w", in.name, interrupted)
			case found == nil:
				return fmt.Errorf("query %s: %w", q.ID, interrupted)
			}
			if err := write(&graphAnswers{s, c, in, q, found}); err != nil {
				return err
			}
			if interrupted != nil {
				return interrupted
			}
			if c.Certificate != "" {
				if err := c.certifySearch(s, in, q, found, plan); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// readMolBlock puts the text of a MOL file in place of its name; other texts are patterns themselves.
func readMolBlock(pattern *string) error {
	if !chemical(*pattern) {
		return nil
	}
	text, err := os.ReadFile(*pattern)
	if err != nil {
		return err
	}
	if !chem.IsMolBlock(string(text)) {
		return fmt.Errorf("%s: found no MOL block, expected lines up to \"M  END\"", *pattern)
	}
	*pattern = string(text)
	return nil
}

// queries returns what is searched for, with the notes of reading it: the graphs of a file or of a SMILES, or
// the pattern.
func (c *searchCommand) queries(s *session, src greed.Source,
	plan *operation.Planned) ([]dataset.Record, []dataset.Note, error) {
	if plan.Pattern == nil {
		r, err := s.read(src, c.Query)
		if err != nil {
			return nil, nil, err
		}
		return r.Records, r.Notes, nil
	}
	g, err := plan.Pattern.Graph(graph.NewVocabulary(), true)
	return []dataset.Record{{ID: plan.Pattern.String(), Graph: g}}, nil, err
}
