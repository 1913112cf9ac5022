package main

import (
	"github.com/greedgraph/greed/store"
)

// indexSnapshot copies an index.
type indexSnapshot struct {
	Index string `arg:"" help:"The index."`
	Out   string `short:"o" required:"" placeholder:"DIR" help:"The folder to create."`
}

func (c *indexSnapshot) Run(s *session) error {
	err := withIndex(c.Index, func(st *store.Store) error { return st.CopyTo(s.ctx, c.Out) })
	if err != nil {
		return err
	}
	return s.answer(struct {
		Index    string `json:"index"`
		Snapshot string `json:"snapshot"`
	}{c.Index, c.Out}, "%s: a copy of %s\n", c.Out, c.Index)
}
