package main

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
)

func TestNumberReadsBack(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 3: "3", 0.1: "0.1", 1.0 / 3: "0.3333333333333333", 1e6: "1000000", 1e-7: "1e-07", 1e21: "1e+21", 0.30000000000000004: "0.30000000000000004",
	} {
		if got := number(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		if back, err := strconv.ParseFloat(number(x), 64); err != nil || math.Float64bits(back) != math.Float64bits(x) {
			t.Fatalf("%v is written %s, read as %v", x, number(x), back)
		}
	})
}

// unescape undoes field.
var unescape = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")

func TestFieldReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringOf(rapid.SampledFrom([]rune("a\\t\t\nr\r "))).Draw(t, "id")
		text := field(id)
		if strings.ContainsAny(text, "\t\n\r") {
			t.Fatalf("%q is written %q", id, text)
		}
		if back := unescape.Replace(text); back != id {
			t.Fatalf("%q is written %q, read as %q", id, text, back)
		}
	})
}

// TestNamesDoNothing: what a file calls its graphs and labels does not move the
// cursor, nor colour anything.
func TestNamesDoNothing(t *testing.T) {
	for text, want := range map[string]string{
		"plain é °": "plain é °", "a\x1b[31mb": `a\x1b[31mb`, "\a\b\u009b2J": `\x07\x08\x9b2J`, "a\nb\tc\rd": `a\nb\tc\rd`, "": "", "\u202egpj.exe": `\u202egpj.exe`,
	} {
		if got := printable(text); got != want {
			t.Errorf("%q is printed as %q, want %q", text, got, want)
		}
	}
	if got := field(`\` + "\x1b"); got != `\\\x1b` {
		t.Errorf("field: %s", got)
	}
	if got := printableLines("a\x1b\nb"); got != "a\\x1b\nb" {
		t.Errorf("lines: %q", got)
	}
	if got := printableLines("no file " + strings.Repeat("C", 100_000)); len(got) > 400 || !strings.HasPrefix(got, "no file CCC") {
		t.Errorf("a long argument is repeated in %d bytes", len(got))
	}
}

func TestMapField(t *testing.T) {
	for want, m := range map[string]edit.NodeMap{"": {}, "0:3": {3}, "0:3,1:-,2:0": {3, edit.Deleted, 0}} {
		if got := mapField(m); got != want {
			t.Errorf("%v is written %s, want %s", m, got, want)
		}
	}
}

func TestRounded(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 999: "999ns", 12345: "12.3µs", 1234567: "1.23ms", 61234567890: "1m1.2s"} {
		if got := rounded(d).String(); got != want {
			t.Errorf("%v is rounded to %s, want %s", d, got, want)
		}
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestOutputReportsErrors(t *testing.T) {
	full := errors.New("disk full")
	o := newOutput(broken{full})
	_, _ = o.Write([]byte("text"))
	if err := o.Close(); !errors.Is(err, full) {
		t.Errorf("Close returns %v", err)
	}
}

func TestOutputDoesNotHoldBack(t *testing.T) {
	came := make(chan string, 1)
	o := newOutput(writerFunc(func(p []byte) (int, error) { came <- string(p); return len(p), nil }))
	defer o.Close()
	if _, err := o.Write([]byte("line\n")); err != nil {
		t.Fatal(err)
	}
	if got := <-came; got != "line\n" { // without Close
		t.Errorf("%q came", got)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestSimilarityOfBounds: the similarity of an answer with bounds is rounded down, since it is the least that it
// can be, and only that of a prediction and that of a distance are to the nearest.
func TestSimilarityOfBounds(t *testing.T) {
	lower, upper := 0.0, 1.0
	for want, h := range map[string]greed.Answer{
		"≥ 0.999": {Lower: &lower, Upper: &upper, Similarity: 0.99975},
		" 1.000":  {Lower: &upper, Upper: &upper, Exact: true, Similarity: 0.99975},
		" 0.999 ": {Similarity: 0.9991},
	} {
		var b strings.Builder
		a := graphAnswers{flags: &searchCommand{}, found: &greed.Found{Answers: []greed.Answer{h}}}
		if err := a.columns(&b); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%v: %v, want %s in:\n%s", h.Similarity, err, want, &b)
		}
	}
}
