package greed

import (
	"context"
	"errors"

	"github.com/greedgraph/greed/model"
)

// AttachModel makes searches for the model's task use the model, as
// [Collection.Attach] does with one in a file. It embeds the whole collection.
func (c *Collection) AttachModel(ctx context.Context, m *model.Model) error {
	if m == nil {
		return errors.New("attach: there is no model")
	}
	return c.live.Attach(ctx, m)
}
