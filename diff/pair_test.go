package diff_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/greedgraph/greed/diff"
)

func TestNamesakes(t *testing.T) {
	list, err := diff.Namesakes([]string{"a", "b", "c"}, []string{"c", "d", "a"})
	want := []diff.Together{{0, 2}, {1, -1}, {2, 0}, {-1, 1}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%v, %v, want %v", list, err, want)
	}
	for _, c := range []struct {
		old, fresh []string
		want       diff.TwiceError
	}{
		{[]string{"a", "a"}, nil, diff.TwiceError{ID: "a"}},
		{[]string{"a"}, []string{"b", "a", "b"}, diff.TwiceError{New: true, ID: "b"}},
	} {
		var twice *diff.TwiceError
		if _, err := diff.Namesakes(c.old, c.fresh); !errors.As(err, &twice) || *twice != c.want {
			t.Errorf("%v, %v: %v", c.old, c.fresh, err)
		}
	}
}

// TestNearest: points of a line belong together so that the way is least; what is farther from
// its mate than both are from nothing stays alone, and the same points do not, even if that costs nothing.
func TestNearest(t *testing.T) {
	old, fresh := []float64{1, 5, 100}, []float64{6, 2}
	alone := 10.0
	distance := func(_ context.Context, _, i, j int) (float64, error) {
		switch {
		case i == len(old) && j == len(fresh):
			return 0, nil
		case i == len(old) || j == len(fresh):
			return alone, nil
		}
		return math.Abs(old[i] - fresh[j]), nil
	}
	list, err := diff.Nearest(t.Context(), len(old), len(fresh), 2, distance)
	want := []diff.Together{{0, 1}, {1, 0}, {2, -1}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%v, %v, want %v", list, err, want)
	}
	fresh = []float64{40}
	if list, err = diff.Nearest(t.Context(), len(old), len(fresh), 2, distance); err != nil || !slices.Equal(list, []diff.Together{{0, -1}, {1, -1}, {2, -1}, {-1, 0}}) {
		t.Errorf("%v, %v", list, err)
	}
	old, fresh, alone = []float64{1, 5, 7}, []float64{5, 8, 1}, 0
	if list, err = diff.Nearest(t.Context(), len(old), len(fresh), 2, distance); err != nil || !slices.Equal(list, []diff.Together{{0, 2}, {1, 0}, {2, -1}, {-1, 1}}) {
		t.Errorf("%v, %v", list, err)
	}
	broken := errors.New("broken")
	if _, err := diff.Nearest(t.Context(), 1, 1, 1, func(context.Context, int, int, int) (float64, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
