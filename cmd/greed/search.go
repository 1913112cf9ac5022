package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

// searchCommand finds graphs in a collection.
type searchCommand struct {
	Query      string `arg:"" help:"What to look for: a file, - for standard input, or a SMILES."`
	Collection string `arg:"" optional:"" help:"Where to look: a file, a folder or an index; by default the molecules that come with the program."`

	searchFlags
	readFlags
}

// searchFlags say what to search for.
type searchFlags struct {
	Sed       bool       `help:"Find graphs that contain the query, exactly or nearly, by subgraph edit distance."`
	K         *int       `short:"k" placeholder:"N" help:"How many answers at most (default 10, or all with --radius)."`
	Radius    *float64   `placeholder:"X" help:"Only answers within this distance; with -k the nearest of them."`
	Mode      greed.Mode `default:"proven" placeholder:"MODE" help:"What answers rest on: proven (complete and exact), checked (a model's candidates) or predicted (vectors alone) (default proven)."`
	TimeLimit timeLimit  `placeholder:"TIME" help:"Time for each query, such as 500ms or 1m, or none (default 10s, or 1s in mode checked)."`
	Explain   bool       `help:"Print the edits of every answer."`
	Show      []string   `placeholder:"ATTR" help:"Attributes of the answers to print, such as a class or an activity."`
	Output    string     `short:"o" placeholder:"FILE" help:"Write the answers to this file instead, a .csv, .sdf or .json."`
	Model     []string   `type:"existingfile" placeholder:"FILE" help:"Use this model, made by greed train. Give it twice for one model each for ged and sed."`
	NoModel   bool       `help:"Use no model: bounds and the exact solver alone."`
	Filter    []string   `sep:"none" placeholder:"COND" help:"Search only graphs whose id, name or attributes fit: ATTR=VALUE, ATTR in A,B, ATTR>=X, ATTR<X, ATTR exists. If there are several, all must hold."`

	Costs            string `placeholder:"NAME|FILE" help:"Edit costs: a name such as chem2 or rings, or a JSON file; the names are listed in greed ged --help. A model searches with its own costs only (default: the model's, or uniform)."`
	IgnoreEdgeLabels bool   `help:"Make relabelling an edge free."`
}

// timeLimit is the time for a query: 0 means the default of the mode.
type timeLimit time.Duration

// UnmarshalText reads a time, or none.
func (t *timeLimit) UnmarshalText(text []byte) error {
	if string(text) == "none" {
		*t = timeLimit(greed.NoLimit)
		return nil
	}
	d, err := time.ParseDuration(string(text))
	if err != nil || d <= 0 {
		return fmt.Errorf("%q: want a time above 0 such as 500ms or 10s, or none", text)
	}
	*t = timeLimit(d)
	return nil
}

// chosen returns the costs that the flags ask for, or nil.
func (c *searchFlags) chosen() (*edit.Costs, error) {
	if c.Costs == "" && !c.IgnoreEdgeLabels {
		return nil, nil
	}
	f := costFlags{Costs: c.Costs, IgnoreEdgeLabels: c.IgnoreEdgeLabels}
	if f.Costs == "" {
		f.Costs = "uniform"
	}
	costs, err := f.costs()
	return &costs, err
}

// searchCosts returns the costs that the flags ask for, or else those of the models.
func (c *searchFlags) searchCosts() ([]edit.Costs, error) {
	chosen, err := c.chosen()
	if err != nil {
		return nil, err
	}
	if chosen != nil {
		return []edit.Costs{*chosen}, nil
	}
	return costsOf(c.Model)
}

// costsOf returns the costs of models.
func costsOf(paths []string) ([]edit.Costs, error) {
	var list []edit.Costs
	for _, path := range paths {
		m, err := model.Load(path)
		if err != nil {
			return nil, err
		}
		list = append(list, m.Metadata().Costs)
	}
	return list, nil
}

// Help shows below the usage of the command.
func (searchCommand) Help() string {
	return `
Finds the graphs of a collection nearest to a query. Without a collection it
searches the 4,999 molecules that come with the program. --mode says what the
answers rest on:

    proven     complete and exact; if time runs out first, it says what is open
    checked    exact distances of a model's candidates; others may be missed
    predicted  a model's predictions from vectors alone; no distances

    greed search "CC(=O)Oc1ccccc1C(=O)O"
    greed search --sed --explain "c1ccc2[nH]ccc2c1"
    greed search --radius 3 query.mol molecules.sdf
    greed search query.txt graphs.txt --model ged.safetensors
    greed search --time-limit 1m query.mol molecules.sdf
    greed search query.mol molecules.sdf --filter "weight<300" --filter "class in a,b"
    greed search query.mol molecules.sdf --show class,activity -o answers.csv

Molecules are searched with the models that come with the program, unless --model
names others. Where no model fits, provable bounds and the exact solver answer alone;
greed train makes a model. An answer such as "5 to 7" was left open by the time limit.
` + costsHelp
}

