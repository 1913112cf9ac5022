package main

import (
	"fmt"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
)

// TestSARMap: a cell is the mean of the molecules with both groups; rings over both positions and molecules without a
// number are in none.
func TestSARMap(t *testing.T) {
	f := &greed.SAR{Columns: []greed.SARColumn{{Name: "R1"}, {Name: "R2"}, {Name: "R3"}}}
	add := func(r1, r2 string, y any) {
		f.Rows = append(f.Rows, greed.SARRow{Groups: []string{"[*:1]O", r1, r2},
			Attributes: map[string]any{"y": y, "name": "a"}})
	}
	add("[*:2]C", "[*:3][H]", 1.0)
	add("[*:2]C", "[*:3][H]", 2.0)
	add("[*:2]C", "[*:3]F", 7.5)
	add("[*:2]Br", "[*:3][H]", 3.0)
	add("[*:2]CC[*:3]", "[*:2]CC[*:3]", 9.0)
	add("[*:2]C", "", 9.0)
	add("[*:2]C", "[*:3]Cl", ">9")
	blocks := sarMaps(f, []string{"name", "y"}) // the first position is the same in all
	if len(blocks) != 1 {
		t.Fatalf("%d maps, want that of y", len(blocks))
	}
	table := blocks[0].Table
	var got []string
	for _, row := range table.Rows {
		for _, c := range row {
			got = append(got, fmt.Sprint(c.Text, "/", c.Heat))
		}
	}
	want := "C/0 1.5 (2)/1 7.5/9 Br/0 3/3 /0"
	if strings.Join(got, " ") != want || strings.Join(table.Columns, " ") != "R2 ↓ R3 → H F" {
		t.Errorf("columns %q, cells %q, want %q", table.Columns, got, want)
	}
	if !strings.Contains(table.Note, "Of 7 molecules 4 have") {
		t.Error(table.Note)
	}

	for k := range 2 * mapsGroups {
		add(fmt.Sprintf("[*:2]C%d", k), fmt.Sprintf("[*:3]C%d", k), 1.0)
	}
	table = sarMap(f, "y", 1, 2)
	if len(table.Rows) != mapsGroups || len(table.Columns) != mapsGroups+1 || table.Rows[0][0].Text != "C" {
		t.Errorf("%d rows, %d columns", len(table.Rows), len(table.Columns))
	}
	if !strings.Contains(table.Note, "of 50 at R2 and 50 at R3") {
		t.Error(table.Note)
	}
}
