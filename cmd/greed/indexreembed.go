package main

import (
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/store"
)

// indexReembed gives an index another model.
type indexReembed struct {
	Index string `arg:"" help:"The index."`
	Model string `arg:"" type:"existingfile" help:"A model made by greed train."`
	Name  string `placeholder:"NAME" help:"Name of the new embedding (default: the task and the start of the model's fingerprint)."`
	Keep  bool   `help:"Keep the old embedding too, for exports."`
}

func (c *indexReembed) Run(s *session) error {
	m, err := model.LoadIndexable(c.Model)
	if err != nil {
		return err
	}
	task := m.Metadata().Task
	if c.Name == "" {
		c.Name = fmt.Sprintf("%v-%.8s", task, m.Fingerprint())
	}
	shown := s.bar(-1, "graphs")
	defer shown.Finish()
	err = withIndex(c.Index, func(st *store.Store) error {
		err := st.Reembed(s.ctx, c.Name, m, c.Keep, s.workers, func(done, _ int) { shown.Reach(done) })
		if err != nil {
			return err
		}
		return st.WriteSegmentIfDue(s.ctx, s.workers, true)
	})
	if err != nil {
		return err
	}
	return s.answer(struct {
		Index     string    `json:"index"`
		Embedding string    `json:"embedding"`
		Task      edit.Task `json:"task"`
		Model     string    `json:"model"`
	}{c.Index, c.Name, task, m.Fingerprint()}, "%s: embedding %s now serves %v\n", c.Index, c.Name, task)
}
