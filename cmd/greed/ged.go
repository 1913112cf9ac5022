package main

import "github.com/greedgraph/greed/edit"

type gedCommand struct{ distanceFlags }

// Help is printed below the usage of the command.
func (gedCommand) Help() string {
	return `
The graph edit distance is the least cost of edits (insert, delete or relabel a
node or an edge) that turn QUERY into TARGET. It is exact, unless --time-limit
or Ctrl-C cuts the search short; then you get proven bounds of it.

    greed ged CCO CCN
    greed ged --explain CCO CCN                    which edits?
    greed ged a.graphml b.graphml                  one graph each, any format
    greed ged queries.smi mols.smi --matrix        every query with every target
    greed ged old.txt new.txt --pairs              first with first, second with second
    greed ged CCO CCN --within 3                   yes or no, sooner than the distance
    greed ged CCO CCN --fix 0:1,2:-                pairs given in advance
    greed ged a.txt b.txt --matrix --format tsv --map --time-limit 1s
` + tsvHelp + costsHelp
}

// Run computes graph edit distances.
func (c *gedCommand) Run(s *session) error { return c.run(s, edit.GED) }
