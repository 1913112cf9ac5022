package csvcell_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/internal/csvcell"
)

func TestGuard(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "CCO": "CCO", "-1.5e3": "-1.5e3", "=1+2": "'=1+2", "+a": "'+a", "@x": "'@x", "\t=1": "'\t=1", "'": "'", "'a": "'a", "'=1+2": "''=1+2", "a=b": "a=b",
		"\n=1": "'\n=1", "＝1+2": "'＝1+2", "＠x": "'＠x", "a;=1+2": "a;'=1+2", "a;'=1": "a;''=1", "[#6;+0;@]": "[#6;+0;@]", "=1;=2": "'=1;'=2",
	} {
		if got := csvcell.Guard(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestRestore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("'=-+@1.a\t\r\n;＝"))).Draw(t, "text")
		if got := csvcell.Restore(csvcell.Guard(text)); got != text {
			t.Fatalf("%q comes back as %q", text, got)
		}
	})
	if got := csvcell.Restore("=1"); got != "=1" { // of other programs
		t.Errorf("%q", got)
	}
}
