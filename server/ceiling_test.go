package server

import (
	"strings"
	"testing"
)

// TestCeiling: the parts of what requests may hold together are within the whole, and a
// request fits into the parts.
func TestCeiling(t *testing.T) {
	l := DefaultLimits()
	if got, want := l.Total(), int64(1536+512*l.Solver)<<20; got != want {
		t.Errorf("the total is %d MiB, docs/service.md says %d", got>>20, want>>20)
	}
	for _, total := range []int64{400 << 20, 600 << 20, 1 << 30, l.Total(), 64 << 30} {
		w, err := l.Within(total)
		if err != nil {
			t.Errorf("%d MiB: %v", total>>20, err)
			continue
		}
		if got := w.Total(); got > total || got < total-1<<20 {
			t.Errorf("%d MiB were divided into %d", total>>20, got>>20)
		}
		if w.Body > w.Bodies || w.BatchBody > w.Bodies || readingCost*w.Body > w.Reading || w.Memory < leastMemory {
			t.Errorf("%d MiB: %+v does not fit", total>>20, w)
		}
		if total == l.Total() && w != l {
			t.Errorf("the default total changes the limits: %+v", w)
		}
	}
	if _, err := l.Within(300 << 20); err == nil || !strings.Contains(err.Error(), "MiB are needed") {
		t.Errorf("300 MiB: %v", err)
	}
}
