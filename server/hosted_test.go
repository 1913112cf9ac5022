package server

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestKept: what is made of a collection is made once until that changes. A change while it is
// made does not wait, and what was made of the state before is not given again; what failed is
// made again.
func TestKept(t *testing.T) {
	ctx := context.WithValue(t.Context(), traceKey{}, &trace{understood: func() {}})
	s := &hosted{}
	var k cached[int]
	made := 0
	get := func(during func() error) int {
		v, _ := k.get(ctx, s, func() (*int, error) {
			made++
			n := made
			return &n, during()
		})
		return *v
	}
	nothing := func() error { return nil }
	for i, step := range []struct {
		during func() error
		want   int
	}{
		{func() error { s.generation.Add(1); return nil }, 1}, // of the state before
		{nothing, 2},
		{nothing, 2},
		{nothing, 2},
	} {
		if got := get(step.during); got != step.want {
			t.Errorf("step %d: value %d, want %d", i, got, step.want)
		}
	}
	s.generation.Add(1)
	get(func() error { return errors.New("not now") })
	if got := get(nothing); got != 4 {
		t.Errorf("after a failure value %d", got)
	}
}

// TestRefreshPause checks that many collections that nobody changes take little time, and are looked at all the same.
func TestRefreshPause(t *testing.T) {
	const every = 20 * time.Millisecond
	for took, want := range map[time.Duration]time.Duration{0: every, time.Millisecond: every, 10 * time.Millisecond: 190 * time.Millisecond, time.Minute: time.Second} {
		if pause := refreshPause(every, took); pause != want {
			t.Errorf("after %v: %v, want %v", took, pause, want)
		}
	}
}
