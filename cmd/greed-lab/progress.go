package main

import (
	"fmt"
	"os"

	"github.com/greedgraph/greed/internal/progress"
	"github.com/greedgraph/greed/lab/bench"
)

// bars shows a bar for every run of a row, or for every stage of a training.
type bars struct {
	s    *session
	bar  *progress.Bar // nil: none is shown
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
		b.bar = progress.New(os.Stderr, p.Total, title, nil)
	}
	b.bar.Add(p.Done - b.done)
	b.done = p.Done
}

// finish removes the bar.
func (b *bars) finish() {
	b.bar.Finish()
	b.bar = nil
}
