package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// bare returns a service without collections and the context of a request to it.
func bare(t *testing.T, change func(*Options)) (*Server, context.Context) {
	t.Helper()
	opt := Defaults()
	change(&opt)
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return s, context.WithValue(t.Context(), traceKey{}, &trace{id: "id", client: "client", understood: func() {}})
}

// TestWorkThatDoesNotStop: its permit is free soon after the client has left, but
// only so many pieces of work run on like this as there are permits.
func TestWorkThatDoesNotStop(t *testing.T) {
	s, ctx := bare(t, func(o *Options) { o.Limits.Solver, o.Limits.SolverQueue = 1, 1 })
	release := make(chan struct{})
	stubborn := func() {
		ctx, cancel := context.WithCancel(ctx)
		started := make(chan struct{})
		go func() {
			<-started
			cancel()
		}()
		_, err := withPermit(ctx, s, func(context.Context) (int, error) {
			close(started)
			<-release
			return 1, nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("work that was left ended with %v", err)
		}
	}
	stubborn()
	if running, _ := s.solver.crowd(); running != 0 {
		t.Errorf("%d permits are taken", running)
	}
	stubborn()
	if running, _ := s.solver.crowd(); running != 1 {
		t.Errorf("%d permits are taken by work that runs on, want 1", running)
	}
	close(release)
	for occupied(s.solver) || s.stragglers.Load() > 0 { // until the permit is given back
		time.Sleep(time.Millisecond)
	}
}

// occupied reports whether a permit is taken.
func occupied(g *gate) bool {
	inside, _ := g.crowd()
	return inside > 0
}

// TestWorkThatPanics ends the request, not the service, and gives the permit back.
func TestWorkThatPanics(t *testing.T) {
	var log strings.Builder
	s, ctx := bare(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	_, err := withPermit(ctx, s, func(context.Context) (int, error) { panic("a bug") })
	if statusOf(explain(err)) != http.StatusInternalServerError {
		t.Errorf("a panic is answered as %v", err)
	}
	for occupied(s.solver) { // until it is given back
		time.Sleep(time.Millisecond)
	}
	if text := log.String(); !strings.Contains(text, "a bug") || !strings.Contains(text, "request=id") {
		t.Errorf("the log says %s", text)
	}
}

// TestReadingHasABudget: large queries are read one after another where the
// memory for reading allows no more; small ones do not wait.
func TestReadingHasABudget(t *testing.T) {
	s, ctx := bare(t, func(o *Options) { o.Limits.Reading, o.Limits.Plain = 1<<20, 2 })
	request := func(ctx context.Context, size int) *http.Request {
		return httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/parse", strings.NewReader(strings.Repeat(" ", size)))
	}
	leave, err := s.admit(request(ctx, 1<<20), s.plain)
	if err != nil {
		t.Fatal(err)
	}
	soon, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := s.admit(request(soon, 10_000), s.plain); statusOf(err) != http.StatusServiceUnavailable {
		t.Errorf("a second large request: %v", err)
	}
	small, err := s.admit(request(ctx, 1000), s.plain) // a permit is free: it does not wait
	if err != nil {
		t.Fatal(err)
	}
	small()
	leave()
	next, err := s.admit(request(ctx, 1<<20), s.plain)
	if err != nil {
		t.Fatal(err)
	}
	next()
	if running, _ := s.plain.crowd(); running != 0 {
		t.Errorf("%d permits are taken", running)
	}
}

// TestOneMoreForLightClients: a client of little use does not wait for what is inside, of others only one.
func TestOneMoreForLightClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2, 20)
		enters := func(client string) func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			leave, _ := g.enter(ctx, client)
			return leave
		}
		uses := func(client string, inside time.Duration) {
			leave := enters(client)
			time.Sleep(inside)
			leave()
		}
		uses("modest", 10*time.Millisecond)
		uses("frugal", 10*time.Millisecond)
		uses("middling", 45*time.Millisecond)
		greedy, other := enters("greedy"), enters("other")
		time.Sleep(50 * time.Millisecond)
		if enters("middling") != nil || enters("greedy") != nil {
			t.Error("a client that was not inside for much less time got a permit")
		}
		modest := enters("modest")
		if modest == nil {
			t.Fatal("a client of little use waits")
		}
		if enters("frugal") != nil || g.held != 3 {
			t.Errorf("%d are inside", g.held)
		}
		greedy() // what is free now is the permit for clients of little use
		if enters("middling") != nil {
			t.Error("the last permit went to a client that is not light")
		}
		time.Sleep(time.Second)
		modest()
		other()
		for i := range 2 {
			if enters("greedy") == nil {
				t.Errorf("permit %d is lost", i)
			}
		}
		if enters("greedy") != nil {
			t.Error("there is a permit too many")
		}
	})
}

