package live

import (
	"context"
	"errors"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/store"
)

// Save writes the collection, its models and their embeddings to a new folder, which
// appears whole or not at all. An id that occurs twice is an error, a
// [*store.DuplicateError].
func (c *Collection) Save(path string) error {
	now := c.Acquire()
	err := store.Build(path, func(s *store.Store) error {
		if err := now.Read(func() error { return fill(s, now, c.Blocks) }); err != nil {
			return err
		}
		return s.WriteSegment(context.Background(), 0)
	})
	return errors.Join(err, now.Release())
}

// saveAtOnce is how many records Save puts in one transaction, whose time grows
// quadratically.
const saveAtOnce = 10_000

// fill writes a collection to an empty store.
func fill(s *store.Store, now *State, blocks func(context.Context, []Record) error) error {
	ctx := context.Background()
	if now.Rules != nil {
		if err := s.SetRules(ctx, *now.Rules); err != nil {
			return err
		}
	}
	var tasks []edit.Task
	vectors := make(map[edit.Task]func(position int) []float32)
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		if m := now.Model(task); m != nil {
			if err := s.AddEmbedding(ctx, task.String(), m); err != nil {
				return err
			}
			row, _, err := now.Vectors(ctx, task)
			if err != nil {
				return err
			}
			tasks = append(tasks, task)
			vectors[task] = row
		}
	}
	var records []Record
	rows := make(map[string][]float32)
	put := func() error {
		if err := blocks(ctx, records); err != nil {
			return err
		}
		err := s.PutNew(ctx, records, rows)
		records = records[:0]
		for name := range rows {
			rows[name] = rows[name][:0]
		}
		return err
	}
	for p := range now.Live() {
		records = append(records, now.Record(p))
		for _, task := range tasks {
			rows[task.String()] = append(rows[task.String()], vectors[task](p)...)
		}
		if len(records) == saveAtOnce {
			if err := put(); err != nil {
				return err
			}
		}
	}
	return put()
}
