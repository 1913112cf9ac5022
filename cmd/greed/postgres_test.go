package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/greedgraph/greed/internal/pgtest"
)

// TestPostgres runs the command lines in testdata/postgres with a server.
func TestPostgres(t *testing.T) {
	server := pgtest.Start(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/postgres",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			bundle, err := filepath.Abs("../../bundle")
			env.Setenv("BUNDLE", bundle)
			env.Setenv("DB", server.URL())
			return err
		},
	})
}