// TestManyNewClients: clients that come at once do not all go before one that has asked for little all along, and one
// that is new beside others that ask for much is light.
func TestManyNewClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2, 20)
		enter := func(client string, inside time.Duration) {
			leave, err := g.enter(t.Context(), client)
			if err != nil {
				t.Error(err)
				return
			}
			time.Sleep(inside)
			leave()
		}
		for range 20 {
			enter("modest", 5*time.Millisecond)
			time.Sleep(50 * time.Millisecond)
		}
		var crowd sync.WaitGroup
		for i := range 8 {
			crowd.Go(func() {
				for range 20 {
					enter("crowd "+strconv.Itoa(i), 10*time.Millisecond)
				}
			})
		}
		time.Sleep(15 * time.Millisecond)
		for _, client := range []string{"modest", "modest", "modest", "new"} {
			begin := time.Now()
			enter(client, 5*time.Millisecond)
			if waited := time.Since(begin); waited > 35*time.Millisecond {
				t.Errorf("%s took %v", client, waited)
			}
			time.Sleep(50 * time.Millisecond)
		}
		crowd.Wait()
	})
}

// TestClientsTakeTurns: a client that asks for much delays another by what it is inside for, and the other is not
// refused.
func TestClientsTakeTurns(t *testing.T) { synctest.Test(t, takeTurns) }

func takeTurns(t *testing.T) {
	const share = 5
	g := newGate(1, 20)
	held, err := g.enterAs(t.Context(), "greedy", share) // the only permit
	if err != nil {
		t.Fatal(err)
	}
	turns := make(chan string, 20)
	waits := func(client string) {
		go func() {
			leave, err := g.enterAs(t.Context(), client, share)
			if err != nil {
				t.Errorf("%s: %v", client, err)
				turns <- "refused"
				return
			}
			turns <- client
			leave()
		}()
		synctest.Wait() // it stands in line
	}
	for range share - 1 {
		waits("greedy")
	}
	for range 50 {
		if _, err := g.enterAs(t.Context(), "greedy", share); err == nil || !strings.Contains(err.Error(), "of this client") {
			t.Fatalf("beyond its share a client gets %v", err)
		}
	}
	waits("modest")
	time.Sleep(100 * time.Millisecond) // greedy is inside
	held()
	for i, want := range []string{"modest", "greedy", "greedy", "greedy", "greedy"} {
		if got := <-turns; got != want {
			t.Errorf("turn %d is of %s, want %s", i, got, want)
		}
	}
	// What greedy used is forgotten, so that one who was inside since then waits for it.
	held, err = g.enterAs(t.Context(), "modest", share)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * forgetful)
	waits("modest")
	waits("greedy")
	held()
	for i, want := range []string{"greedy", "modest"} {
		if got := <-turns; got != want {
			t.Errorf("later, turn %d is of %s, want %s", i, got, want)
		}
	}
	// Who leaves the line takes no permit along.
	held, err = g.enter(t.Context(), "greedy")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := g.enter(ctx, "modest")
		left <- err
	}()
	synctest.Wait()
	cancel()
	if err := <-left; statusOf(err) != statusClientGone {
		t.Errorf("who left gets %v", err)
	}
	held()
	if inside, waiting := g.crowd(); inside != 0 || waiting != 0 {
		t.Errorf("%d are inside and %d wait", inside, waiting)
	}
}
