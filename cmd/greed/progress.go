package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// bar shows the progress of a command. The zero value shows nothing.
type bar struct{ *progressbar.ProgressBar }

// bar returns a progress bar for total items; -1 where the number is unknown.
func (s *session) bar(total int, what string) bar {
	if !s.progress {
		return bar{}
	}
	return bar{progressbar.NewOptions(total,
		progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(200*time.Millisecond),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
	)}
}

// add moves the bar. Drawing may fail if nobody looks.
func (b bar) add(n int) {
	if b.ProgressBar != nil {
		_ = b.Add(n)
	}
}

// finish removes the bar.
func (b bar) finish() {
	if b.ProgressBar != nil {
		_ = b.Finish()
	}
}
