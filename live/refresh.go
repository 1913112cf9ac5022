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
	return c.refresh(ctx, false)
}

// refresh is [Collection.Refresh]. If build is true, it builds vector indexes that are
// missing where it loads the collection anew.
func (c *Collection) refresh(ctx context.Context, build bool) (changed bool, err error) {
	if c.parts != nil {
		return c.refreshSeveral(ctx)
	}
	if c.path == "" {
		now := c.Acquire()
		defer now.Release()
		return false, now.Err()
	}
	loading, changed, err := c.refreshOr(ctx, build)
	if loading == nil {
		return changed, err
	}
	err = loading.wait(ctx)
	return err == nil, err
}

// refreshOr refreshes the collection or, where it must be loaded anew, returns that work.
func (c *Collection) refreshOr(ctx context.Context, build bool) (loading *reloading, changed bool, err error) {
	c.change.Lock()
	defer c.change.Unlock()
	if c.current == nil {
		return nil, false, errClosed
	}
	if !c.store.Is(c.path) {
		return nil, true, c.open()
	}
	now, _ := c.newest()
	defer now.Release()
	d, err := c.store.Since(ctx, now.known)
	switch {
	case errors.Is(err, store.ErrRewritten):
		return c.reload(build), false, nil
	case err != nil || d == nil:
		return nil, false, err
	}
	return nil, true, c.step(ctx, now, d)
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
	state, err := c.load(context.Background(), s, c.attached, false)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	old := c.store
	c.store = s
	c.publish(state, nil, nil)
	return old.Close()
}
