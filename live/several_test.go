package live

import (
	"slices"
	"testing"
)

// TestEnds: paths are named by as few of their last names as tell them apart.
func TestEnds(t *testing.T) {
	for _, x := range []struct{ paths, want []string }{
		{[]string{"/d/x.index", "/d/y.index"}, []string{"x.index", "y.index"}},
		{[]string{"/d/a/x.index", "/d/b/x.index", "y.index"}, []string{"a/x.index", "b/x.index", "y.index"}},
		{[]string{"x.index", "x.index"}, []string{"x.index", "x.index"}},
		{nil, []string{}},
	} {
		if got := Ends(x.paths); !slices.Equal(got, x.want) {
			t.Errorf("%q: %q, want %q", x.paths, got, x.want)
		}
	}
}
