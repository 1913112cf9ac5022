package main

import "github.com/greedgraph/greed/edit"

type sedCommand struct{ distanceFlags }

// Help is printed below the usage of the command.
func (sedCommand) Help() string {
	return `
The subgraph edit distance is the least cost of edits (delete or relabel a node
or an edge) that turn QUERY into a part of TARGET: 0 where TARGET contains QUERY.
It is exact, unless --time-limit or Ctrl-C cuts the search short; then you get
proven bounds of it. In a SMILES query, * stands for any atom and ~ for any bond.
To find what two graphs have in common, use "greed mcs".

    greed sed c1ccccc1 CC(=O)Oc1ccccc1C(=O)O       is there a benzene ring?
    greed sed --explain "C(=O)N" CCO               what is missing?
    greed sed fragments.smi mols.smi --matrix      every query with every target
    greed sed f.txt g.txt --pairs --format tsv     first with first, second with second
` + tsvHelp + costsHelp
}

// Run computes subgraph edit distances.
func (c *sedCommand) Run(s *session) error { return c.run(s, edit.SED) }
