package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/greedgraph/greed/pipe"
)

// pipeCommand serves one program that started this one, by frames that package pipe describes.
type pipeCommand struct{}

// Run serves. An interrupt is for the program on the other side, which cancels
// what it does not want any more.
func (pipeCommand) Run(s *session) error {
	signal.Ignore(os.Interrupt)
	return pipe.Serve(context.WithoutCancel(s.ctx), os.Stdin, os.Stdout, pipe.Options{Workers: s.workers})
}
