package report

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestHeat: colours follow values from the least to the greatest, whatever these are.
func TestHeat(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   []int
	}{
		{[]float64{-3, -2, -1}, []int{1, 5, 9}},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{[]float64{8, 0, 1, .4}, []int{9, 1, 2, 1}},
		{[]float64{2, 2}, []int{5, 5}},
		{[]float64{math.NaN(), 1, 2}, []int{0, 1, 9}},
		{[]float64{-math.MaxFloat64, 0, math.MaxFloat64}, []int{1, 5, 9}},
		{[]float64{0, math.SmallestNonzeroFloat64}, []int{5, 5}},
		{nil, nil},
	} {
		row := []Cell{Text("name")}
		for _, x := range c.values {
			row = append(row, Short(x))
		}
		table := &Table{Rows: [][]Cell{row}}
		table.Heat()
		var got []int
		for _, cell := range row[1:] {
			got = append(got, cell.Heat)
		}
		if !slices.Equal(got, c.want) || row[0].Heat != 0 {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
}

// TestHeatIsShown: a cell has the class of its colour and its number, and each colour is in the style.
func TestHeatIsShown(t *testing.T) {
	table := &Table{Title: "map", Columns: []string{"R1", "H", "C"}, Rows: [][]Cell{{Text("F"), Short(1), Short(2)}}}
	table.Heat()
	var b bytes.Buffer
	if err := (&Document{Sections: []Section{{Blocks: []Block{{Table: table}}}}}).WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<td class="heat h1">1</td>`, `<td class="heat h9">2</td>`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page has no %s", want)
		}
	}
	for step := 1; step <= heats; step++ {
		if !strings.Contains(pageStyle, fmt.Sprintf(".h%d {", step)) {
			t.Errorf("page.css has no .h%d", step)
		}
	}
}
