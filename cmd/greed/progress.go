package main

import (
	"os"

	"github.com/greedgraph/greed/internal/progress"
)

// bar returns a progress bar for total items; -1 where the number is unknown. It is nil, and shows
// nothing, where nobody wants it.
func (s *session) bar(total int, what string) *progress.Bar {
	if !s.progress {
		return nil
	}
	return progress.New(os.Stderr, total, what, nil)
}
