package report

import "math"

// heats is the number of colours of a heat map, h1 to h9 in page.css.
const heats = 9

// Heat colours the cells that have values: the least of the table is 1, the greatest 9, and what lies between has the
// nearest step. If all values are equal they are in the middle.
func (t *Table) Heat() {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range t.Rows {
		for _, c := range row {
			if c.Value != nil {
				low, high = min(low, *c.Value), max(high, *c.Value)
			}
		}
	}
	for _, row := range t.Rows {
		for k := range row {
			c := &row[k]
			switch {
			case c.Value == nil:
			case low == high:
				c.Heat = (heats + 1) / 2
			default:
				// Halves, because the difference of two numbers may be no number.
				share := (*c.Value/2 - low/2) / (high/2 - low/2)
				if math.IsNaN(share) { // low and high are the least numbers that differ from 0
					share = .5
				}
				c.Heat = 1 + int(math.Round(share*(heats-1)))
			}
		}
	}
}
