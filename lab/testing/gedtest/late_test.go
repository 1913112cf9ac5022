package gedtest

import (
	"testing"
	"time"

	"github.com/greedgraph/greed/lab/testing/processor"
)

// TestLate: work that goes on is late, work that waits or ends in time is not.
func TestLate(t *testing.T) {
	if processor.Time() == 0 {
		t.Skip("processor time is unknown on this system")
	}
	burn := func() {
		time.Sleep(20 * time.Millisecond) // the limit passes before the work, on a busy machine too
		begin := processor.Time()
		for now := begin; now-begin < 60*time.Millisecond; now = processor.Time() {
		}
	}
	if late := Late(t, time.Millisecond, 20*time.Millisecond, burn); late < 20*time.Millisecond {
		t.Errorf("60 ms of work are %v late after 1 ms", late)
	}
	if late := Late(t, time.Millisecond, 20*time.Millisecond, func() { time.Sleep(60 * time.Millisecond) }); late > 20*time.Millisecond {
		t.Errorf("a wait is %v late", late)
	}
	if late := Late(t, time.Hour, 0, burn); late != 0 {
		t.Errorf("what ends in time is %v late", late)
	}
}
