package main

import (
	"os"

	"github.com/greedgraph/greed/internal/progress"
)

// bar shows the progress of a command. The zero value shows nothing.
type bar struct{ *progress.Bar }

// bar returns a progress bar for total items; -1 where the number is unknown.
func (s *session) bar(total int, what string) bar {
	if !s.progress {
		return bar{}
	}
	return bar{progress.New(os.Stderr, total, what, nil)}
}

func (b bar) add(n int) { b.Add(n) }

func (b bar) finish() { b.Finish() }
