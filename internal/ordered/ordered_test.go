package ordered_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/greedgraph/greed/internal/ordered"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func square(_ context.Context, _, i int) (int, error) { return i * i, nil }

func TestMapKeepsOrder(t *testing.T) {
	for _, n := range []int{0, 1, 2, 31, 1000} {
		for _, workers := range []int{1, 3, 50} {
			next := 0
			err := ordered.Map(context.Background(), n, workers, square, func(i, v int) error {
				if i != next || v != i*i {
					t.Fatalf("n=%d, workers=%d: item %d is %d, want item %d", n, workers, i, v, next)
				}
				next++
				return nil
			})
			if err != nil || next != n {
				t.Errorf("n=%d, workers=%d: %d items, %v", n, workers, next, err)
			}
		}
	}
}

func TestMapUsesItsWorkers(t *testing.T) {
	const workers = 4
	var inside [workers]atomic.Int32
	err := ordered.Map(context.Background(), 500, workers, func(_ context.Context, worker, i int) (int, error) {
		if inside[worker].Add(1) != 1 {
			t.Errorf("worker %d works on two items at a time", worker)
		}
		defer inside[worker].Add(-1)
		return i, nil
	}, func(int, int) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
}

func TestMapEndsAtErrors(t *testing.T) {
	want := errors.New("no more")
	for _, at := range []int{0, 40, 999} {
		emitted := 0
		err := ordered.Map(context.Background(), 1000, 3, func(ctx context.Context, w, i int) (int, error) {
			if i >= at {
				return 0, fmt.Errorf("item %d: %w", i, want)
			}
			return i, nil
		}, func(int, int) error { emitted++; return nil })
		if !errors.Is(err, want) || err.Error() != fmt.Sprintf("item %d: no more", at) || emitted != at {
			t.Errorf("work fails at %d: %v after %d items", at, err, emitted)
		}
		err = ordered.Map(context.Background(), 1000, 3, square, func(i, _ int) error {
			if i == at {
				return want
			}
			return nil
		})
		if err != want {
			t.Errorf("emit fails at %d: %v", at, err)
		}
	}
}

func TestMapEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	err := ordered.Map(ctx, 1000, 3, func(ctx context.Context, _, i int) (bool, error) {
		if i == 500 {
			cancel()
		}
		return ctx.Err() == nil, nil
	}, func(i int, whole bool) error {
		if !whole {
			t.Errorf("item %d was cut short and emitted", i)
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
