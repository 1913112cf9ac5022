package progress

import (
	"strings"
	"testing"
	"time"
)

func TestBar(t *testing.T) {
	for name, c := range map[string]struct {
		total int
		steps []int // a second each
		want  string
	}{
		"known":   {10, []int{5, 1}, "\rpairs: 5 of 10, 50 %, 5 a second, about 1s left\rpairs: 6 of 10, 60 %, 3 a second, about 1s left\r" + strings.Repeat(" ", 47) + "\r"},
		"unknown": {-1, []int{1500}, "\rpairs: 1500, 1500 a second\r" + strings.Repeat(" ", 26) + "\r"},
		"none":    {0, nil, ""},
		"all":     {3, []int{3}, "\rpairs: 3 of 3, 100 %, 3 a second\r" + strings.Repeat(" ", 32) + "\r"},
	} {
		var out strings.Builder
		now := time.Unix(0, 0)
		b := New(&out, c.total, "pairs", func() time.Time { return now })
		for _, n := range c.steps {
			now = now.Add(time.Second)
			b.Add(n)
		}
		b.Finish()
		if out.String() != c.want {
			t.Errorf("%s: %q, want %q", name, out.String(), c.want)
		}
	}
}

// TestBarFits: a line that the terminal would break is cut, so that the next one replaces it.
func TestBarFits(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	b := New(&out, 10, "pairs", func() time.Time { return now })
	b.Columns = 20
	now = now.Add(time.Second)
	b.Add(5)
	if want := "\rpairs: 5 of 10, 50 "; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestBarIsDrawnSeldom: many small steps are few drawings, and a bar that is nil none.
func TestBarIsDrawnSeldom(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	b := New(&out, -1, "graphs", func() time.Time { return now })
	for range 1000 {
		now = now.Add(time.Millisecond)
		b.Add(1)
	}
	if n := strings.Count(out.String(), "\r"); n != 5 {
		t.Errorf("drawn %d times in a second", n)
	}
	var none *Bar
	none.Add(1)
	none.Finish()
}
