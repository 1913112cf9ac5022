package postgres_test

import (
	"testing"

	"github.com/greedgraph/greed/postgres"
)

// TestShown: no password is shown, wherever the address has it.
func TestShown(t *testing.T) {
	for name, want := range map[string]string{
		"molecules.index":                                  "molecules.index",
		"postgres://me@host/chem?schema=a":                 "postgres://me@host/chem?schema=a",
		"postgres://me:secret@host/chem":                   "postgres://me:xxxxx@host/chem",
		"postgres://me@host/chem?password=secret&schema=a": "postgres://me@host/chem?password=xxxxx&schema=a",
	} {
		if got := postgres.Shown(name); got != want {
			t.Errorf("%s is shown as %s", name, got)
		}
	}
}
