package dataset

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestPieces cuts streams that come in bits of any size.
func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOf(rapid.StringMatching(`[a-c]{0,20}`)).Draw(t, "lines")
		text := strings.Join(lines, "\n")
		limit := rapid.IntRange(5, 30).Draw(t, "limit")
		p := newPieces(&bits{t, []byte(text)}, newEnv(Options{MaxRecord: limit}), true, splitLines)
		for i, want := range strings.SplitAfter(text, "\n") {
			if want == "" {
				continue
			}
			got, line, err := p.next()
			if len(want) > limit {
				if at, ok := err.(*lineError); !ok || at.line != i+1 {
					t.Fatalf("line %d: %q, %v, expected an error", i+1, got, err)
				}
				continue
			}
			if string(got) != want || line != i+1 || err != nil {
				t.Fatalf("line %d: %q of line %d, %v; expected %q", i+1, got, line, err, want)
			}
		}
		if got, _, err := p.next(); err == nil {
			t.Fatalf("%q after the end", got)
		}
	})
}

// bits is a stream that gives as much at a time as rapid draws.
type bits struct {
	t    *rapid.T
	rest []byte
}

func (b *bits) Read(p []byte) (int, error) {
	n := copy(p, b.rest[:min(len(b.rest), rapid.IntRange(0, 40).Draw(b.t, "bytes"))])
	b.rest = b.rest[n:]
	if len(b.rest) == 0 {
		return n, io.EOF
	}
	return n, nil
}

// TestSplitsFindEveryEnd: what a splitter finds does not depend on what follows.
func TestSplitsFindEveryEnd(t *testing.T) {
	for name, c := range map[string]struct {
		split  splitter
		pieces []string
	}{
		"tve":  {splitTVE, []string{"t # 0\nv 0 t\n", "t # 1\n"}},
		"json": {splitJSON, []string{`[{"a{": "}\"", "b": [{}]}`, `,{}`, "\n{\"\\\\\":1}"}},
		"dot":  {splitDOT, []string{"graph { a -- \"}\" /* } */ // }\n}", " digraph \"{\" {{}<}<>>\n#}\n}", "\n}", "graph { - }"}},
	} {
		text := []byte(strings.Join(c.pieces, ""))
		for _, want := range c.pieces {
			n := c.split(text)
			if n < 0 {
				n = len(text)
			}
			if !bytes.Equal(text[:n], []byte(want)) {
				t.Errorf("%s: cut %q, want %q", name, text[:n], want)
			}
			for end := 1; end < len(want) && end < n; end++ {
				if got := c.split(text[:end]); got >= 0 && got != n {
					t.Errorf("%s: cut %q after %d", name, text[:end], got)
				}
			}
			text = text[n:]
		}
	}
}
