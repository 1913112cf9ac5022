package page

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/greedgraph/greed/edit"
)

var update = flag.Bool("update", false, "write src/presets.json anew")

// TestPresets: the page offers the named costs that are weights for any labels.
func TestPresets(t *testing.T) {
	const file = "src/presets.json"
	presets := make(map[string]edit.Costs)
	for _, name := range edit.Names() {
		c, _ := edit.Named(name)
		own := c.Edges != nil && (c.Edges.Insert != nil || c.Edges.Delete != nil || c.Edges.Substitute != nil || c.Edges.Parts != nil)
		if c.Nodes == nil && !own {
			presets[name] = c
		}
	}
	text, err := json.MarshalIndent(presets, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want := string(text) + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is not what package edit says (%v): go test ./server/page -update writes it anew", file, err)
	}
}
