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
	c.change.Lock()
	defer c.change.Unlock()
	now, _ := c.newest()
	defer now.Release()
	m := now.Model(task)
	if m == nil {
		return nil, fmt.Errorf("live: %w for %v to calibrate", search.ErrNoModel, task)
	}
	m = m.Calibrated(by)
	in := now.Collection.Clone()
	in.Exchange(m)
	if c.attached[task] != nil || c.store == nil {
		c.attached = maps.Clone(c.attached)
		c.attached[task] = m
	} else if err := c.store.Calibrate(ctx, m); err != nil {
		return nil, err
	}
	c.publish(now.like(in), nil, nil)
	return m, nil
}
