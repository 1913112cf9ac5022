package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/greedgraph/greed/lab/testing/pgtest"
)

// TestPostgres runs the command lines in testdata/postgres with a server.
func TestPostgres(t *testing.T) {
	server := pgtest.Start(t)
	set := setUp(t)
	command.Scripts(t, "testdata/postgres", func(env *testscript.Env) error {
		env.Setenv("DB", server.URL())
		return set(env)
	})
}
