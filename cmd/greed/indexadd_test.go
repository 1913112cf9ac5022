package main

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestStoredThoughUpkeepFails: what is due after graphs were stored may fail, as on a full disk. It is told, and
// is no failure of the command.
func TestStoredThoughUpkeepFails(t *testing.T) {
	s := &session{ctx: t.Context(), workers: 1, holds: true}
	c := &indexAdd{Index: "a.index"}
	c.keepUp(s, func(context.Context, int) error { return errors.New("no space left on device") })
	if len(s.held) != 1 || !strings.HasPrefix(s.held[0], "the graphs are stored, but a.index") {
		t.Errorf("said %q", s.held)
	}
	c.keepUp(s, func(context.Context, int) error { return nil })
	if len(s.held) != 1 {
		t.Errorf("said %q where nothing failed", s.held)
	}
}
