package dataset_test

import (
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// TestPlain: what names options of the command line can be left out, and nothing else.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"t # 0\nv 0 C\ne 0 0 1\n":          "edge 0-0 is a self-loop: graphs here are simple",
		"graph g {\n a -- b\n a -- b }":    "edge a-b: edge given twice: graphs here are simple, first on line 2",
		"what is this\nand this (that is)": `unknown format: it starts with "what is this"; expected one of tve, `,
	} {
		_, err := dataset.ReadOne(text, dataset.Options{Vocabulary: graph.NewVocabulary()})
		if err == nil {
			t.Fatalf("%q is read", text)
		}
		if got := dataset.Plain(err); !strings.Contains(err.Error(), "--") || strings.Contains(strings.ReplaceAll(got, "a--b", ""), "--") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, of %q, want %q", text, got, err, want)
		}
	}
}
