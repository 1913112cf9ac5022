package live

import (
	"context"
	"fmt"
	"maps"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
)

// Calibrate gives the model for a task a calibration, also on the disk if the model is in an index, and returns it.
func (c *Collection) Calibrate(ctx context.Context, task edit.Task, by *model.Calibration) (*model.Model, error) {
	if c.parts != nil {
		return nil, c.errSeveral()
	}
	m, kept, err := c.calibrate(ctx, task, by)
	if err == nil && kept {
		_, err = c.Refresh(ctx)
	}
	return m, err
}

// calibrate is [Collection.Calibrate]. If the model is in an index, it is kept there alone.
func (c *Collection) calibrate(ctx context.Context, task edit.Task,
	by *model.Calibration) (m *model.Model, kept bool, err error) {
	c.change.Lock()
	defer c.change.Unlock()
	now, _ := c.newest()
	defer now.Release()
	if m = now.Model(task); m == nil {
		return nil, false, fmt.Errorf("live: %w for %v to calibrate", search.ErrNoModel, task)
	}
	m = m.Calibrated(by)
	if c.attached[task] == nil && c.store != nil {
		return m, true, c.store.Calibrate(ctx, m)
	}
	c.attached = maps.Clone(c.attached)
	c.attached[task] = m
	in := now.Collection.Clone()
	in.Exchange(m)
	next := now.like(in)
	if c.store == nil {
		next.Generation++
	}
	c.publish(next, nil, nil)
	return m, false, nil
}
