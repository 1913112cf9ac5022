package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/greedgraph/greed/pipe"
)

// pipeCommand serves one program that started this one.
type pipeCommand struct{}

// Help shows below the usage of the command.
func (pipeCommand) Help() string {
	return `
Answers framed requests on standard input with frames on standard output, until
standard input ends. It is what the Python package talks to; package pipe describes
the frames, and docs/formats.md does not: they may change in any release.
`
}

// Run serves. An interrupt is for the program on the other side, which cancels
// what it does not want any more.
func (pipeCommand) Run(s *session) error {
	signal.Ignore(os.Interrupt)
	return pipe.Serve(context.WithoutCancel(s.ctx), os.Stdin, os.Stdout, pipe.Options{Workers: s.workers})
}
