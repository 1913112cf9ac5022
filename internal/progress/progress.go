// Package progress shows the progress of a command as a line of the terminal that changes.
package progress

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Bar is the line of one piece of work. It may be used concurrently. A nil Bar shows
// nothing.
type Bar struct {
	Columns int // of the terminal, to be set before the first drawing; 0: as many as are needed

	w     io.Writer
	what  string
	total int // negative if it is not known
	now   func() time.Time

	mu           sync.Mutex
	done         int
	begun, drawn time.Time
	width        int // of what stands in the line
}

// often is the least time between two drawings.
const often = 200 * time.Millisecond

// New returns the bar of total items, or of an unknown number if total is negative. It is
// drawn when items are done. now is the clock, nil for [time.Now].
func New(w io.Writer, total int, what string, now func() time.Time) *Bar {
	if now == nil {
		now = time.Now
	}
	return &Bar{w: w, what: what, total: total, now: now, begun: now()}
}

// Add says that n more items are done.
func (b *Bar) Add(n int) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += n
	now := b.now()
	if now.Sub(b.drawn) < often {
		return
	}
	b.drawn = now
	b.draw(b.line(now.Sub(b.begun)))
}

// Reach says that so many items are done in all.
func (b *Bar) Reach(done int) {
	if b == nil {
		return
	}
	b.mu.Lock()
	more := done - b.done
	b.mu.Unlock()
	b.Add(more)
}

// Finish removes the line.
func (b *Bar) Finish() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.width > 0 {
		b.draw("")
		_, _ = io.WriteString(b.w, "\r")
	}
}

// draw replaces what stands in the line. It may fail if nobody looks.
func (b *Bar) draw(line string) {
	line = Within(b.Columns, line)
	width := utf8.RuneCountInString(line)
	_, _ = io.WriteString(b.w, "\r"+line+strings.Repeat(" ", max(0, b.width-width)))
	b.width = width
}

// Within returns as much of a line as a terminal of that width can replace: what is longer goes on in the next line. Of
// width 0 it is all.
func Within(width int, line string) string {
	if runes := []rune(line); width > 0 && len(runes) >= width {
		return string(runes[:width-1])
	}
	return line
}

func (b *Bar) line(took time.Duration) string {
	line := fmt.Sprintf("%s: %d", b.what, b.done)
	if b.total >= 0 {
		line += fmt.Sprintf(" of %d", b.total)
	}
	if b.total > 0 {
		line += fmt.Sprintf(", %d %%", int(100*float64(b.done)/float64(b.total)))
	}
	rate := float64(b.done) / took.Seconds()
	if !(rate > 0) || math.IsInf(rate, 0) {
		return line
	}
	format := ", %.3g a second"
	if rate >= 100 {
		format = ", %.0f a second"
	}
	line += fmt.Sprintf(format, rate)
	if b.done < b.total {
		left := time.Duration(float64(b.total-b.done) / rate * float64(time.Second))
		line += fmt.Sprintf(", about %v left", max(time.Second, left.Round(time.Second)))
	}
	return line
}
