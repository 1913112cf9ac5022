package main

import "github.com/greedgraph/greed/edit"

type gedCommand struct{ distanceFlags }

// Run computes graph edit distances.
func (c *gedCommand) Run(s *session) error { return c.run(s, edit.GED) }
