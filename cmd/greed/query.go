package main

import (
	"errors"
	"fmt"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/store"
)

// queryCommand searches an index.
type queryCommand struct {
	Index string `arg:"" help:"An index made by greed index build, or the address of a database that greed index export --to filled."`
	Query string `arg:"" optional:"" help:"What to look for: a file, - for standard input, or a SMILES. Not with --vector or --like."`

	Vector    string   `placeholder:"FILE" help:"Search by the vectors in a NumPy file instead, each row a query; needs no model."`
	Like      []string `sep:"none" placeholder:"ID" help:"Search by the vector of this graph of the index instead; may be repeated."`
	Embedding string   `placeholder:"NAME" help:"The embedding that --vector and --like compare, where there are several."`

	searchFlags
	readFlags
}

// Help shows below the usage of the command.
func (queryCommand) Help() string {
	return `
Searches an index as greed search searches a collection; greed search --help explains
the modes and the costs.

    greed query molecules.index "CC(=O)Oc1ccccc1C(=O)O"
    greed query molecules.index --sed -k 20 fragments.smi --json
    greed query molecules.index CCO --filter "price<10" --filter "stock exists"

With --vector or --like it compares vectors alone, from any program, by the norm of
their embedding. The graph that --like names is among its own answers.

    greed query z.index --vector queries.npy -k 5
    greed query molecules.index --like 17 --embedding ged --radius 2

A collection in PostgreSQL is searched in the same way (docs/scale.md):

    greed query postgres://localhost/chemistry "CC(=O)Oc1ccccc1C(=O)O"
`
}

func (c *queryCommand) Run(s *session) error {
	switch {
	case c.Vector != "" || len(c.Like) > 0:
		return c.byVector(s)
	case c.Embedding != "":
		return usageError("--embedding goes with --vector or --like")
	case c.Query == "":
		return usageError("name a query, or --vector or --like")
	}
	if greed.IsDatabase(c.Index) {
		return c.inDatabase(s)
	}
	collection, err := greed.OpenIndex(s.ctx, c.Index)
	if errors.Is(err, store.ErrKind) {
		return fmt.Errorf("%w: query it with --vector or --like", err)
	}
	if err != nil {
		return err
	}
	defer collection.Close()
	for _, path := range c.Model {
		if err := collection.Attach(s.ctx, path); err != nil {
			return err
		}
	}
	return c.searchAll(s, collection, c.Index, c.Query, &c.readFlags)
}
