package main

import "github.com/greedgraph/greed/edit"

type sedCommand struct{ distanceFlags }

// Run computes subgraph edit distances.
func (c *sedCommand) Run(s *session) error { return c.run(s, edit.SED) }
