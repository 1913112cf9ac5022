package live

import (
	"context"

	"github.com/greedgraph/greed/store"
)

// EndsLoadOf takes up what was loaded from a store that may no longer be the collection's, and reports
// whether loading then goes on.
func (c *Collection) EndsLoadOf(ctx context.Context, s *store.Store) (loading bool, err error) {
	c.mu.Lock()
	c.reloading = &reloading{over: make(chan struct{})}
	c.mu.Unlock()
	again, err := c.takeUp(ctx, s, false)
	c.mu.Lock()
	defer c.mu.Unlock()
	return again || c.reloading != nil, err
}
