package gedtest

import (
	"sync"
	"testing"
	"time"

	"github.com/greedgraph/greed/lab/testing/processor"
)

// Late returns the processor time that work uses after limit has passed, 0 if it ends before
// that. So a machine that has other things to do makes nothing late. Work that uses more
// than allowed runs up to three times, and the least counts: what the system charges to a
// process now and then does not come again, and work that overruns its limit does. The
// process must not do other work meanwhile. Where the system does not tell processor time,
// Late skips the test.
func Late(t *testing.T, limit, allowed time.Duration, work func()) time.Duration {
	t.Helper()
	if processor.Time() == 0 {
		t.Skip("processor time is unknown on this system")
	}
	late := beyond(limit, work)
	for again := 0; again < 2 && late > allowed; again++ {
		late = min(late, beyond(limit, work))
	}
	return late
}

// beyond returns the processor time that work uses after limit has passed.
func beyond(limit time.Duration, work func()) time.Duration {
	var mu sync.Mutex
	at := time.Duration(-1) // what was used when the limit passed
	timer := time.AfterFunc(limit, func() {
		mu.Lock()
		defer mu.Unlock()
		at = processor.Time()
	})
	work()
	end := processor.Time()
	timer.Stop()
	mu.Lock()
	defer mu.Unlock()
	if at < 0 {
		return 0
	}
	return max(0, end-at)
}
