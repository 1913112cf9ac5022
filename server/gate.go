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
// that one who asks for little does not wait for others' queues. One more permit is only for clients that were
// inside for much less time than all others that are here, so that they need not wait for what is inside either.
type gate struct {
	permits, queue int
	refused        atomic.Int64

	mu      sync.Mutex
	inside  map[string]stay
	held    int       // permits that clients have
	waiters []*waiter // in the order of their coming
	used    map[string]use
	most    int // entries of used before those of little use are forgotten
	shares  map[string]int
}

type waiter struct {
	client string
	let    chan struct{} // closed when it is let in
}

// stay is how many permits a client has, and since when it has any.
type stay struct {
	permits int
	since   time.Time
}

// use is for how long a client was inside, at a time. Half of it is forgotten in every [forgetful].
type use struct {
	time time.Duration
	at   time.Time
}

const (
	forgetful = time.Second
	// lightness is how many times less than others a client was inside for which there is one more permit. It is
	// little, as what is short takes longer beside others, and who asks for a fifth may be inside for half as long.
	lightness = 1.25
	// mostStart is for how long a new client counts as having been inside at most.
	mostStart = 100 * time.Millisecond
	// mostUsers is how many clients are remembered in any case.
	mostUsers = 1024
)

func (u use) after(now time.Time) time.Duration {
	return time.Duration(float64(u.time) * math.Exp2(-float64(now.Sub(u.at))/float64(forgetful)))
}

func newGate(permits, queue int) *gate {
	return &gate{permits: permits, queue: queue, inside: make(map[string]stay), used: make(map[string]use),
		most: mostUsers, shares: make(map[string]int)}
}

// enter waits for a permit for a client, which leave gives back.
func (g *gate) enter(ctx context.Context, client string) (leave func(), err error) {
	g.mu.Lock()
	now := time.Now()
	g.meet(client, now)
	if g.admits(client, now) {
		g.take(client, now)
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

// meet lets a client that was not here of late begin with what those who were have at least: many who come at once
// would else go before one who has asked for little all along.
func (g *gate) meet(client string, now time.Time) {
	if _, here := g.inside[client]; here || g.used[client].after(now) >= time.Millisecond {
		return
	}
	least := time.Duration(math.MaxInt64)
	for _, u := range g.used {
		if used := u.after(now); used >= time.Millisecond {
			least = min(least, used)
		}
	}
	if least < math.MaxInt64 {
		g.used[client] = use{min(least, mostStart), now}
	}
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
	g.held--
	if s := g.inside[client]; s.permits > 1 {
		g.inside[client] = stay{s.permits - 1, s.since}
	} else {
		delete(g.inside, client)
	}
	for len(g.waiters) > 0 {
		next, least := 0, time.Duration(math.MaxInt64)
		for i, w := range g.waiters {
			if used := g.used[w.client].after(now); used < least {
				next, least = i, used
			}
		}
		w := g.waiters[next]
		if !g.admits(w.client, now) {
			return
		}
		g.take(w.client, now)
		close(w.let)
		g.waiters = slices.Delete(g.waiters, next, next+1)
	}
}

// admits reports whether there is a permit for a client.
func (g *gate) admits(client string, now time.Time) bool {
	if g.held != g.permits {
		return g.held < g.permits
	}
	used := time.Duration(lightness * float64(g.used[client].after(now)))
	for other, s := range g.inside {
		if other == client || g.used[other].after(now)+now.Sub(s.since) <= used {
			return false
		}
	}
	return true
}

// take gives a permit to a client.
func (g *gate) take(client string, now time.Time) {
	g.held++
	s := g.inside[client]
	if s.permits++; s.permits == 1 {
		s.since = now
	}
	g.inside[client] = s
}

// crowd returns how many are inside, and how many wait.
func (g *gate) crowd() (inside, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.held, len(g.waiters)
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
		return nil, later(problem(http.StatusTooManyRequests,
			"%d requests of this client are in progress; wait for one of "+
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