func (c *searchCommand) Run(s *session) error {
	costs, err := c.searchCosts()
	if err != nil {
		return err
	}
	c.compare(costs...)
	collection, name, err := c.open(s)
	if err != nil {
		return err
	}
	return c.searchAll(s, collection, name, c.Query, &c.readFlags)
}

// open returns the collection with the models that fit it.
func (c *searchCommand) open(s *session) (*greed.Collection, string, error) {
	name := c.Collection
	var collection *greed.Collection
	var err error
	opening := "opening " + field(cmp.Or(name, bundle.Name))
	defer s.stage(func() string { return opening })()
	switch {
	case name == "":
		name = bundle.Name
		collection, err = greed.Bundled(s.ctx)
	case greed.IsIndex(name):
		collection, err = greed.OpenIndex(s.ctx, name)
	default:
		vocab := graph.NewVocabulary()
		var records []dataset.Record
		if records, err = c.load(s, name, vocab); err == nil {
			if collection, err = greed.FromRecords(vocab, records); err != nil {
				break
			}
			if len(c.Model) == 0 && !c.NoModel && dataset.Molecules(slices.Values(records)) {
				err = collection.AttachBundled(s.ctx)
			}
		}
	}
	if err != nil {
		return nil, "", err
	}
	for _, path := range c.Model {
		if err := collection.Attach(s.ctx, path); err != nil {
			return nil, "", err
		}
	}
	return collection, name, nil
}

// asked returns the options of a search, except for costs and filters.
func (c *searchFlags) asked(s *session) (greed.Options, error) {
	opt := greed.Options{Task: edit.GED, Mode: c.Mode, Radius: c.Radius, NoModel: c.NoModel, Time: time.Duration(c.TimeLimit), Workers: s.workers}
	ext := filepath.Ext(c.Output)
	opt.Explain = c.Explain || s.json || ext == ".json" || ext == ".ndjson"
	if c.Sed {
		opt.Task = edit.SED
	}
	switch {
	case c.K != nil && *c.K < 1:
		return opt, usageError(fmt.Sprintf("-k %d: want at least one answer", *c.K))
	case c.K != nil:
		opt.K = *c.K
	}
	if c.Radius != nil && !(*c.Radius >= 0) {
		return opt, usageError(fmt.Sprintf("--radius %v: want a distance of at least 0", *c.Radius))
	}
	if c.Mode == greed.Predicted && c.NoModel {
		return opt, usageError("--mode predicted asks a model, and --no-model forbids it")
	}
	return opt, nil
}

// searchAll searches for every graph of the query.
func (c *searchFlags) searchAll(s *session, collection *greed.Collection, name, query string, read *readFlags) error {
	opt, err := c.asked(s)
	if err != nil {
		return err
	}
	if opt.Costs, err = c.chosen(); err != nil {
		return err
	}
	if len(c.Model) > 0 && !c.NoModel && !slices.Contains(collection.Models(), opt.Task) {
		return fmt.Errorf("%s was not trained for %v: name a model that was (greed train --task %v makes one), or search without a model by --no-model",
			strings.Join(c.Model, ", "), opt.Task, opt.Task)
	}
	if opt.Keep, err = keep(s, collection.Listing(), name, c.Filter); err != nil {
		return err
	}
	if opt.Costs != nil {
		read.compare(*opt.Costs)
	} else {
		read.compare(collection.Costs(opt.Task))
	}
	if opt.Show, err = c.shown(collection, name); err != nil {
		return err
	}
	in := searched{name, collection.Len(), collection.Search, collection.Record}
	return c.searchIn(s, in, opt, query, read)
}

// searched is what is searched: a collection in memory, an index or a database.
type searched struct {
	name   string
	graphs int
	search func(context.Context, *greed.Graph, greed.Options) (*greed.Found, error)
	record func(position int) greed.Record // nil: answers alone are known
}

// searchIn searches for every graph of the query.
func (c *searchFlags) searchIn(s *session, in searched, opt greed.Options, query string, read *readFlags) error {
	queries, err := read.load(s, query, graph.NewVocabulary())
	if err != nil {
		return err
	}
	return c.answer(s, in, func(out answerWriter) error {
		for _, q := range queries {
			opt.Names = q.NodeIDs
			// If the search is interrupted, it prints what is known.
			found, interrupted := watched(s, in.search, q.Graph, opt)
			if found == nil {
				return fmt.Errorf("query %s: %w", q.ID, interrupted)
			}
			if err := out.write(q, found); err != nil {
				return err
			}
			if interrupted != nil {
				return interrupted
			}
		}
		return nil
	})
}

// shown returns the attributes to show. One that no graph has is an error.
func (c *searchFlags) shown(collection *greed.Collection, name string) ([]string, error) {
	for _, key := range c.Show {
		known := false
		for _, r := range collection.Listing() {
			if _, known = r.Attributes[key]; known {
				break
			}
		}
		if !known {
			there := slices.DeleteFunc(attributes(collection.Listing()), func(key string) bool { return key == "id" || key == "name" })
			return nil, fmt.Errorf("--show %s: no graph of %s has that attribute; there are: %s", key, name, strings.Join(there, ", "))
		}
	}
	return c.Show, nil
}
