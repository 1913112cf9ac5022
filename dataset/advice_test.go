package dataset_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// TestPlain: advice that names options can be left out, and nothing else; or it is spelled by who shows it.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"what is this\nand this (that is)": `unknown format: it starts with "what is this"; expected one of tve, `,
	} {
		_, err := dataset.ReadOne(text, dataset.Options{Vocabulary: graph.NewVocabulary()})
		if err == nil {
			t.Fatalf("%q is read", text)
		}
		got, spelled := dataset.Plain(err), dataset.Spell(fmt.Errorf("query: %w", errors.Join(err)), asFlag)
		if strings.Contains(err.Error(), "--") || got == err.Error() || !strings.Contains(got, want) || !strings.Contains(spelled, "--") {
			t.Errorf("%q: %q, of %q, want %q; as flags %q", text, got, err, want, spelled)
		}
	}
}

// TestNotes: a note has its option and its value apart from a text without any surface's spelling, and names of
// attributes stay what they are, even if they look like flags.
func TestNotes(t *testing.T) {
	const text = `{"nodes":[{"id":0,"symbol":"C","--node-label":"x","node_label":"y"}],"edges":[]}`
	rec, err := dataset.ReadOne(text, dataset.Options{})
	if err != nil || len(rec.Notes) != 1 {
		t.Fatalf("notes %q, %v", rec.Notes, err)
	}
	n := rec.Notes[0]
	got, err := json.Marshal(n)
	const want = `{"option":"node_label","text":"node label: attribute symbol (other attributes: --node-label, node_label; node_label chooses one)"}`
	if string(got) != want || err != nil {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	const flags = "node label: attribute symbol (other attributes: --node-label, node_label; --node-label chooses one)"
	if got := n.Spell(asFlag); got != flags {
		t.Errorf("%q, want %q", got, flags)
	}
	list, err := dataset.ReadOne("1 2\n", dataset.Options{Format: "edgelist"})
	if err != nil || len(list.Notes) == 0 || list.Notes[0].Option != "directed" || list.Notes[0].Value != "true" {
		t.Errorf("notes %+v, %v", list.Notes, err)
	}
}
