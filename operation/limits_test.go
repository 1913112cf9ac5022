package operation_test

import (
	"testing"
	"time"

	"github.com/greedgraph/greed/operation"
)

// TestTimeLimits: a request may ask for exactly as much time as is allowed, and for no more.
func TestTimeLimits(t *testing.T) {
	allowed := operation.Limits{Time: time.Second}
	for _, test := range []struct {
		text string
		want time.Duration // 0: refused
	}{
		{"", 500 * time.Millisecond}, {"1s", time.Second}, {"1000ms", time.Second}, {"1ns", 1}, {"999999999ns", time.Second - 1},
		{"1000000001ns", 0}, {"none", 0}, {"0s", 0}, {"-1s", 0}, {"1", 0},
	} {
		got, err := (&operation.Timed{TimeLimit: test.text}).Limit(500*time.Millisecond, allowed)
		if (err != nil) != (test.want == 0) || err == nil && got != test.want {
			t.Errorf("%q: %v, error %v, want %v", test.text, got, err, test.want)
		}
	}
	if got, err := (&operation.Timed{}).Limit(2*time.Second, allowed); err != nil || got != time.Second {
		t.Errorf("the usual time is more than is allowed: %v, error %v", got, err)
	}
	if got, err := (&operation.Timed{TimeLimit: "none"}).Limit(time.Second, operation.Limits{}); err != nil || got != 0 {
		t.Errorf("no limit where anything is allowed: %v, error %v", got, err)
	}
}
