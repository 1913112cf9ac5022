package main

import (
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
			env.Setenv("DB", server.URL())
			return setUp(env)
		},
	})
}
