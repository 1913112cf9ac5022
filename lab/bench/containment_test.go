package bench

import (
	"os"
	"path/filepath"
	"testing"
)

// TestContainment: fragments and SMARTS that ask for the same find as much, with and without models, and what is asked
// twice is answered alike.
func TestContainment(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	molecules := write("m.smi", "CCO a\nc1ccccc1O b\nc1ccncc1 c\nCC(=O)O d\n")
	fragments := write("f.smi", "CO\nc1ccccc1\tbenzene\n")
	patterns := write("p.sma", "[#6]-[#8]\nc1ccccc1 benzene\n[OH]\n")
	measure := func(o ContainmentOptions) Contained {
		o.Index = molecules
		r, err := Containment(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	with := measure(ContainmentOptions{Queries: fragments, Rounds: 2})
	without := measure(ContainmentOptions{Queries: fragments, NoModel: true})
	if with.Graphs != 4 || with.Queries != 2 || with.Answers != 4 || with.Digest != without.Digest || with.Milliseconds < with.Least {
		t.Errorf("%+v, without a model %+v", with, without)
	}
	if r := measure(ContainmentOptions{Queries: patterns, SMARTS: true}); r.Queries != 3 || r.Answers != 7 || r.Digest == with.Digest {
		t.Errorf("SMARTS: %+v", r)
	}
	if _, err := Containment(t.Context(), ContainmentOptions{Index: molecules, Queries: write("x", "CC\nC(\n")}); err == nil {
		t.Error("a fragment that cannot be read is accepted")
	}
}
