package main

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"
)

// FuzzPartsOf: parts are those of kong.
func FuzzPartsOf(f *testing.F) {
	for _, text := range []string{"", "a", "a,b", `a\,b,c\d\`, ",,", `\`, "ä,\\ö,", "a,b,"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := partsOf(text, ','), kong.SplitEscaped(text, ','); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
}
