package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// searchCommand finds graphs in a collection.
type searchCommand struct {
	Query      string `arg:"" help:"What to look for: a file, - for standard input, or a SMILES."`
	Collection string `arg:"" optional:"" help:"Where to look: a file, a folder or an index; by default the molecules that come with the program."`

	searchFlags
	readFlags
}

// searchFlags say what is wanted.
type searchFlags struct {
	Sed       bool          `help:"Find graphs that contain the query, exactly or nearly, by subgraph edit distance."`
	K         int           `short:"k" default:"10" placeholder:"N" help:"How many answers (default 10)."`
	Radius    *float64      `placeholder:"X" help:"All answers within this distance instead of the nearest."`
	Explain   bool          `help:"Print the edits of every answer."`
	Check     bool          `default:"true" negatable:"" help:"Check predictions with the exact solver."`
	Certify   bool          `help:"Prove the answers: look at every graph that bounds do not exclude (give it time by --time-limit)."`
	TimeLimit time.Duration `default:"1s" placeholder:"TIME" help:"For the exact check, in all; 0: none (default 1s)."`
	Model     []string      `type:"existingfile" placeholder:"FILE" help:"Use this model, made by greed train; may be given twice, for ged and for sed."`
	Solver    bool          `help:"Use no model: bounds and the exact solver alone."`
	Filter    []string      `sep:"none" placeholder:"COND" help:"Search only graphs whose id, name or metadata fit: ATTR=VALUE, ATTR in A,B, ATTR>=X, ATTR<X, ATTR exists; of several all must hold."`

	Costs            string `placeholder:"NAME|FILE" help:"Edit costs: uniform, chem1 or a JSON file; by default the model's, or uniform. With a model they must be its own."`
	IgnoreEdgeLabels bool   `help:"Relabel edges for nothing."`
}

// chosen returns the costs that flags ask for, nil if none do.
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

// Help shows below the usage of the command.
func (searchCommand) Help() string {
	return `
Finds the graphs of a collection nearest to a query: candidates by a model's
vectors, then checked exactly. Without a collection it searches the 4,999
molecules that come with the program.

    greed search "CC(=O)Oc1ccccc1C(=O)O"
    greed search --sed --explain "c1ccc2[nH]ccc2c1"
    greed search --radius 3 query.mol molecules.sdf
    greed search query.txt graphs.txt --model ged.safetensors
    greed search --certify --time-limit 30s query.mol molecules.sdf
    greed search query.mol molecules.sdf --filter "weight<300" --filter "class in a,b"

Collections of SMILES are searched with the models that come with the program
unless --model names others. Where no model fits, provable lower bounds and the solver answer
alone; greed train makes a model. An answer between two numbers is one that the
time limit left open.
`
}

func (c *searchCommand) Run(s *session) error {
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
			collection = greed.FromRecords(vocab, records)
			if len(c.Model) == 0 && !c.Solver && molecules(records) {
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

// molecules tells whether all records are molecules, which the bundled models
// are for.
func molecules(records []dataset.Record) bool {
	for i := range records {
		if records[i].SMILES == "" {
			return false
		}
	}
	return true
}

// searchAll searches for every graph of the query.
func (c *searchFlags) searchAll(s *session, collection *greed.Collection, name, query string, read *readFlags) error {
	if c.K < 1 {
		return usageError(fmt.Sprintf("-k %d: want at least one answer", c.K))
	}
	if c.Certify && !c.Check {
		return usageError("--certify and --no-check exclude each other")
	}
	opt := greed.Options{
		Task: edit.GED, K: c.K, Unchecked: !c.Check, Certify: c.Certify, Solver: c.Solver, Time: c.TimeLimit, Workers: s.workers,
	}
	if c.Sed {
		opt.Task = edit.SED
	}
	if c.Radius != nil {
		if opt.K, opt.Radius = 0, *c.Radius; math.IsNaN(opt.Radius) || opt.Radius < 0 {
			return usageError(fmt.Sprintf("--radius %v: want a distance of at least 0", opt.Radius))
		}
	}
	var err error
	if opt.Costs, err = c.chosen(); err != nil {
		return err
	}
	if len(c.Model) > 0 && !c.Solver && !slices.Contains(collection.Models(), opt.Task) {
		return fmt.Errorf("%s was not trained for %v: name a model that was (greed train --task %v makes one), or search without a model by --solver",
			strings.Join(c.Model, ", "), opt.Task, opt.Task)
	}
	if opt.Keep, err = keep(s, collection.Listing(), name, c.Filter); err != nil {
		return err
	}
	queries, err := read.load(s, query, collection.Vocabulary())
	if err != nil {
		return err
	}
	for _, q := range queries {
		found, err := collection.Search(s.ctx, q.Graph, opt)
		if err != nil {
			return fmt.Errorf("query %s: %w", q.ID, err)
		}
		if s.json {
			err = s.out.printJSON(foundJSON{q.ID, q.SMILES, name, collection.Len(), found})
		} else {
			err = printFound(s, collection, name, q, opt, found, c.Explain)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// foundJSON is the JSON form of a search from the command line.
type foundJSON struct {
	Query      string `json:"query"`
	SMILES     string `json:"smiles,omitempty"`
	Collection string `json:"collection"`
	Graphs     int    `json:"graphs"`
	*greed.Found
}
