package main

import (
	greed "github.com/greedgraph/greed"
)

// queryCommand searches an index.
type queryCommand struct {
	Index string `arg:"" type:"existingdir" help:"An index made by greed index build."`
	Query string `arg:"" help:"What to look for: a file, - for standard input, or a SMILES."`

	searchFlags
	readFlags
}

// Help shows below the usage of the command.
func (queryCommand) Help() string {
	return `
Searches an index as greed search searches a collection.

    greed query molecules.index "CC(=O)Oc1ccccc1C(=O)O"
    greed query molecules.index --sed -k 20 fragments.smi --json
    greed query molecules.index CCO --filter "price<10" --filter "stock exists"
`
}

func (c *queryCommand) Run(s *session) error {
	collection, err := greed.OpenIndex(s.ctx, c.Index)
	if err != nil {
		return err
	}
	for _, path := range c.Model {
		if err := collection.Attach(s.ctx, path); err != nil {
			return err
		}
	}
	return c.searchAll(s, collection, c.Index, c.Query, &c.readFlags)
}
