package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/greedgraph/greed/lab/bench"
)

// bars shows a bar for every run of a row, or for every stage of a training.
type bars struct {
	s    *session
	bar  *progressbar.ProgressBar // nil: none is shown
	row  string
	run  int
	done int
}

func (b *bars) step(p bench.Step) {
	if !b.s.progress {
		return
	}
	if b.bar == nil || p.Row != b.row || p.Run != b.run {
		b.finish()
		title := p.Row
		if p.Run > 1 {
			title = fmt.Sprintf("%s, run %d", p.Row, p.Run)
		}
		b.row, b.run, b.done = p.Row, p.Run, 0
		b.bar = progressbar.NewOptions(p.Total,
			progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(title), progressbar.OptionThrottle(200*time.Millisecond),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
	}
	_ = b.bar.Add(p.Done - b.done) // drawing may fail if nobody looks
	b.done = p.Done
}

// finish removes the bar.
func (b *bars) finish() {
	if b.bar != nil {
		_ = b.bar.Finish()
		b.bar = nil
	}
}
