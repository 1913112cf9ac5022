package clock

import (
	"context"
	"testing"
	"time"
)

func TestNeverEnds(t *testing.T) {
	var none *Clock
	var zero Clock
	for _, c := range []*Clock{none, &zero} {
		for range 10 {
			if c.Spend(interval) || c.Ended() || c.Look() || !c.Affords(1<<50) {
				t.Fatal("a clock without an end ended")
			}
		}
	}
}

func TestEnds(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	soon, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	for name, c := range map[string]Clock{
		"limit":    New(context.Background(), time.Now().Add(-time.Second), time.Millisecond),
		"context":  New(cancelled, time.Now(), 0),
		"deadline": New(soon, time.Now(), time.Hour),
	} {
		if c.Spend(interval / 2) {
			t.Errorf("%s: it looked before it had to", name)
		}
		if !c.Spend(interval) || !c.Ended() || !c.Spend(0) {
			t.Errorf("%s: it did not end", name)
		}
	}
}

func TestShare(t *testing.T) {
	c := New(context.Background(), time.Now(), time.Hour)
	c.Share(1e-9)
	time.Sleep(time.Millisecond)
	if c.Affords(int64(time.Minute)) || !c.Look() {
		t.Error("more than the share was spent")
	}
	if !c.Whole() || c.Ended() || c.Look() || !c.Affords(int64(time.Minute)) {
		t.Error("the whole time is not there again")
	}
	c.Share(0.5)
	if c.Look() || c.Whole() {
		t.Error("half an hour passed")
	}
}
