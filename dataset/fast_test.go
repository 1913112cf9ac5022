package dataset

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/graph"
)

// readBoth reads one record of t/v/e text by the fast path and by the plain one,
// and complains unless they agree, as far as the fast path reads it at all.
func readBoth(t interface{ Fatalf(string, ...any) }, text []byte) {
	e := newEnv(Options{})
	d := &tve{env: e, builder: graph.NewBuilder(e.vocab, false)}
	id, g, ok := d.fast(text)
	if !ok {
		return
	}
	e.raw.reset(e, 1)
	found, err := readTVE(text, &e.raw)
	if err != nil || !found {
		t.Fatalf("%q: the plain path has %v, %v", text, found, err)
	}
	rec, err := e.buildPlain(&e.raw)
	if err != nil || rec.ID != string(id) || !same(rec.Graph, g) {
		t.Fatalf("%q: the plain path has %+v, %v", text, rec, err)
	}
}

func TestFastPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s strings.Builder
		fmt.Fprintf(&s, "t # %s\n", rapid.StringMatching(`[a-z0-9]{1,3}`).Draw(t, "id"))
		n := rapid.IntRange(0, 5).Draw(t, "nodes")
		label := rapid.StringMatching(`[A-Z]{1,10}`)
		for v := range n {
			fmt.Fprintf(&s, "v %d %s\n", v, label.Draw(t, "label"))
		}
		for range rapid.IntRange(0, 5).Draw(t, "edges") {
			end := rapid.IntRange(0, n)
			fmt.Fprintf(&s, "e %d %d %s\n", end.Draw(t, "from"), end.Draw(t, "to"), label.Draw(t, "label"))
		}
		text := []byte(s.String())
		if rapid.Bool().Draw(t, "broken") {
			text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		readBoth(t, text)
	})
}

// TestFastPathTakesWhatIsCommon: the shared data is read by the fast path only.
func TestFastPathTakesWhatIsCommon(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", "aids", "aids.txt"))
	if err != nil {
		t.Skip(err)
	}
	e := newEnv(Options{})
	d := &tve{env: e, builder: graph.NewBuilder(e.vocab, false)}
	for len(text) > 0 {
		n := splitTVE(text)
		if n < 0 {
			n = len(text)
		}
		if _, _, ok := d.fast(text[:n]); !ok {
			t.Fatalf("%q is not read", text[:n])
		}
		readBoth(t, text[:n])
		text = text[n:]
	}
}

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
