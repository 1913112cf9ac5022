package live

import (
	"context"
	"errors"
	"maps"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/store"
)

// reloading is the loading of a collection that was rewritten: compacted, given a new segment or
// given another model. That takes long, so changes do not wait for it: they are
// acknowledged when they are on the disk. From then on readers wait, because the current
// state lacks such a change.
type reloading struct {
	over   chan struct{} // closed at the end
	failed error         // why; to be read after the end
	// tag is that of the last change that was acknowledged meanwhile; "": there was none.
	// Collection.mu guards it.
	tag string
}

// wait waits for the end and returns why it failed.
func (r *reloading) wait(ctx context.Context) error {
	select {
	case <-r.over:
		return r.failed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// reload starts to load what is on the disk, unless that goes on already. If build is
// true, vector indexes that are missing are built. c.change must be held.
func (c *Collection) reload(build bool) *reloading {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reloading != nil {
		return c.reloading
	}
	r, s := &reloading{over: make(chan struct{})}, c.store
	c.reloading = r
	go func() {
		defer close(r.over)
		for again := true; again; {
			again, r.failed = c.takeUp(c.maintenance.ctx, s, build)
		}
	}()
	return r
}

// takeUp loads what is on the disk and makes it the current state. It reports whether
// that must be done again because something changed meanwhile.
func (c *Collection) takeUp(ctx context.Context, s *store.Store, build bool) (again bool, err error) {
	c.change.Lock()
	attached := c.attached
	c.change.Unlock()
	state, err := c.load(ctx, s, attached, build)
	c.change.Lock()
	defer c.change.Unlock()
	if c.current == nil || c.store != s { // it was closed, or the path leads elsewhere
		if err == nil {
			err = state.Release()
		}
		c.endLoad(nil)
		return false, err
	}
	if err == nil {
		err = c.readAs(ctx, state)
		if err != nil {
			err = errors.Join(err, state.Release())
		}
	}
	if err == nil && !maps.Equal(attached, c.attached) {
		return true, state.Release()
	}
	if err == nil {
		state, err = c.catchUp(ctx, s, state)
	}
	switch {
	case errors.Is(err, store.ErrRewritten):
		return true, nil
	case err == nil:
		c.publish(state, nil, nil)
	}
	c.endLoad(err)
	return false, err
}

// readAs reads the vectors of a state that was loaded if those of the current one were read, so
// that searches go on as they did.
func (c *Collection) readAs(ctx context.Context, loaded *State) error {
	now, _ := c.newest()
	defer now.Release()
	return loaded.Read(func() error {
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			if now.Embedded(task) == nil {
				continue
			}
			if _, _, err := loaded.Vectors(ctx, task); err != nil {
				return err
			}
		}
		return nil
	})
}

// catchUp returns the state that has what changed since a state that was loaded, and
// releases that one.
func (c *Collection) catchUp(ctx context.Context, s *store.Store, loaded *State) (*State, error) {
	d, err := s.Since(ctx, loaded.known)
	if err != nil {
		return nil, errors.Join(err, loaded.Release())
	}
	if d == nil {
		return loaded, nil
	}
	next, err := c.after(ctx, loaded, d)
	return next, errors.Join(err, loaded.Release())
}

// endLoad ends the loading, which failed if err is not nil. c.change must be held.
func (c *Collection) endLoad(err error) {
	c.unread = err
	if err != nil {
		if now, missing := c.newest(); missing != "" {
			// No state has the acknowledged changes, so none may be read.
			next := now.like(now.Collection)
			next.lost, next.lostTag = err, missing
			c.publish(next, nil, nil)
			_ = now.Release()
		} else {
			_ = now.Release()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reloading = nil
}

// newest returns the current state with one more user, and the tag of the last change that was
// acknowledged and is missing in it; "": none is.
func (c *Collection) newest() (now *State, missing string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.behind() {
		missing = c.reloading.tag
	}
	return c.acquire(), missing
}

func (c *Collection) behind() bool { return c.reloading != nil && c.reloading.tag != "" }

// awaitCurrent waits until the current state has all changes that were acknowledged. c.mu
// must be held.
func (c *Collection) awaitCurrent() {
	for c.behind() {
		over := c.reloading.over
		c.mu.Unlock()
		<-over
		c.mu.Lock()
	}
}

// Tag is [State.Tag] of the state after the last change. It never waits.
func (c *Collection) Tag() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.behind() {
		return c.reloading.tag
	}
	s := c.acquire()
	defer s.Release()
	return s.Tag()
}
