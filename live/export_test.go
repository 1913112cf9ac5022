package live

import (
	"context"
	"errors"

	"github.com/greedgraph/greed/store"
)

// EndsLoadOf takes up what was loaded from a store, which becomes the collection's own if that is true, and
// reports whether loading then goes on.
func (c *Collection) EndsLoadOf(ctx context.Context, s *store.Store, own bool) (loading bool, err error) {
	if own {
		c.store = s
	}
	c.mu.Lock()
	c.reloading = &reloading{over: make(chan struct{})}
	c.mu.Unlock()
	again, err := c.takeUp(ctx, s, false)
	c.mu.Lock()
	defer c.mu.Unlock()
	if own && c.current != nil {
		return true, errors.New("a closed collection has a state")
	}
	return again || c.reloading != nil, err
}
