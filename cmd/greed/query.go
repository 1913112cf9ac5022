package main

// queryCommand is what greed search was called for an index.
type queryCommand struct {
	Index string `arg:"" help:"An index made by greed index build, or the address of a database that greed index export --to filled."`
	Query string `arg:"" optional:"" help:"What to look for: a file, - for standard input, or a SMILES. Not with --smarts, --vector or --like."`

	searchFlags
	readFlags
}

// Help shows below the usage of the command.
func (queryCommand) Help() string {
	return `
greed query INDEX QUERY is now greed search QUERY INDEX, and does the same.
`
}

func (c *queryCommand) Run(s *session) error {
	if c.Query == "" && c.SMARTS == "" && c.Vector == "" && len(c.Like) == 0 {
		return usageError("name a query, or --smarts, --vector or --like")
	}
	if c.Query == "" {
		s.note("greed query is now greed search INDEX")
		return (&searchCommand{Query: c.Index, searchFlags: c.searchFlags, readFlags: c.readFlags}).Run(s)
	}
	s.note("greed query INDEX QUERY is now greed search QUERY INDEX")
	return (&searchCommand{Query: c.Query, Collection: c.Index, searchFlags: c.searchFlags, readFlags: c.readFlags}).Run(s)
}
