package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/report"
	"github.com/greedgraph/greed/search"
)

// A page has so many heat maps, and a map so many groups on a side, so that it stays readable.
const (
	mapsShown  = 8
	mapsGroups = 24
)

// sarMaps returns a heat map over the groups of two positions for each of the attributes that has numbers. The
// positions are the first two that have different groups; if there are none, there are no maps.
func sarMaps(f *greed.SAR, show []string) []report.Block {
	var varied []int
	for k := range f.Columns {
		if slices.ContainsFunc(f.Rows, func(r greed.SARRow) bool { return r.Groups[k] != f.Rows[0].Groups[k] }) {
			varied = append(varied, k)
		}
	}
	if len(varied) < 2 {
		return nil
	}
	var blocks []report.Block
	for _, name := range show {
		if len(blocks) == mapsShown {
			break
		}
		if t := sarMap(f, name, varied[0], varied[1]); t != nil {
			blocks = append(blocks, report.Block{Table: t})
		}
	}
	return blocks
}

// mean is of the molecules of a cell.
type mean struct {
	sum   float64
	count int
}

// sarMap returns the means of an attribute by the groups at positions a, down, and b, across; nil if fewer than two
// molecules have a number and a group at each. A ring that is attached at several positions is no group at each.
func sarMap(f *greed.SAR, name string, a, b int) *report.Table {
	cells := make(map[[2]string]*mean)
	down, across := make(map[string]int), make(map[string]int)
	known := 0
	for _, row := range f.Rows {
		x, ok := search.Numeric(row.Attributes[name])
		at := [2]string{row.Groups[a], row.Groups[b]}
		if !ok || !single(at[0]) || !single(at[1]) {
			continue
		}
		at = [2]string{shortGroup(at[0]), shortGroup(at[1])}
		if cells[at] == nil {
			cells[at] = new(mean)
		}
		cells[at].sum += x
		cells[at].count++
		down[at[0]]++
		across[at[1]]++
		known++
	}
	if known < 2 {
		return nil
	}
	rows, columns := commonest(down), commonest(across)
	first, second := f.Columns[a].Name, f.Columns[b].Name
	t := &report.Table{Title: fmt.Sprintf("%s by %s and %s", name, first, second),
		Columns: append([]string{first + " ↓ " + second + " →"}, columns...),
		Note: fmt.Sprintf("The stronger the colour, the greater the value. Of %d molecules %d have a number and one "+
			"group "+
			"at each of these positions. Where several have the same, the cell is their mean, and says how many "+
			"they are. "+
			"Other positions are not compared.", len(f.Rows), known)}
	if len(rows) < len(down) || len(columns) < len(across) {
		t.Note += fmt.Sprintf(" Only the %d groups with most molecules are shown of %d at %s and %d at %s.",
			mapsGroups, len(down), first, len(across), second)
	}
	for _, r := range rows {
		line := []report.Cell{report.Text(r)}
		for _, c := range columns {
			cell := report.Text("")
			if m := cells[[2]string{r, c}]; m != nil {
				cell = report.Short(m.sum / float64(m.count))
				if m.count > 1 {
					cell.Text += fmt.Sprintf(" (%d)", m.count)
				}
			}
			line = append(line, cell)
		}
		t.Rows = append(t.Rows, line)
	}
	t.Heat()
	return t
}

// single reports whether a group is attached at one position.
func single(smiles string) bool { return strings.Count(smiles, "[*:") == 1 }

// commonest returns the groups with most molecules, these first.
func commonest(count map[string]int) []string {
	var groups []string
	for g := range count {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(x, y string) int {
		return cmp.Or(cmp.Compare(count[y], count[x]), strings.Compare(x, y))
	})
	return groups[:min(len(groups), mapsGroups)]
}
