package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/internal/progress"
	"github.com/greedgraph/greed/operation"
)

// withProgress searches and shows the progress on standard error, if that is wanted and the
// search takes more than a moment.
func withProgress(s *session, plan *operation.Planned, in *operation.Inputs) (*greed.Found, error) {
	if !s.progress {
		return carryOut[greed.Found](s.ctx, plan, in)
	}
	var mu sync.Mutex
	var latest greed.Progress
	in.Searching = func(p greed.Progress) {
		mu.Lock()
		defer mu.Unlock()
		latest = p
	}
	done := s.stage(func() string {
		mu.Lock()
		defer mu.Unlock()
		if latest.Candidates == 0 {
			return "searching"
		}
		return fmt.Sprintf("%s of %s checked", grouped(latest.Solved, "pair"), grouped(latest.Candidates, "candidate"))
	})
	defer done()
	return carryOut[greed.Found](s.ctx, plan, in)
}

// A stage that takes longer than this shows its progress, and updates it as often.
const (
	stageAfter = 500 * time.Millisecond
	stageEvery = 200 * time.Millisecond
)

// stage shows on standard error, if progress is wanted, what a command is doing and for
// how long, until done is called.
func (s *session) stage(what func() string) (done func()) {
	if !s.progress {
		return func() {}
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(ended)
		wait := time.NewTimer(stageAfter)
		defer wait.Stop()
		shown := false
		for {
			select {
			case <-wait.C:
				line := fmt.Sprintf("%s, %.0f s", what(), time.Since(begin).Seconds())
				fmt.Fprint(os.Stderr, "\r\x1b[K"+progress.Within(widthOf(os.Stderr), line))
				shown = true
				wait.Reset(stageEvery)
			case <-quit:
				if shown {
					fmt.Fprint(os.Stderr, "\r\x1b[K")
				}
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}

// bar returns a progress bar for total items; -1 where the number is unknown. It is nil, and shows
// nothing, where nobody wants it.
func (s *session) bar(total int, what string) *progress.Bar {
	if !s.progress {
		return nil
	}
	bar := progress.New(os.Stderr, total, what, nil)
	bar.Columns = widthOf(os.Stderr)
	return bar
}
