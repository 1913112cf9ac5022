package live

import (
	"context"
	"errors"

	"github.com/greedgraph/greed/store"
)

// Refresh takes up what other processes have written, and follows path if it leads to
// another folder. It reports whether anything is new, and is cheap if nothing is.
// Meanwhile, searches go on with the old state.
func (c *Collection) Refresh(ctx context.Context) (changed bool, err error) {
	if c.path == "" {
		return false, nil
	}
	c.change.Lock()
	defer c.change.Unlock()
	if c.current == nil {
		return false, errClosed
	}
	if !c.store.Is(c.path) {
		return true, c.open()
	}
	now := c.Acquire()
	defer now.Release()
	d, err := c.store.Since(ctx, now.known)
	switch {
	case errors.Is(err, store.ErrAnew):
		return true, c.reload(ctx)
	case err != nil || d == nil:
		return false, err
	}
	return true, c.step(ctx, now, d)
}

// open opens the folder that path leads to if it is another one.
func (c *Collection) open() error {
	if c.current == nil {
		return errClosed
	}
	if c.store.Is(c.path) {
		return nil
	}
	s, err := store.Open(c.path, store.Options{})
	if err != nil {
		return err
	}
	state, err := c.load(context.Background(), s, false)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	old := c.store
	c.store = s
	c.publish(state, nil, nil)
	return old.Close()
}

// reload makes what is on the disk the current state.
func (c *Collection) reload(ctx context.Context) error {
	state, err := c.load(ctx, c.store, false)
	if err != nil {
		return err
	}
	c.publish(state, nil, nil)
	return nil
}
