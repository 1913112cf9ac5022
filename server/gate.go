package server

import (
	"context"
	"math"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// gate lets a fixed number in at a time, and lets a fixed number wait. It refuses others at once, so that no one
// waits without end. Of those that wait the next is of the client that was inside for the least time of late, so
// that one who asks for little waits for what is inside, but not for others' queues.
type gate struct {
	permits, queue int
	refused        atomic.Int64

	mu      sync.Mutex
	inside  int
	waiters []*waiter // in the order of their coming
	used    map[string]use
	most    int // entries of used before those of little use are forgotten
	shares  map[string]int
}

type waiter struct {
	client string
	let    chan struct{} // closed when it is let in
}

// use is for how long a client was inside, at a time. Half of it is forgotten in every [forgetful].
type use struct {
	time time.Duration
	at   time.Time
}

const (
	forgetful = time.Second
	// mostUsers is how many clients are remembered in any case.
	mostUsers = 1024
)

func (u use) after(now time.Time) time.Duration {
	return time.Duration(float64(u.time) * math.Exp2(-float64(now.Sub(u.at))/float64(forgetful)))
}

func newGate(permits, queue int) *gate {
	return &gate{permits: permits, queue: queue, used: make(map[string]use), most: mostUsers, shares: make(map[string]int)}
}

// enter waits for a permit for a client, which leave gives back.
func (g *gate) enter(ctx context.Context, client string) (leave func(), err error) {
	g.mu.Lock()
	if g.inside < g.permits {
		g.inside++
		g.mu.Unlock()
		return g.leaver(client), nil
	}
	if len(g.waiters) >= g.queue {
		g.mu.Unlock()
		g.refused.Add(1)
		return nil, errFull()
	}
	w := &waiter{client, make(chan struct{})}
	g.waiters = append(g.waiters, w)
	g.mu.Unlock()
	select {
	case <-w.let:
		return g.leaver(client), nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	i := slices.Index(g.waiters, w)
	if i >= 0 {
		g.waiters = slices.Delete(g.waiters, i, i+1)
	}
	g.mu.Unlock()
	if i < 0 { // it was let in meanwhile
		g.leave(client, 0)
	}
	return nil, explain(context.Cause(ctx))
}

// leaver returns what gives back a permit of a client that is let in now.
func (g *gate) leaver(client string) func() {
	begin := time.Now()
	return func() { g.leave(client, time.Since(begin)) }
}

// leave gives a permit to who waits, or back.
func (g *gate) leave(client string, inside time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	g.used[client] = use{g.used[client].after(now) + inside, now}
	if len(g.used) > g.most {
		for name, u := range g.used {
			if u.after(now) < time.Millisecond {
				delete(g.used, name)
			}
		}
		g.most = max(mostUsers, 2*len(g.used)) // so that looking for them costs each client little
	}
	if len(g.waiters) == 0 {
		g.inside--
		return
	}
	next, least := 0, time.Duration(math.MaxInt64)
	for i, w := range g.waiters {
		if used := g.used[w.client].after(now); used < least {
			next, least = i, used
		}
	}
	close(g.waiters[next].let)
	g.waiters = slices.Delete(g.waiters, next, next+1)
}

// crowd returns how many are inside, and how many wait.
func (g *gate) crowd() (inside, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.inside, len(g.waiters)
}

// crowded reports whether a request would find no room to wait.
func (g *gate) crowded() bool {
	inside, waiting := g.crowd()
	return waiting >= g.queue && inside >= g.permits
}

// enterAs is enter for a client that may hold, or wait for, at most share permits.
func (g *gate) enterAs(ctx context.Context, client string, share int) (leave func(), err error) {
	g.mu.Lock()
	if g.shares[client] >= share {
		g.mu.Unlock()
		g.refused.Add(1)
		return nil, later(problem(http.StatusTooManyRequests, "%d requests of this client are in progress; wait for one of "+
			"them to finish", share))
	}
	g.shares[client]++
	g.mu.Unlock()
	back := func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.shares[client]--; g.shares[client] == 0 {
			delete(g.shares, client)
		}
	}
	out, err := g.enter(ctx, client)
	if err != nil {
		back()
		return nil, err
	}
	return func() { out(); back() }, nil
}
