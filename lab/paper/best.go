package paper

import "github.com/greedgraph/greed/report"

// markBest marks, in every column of numbers but the first, the least number, or the
// greatest if greatest is set, of the given rows; nil means all rows. Cells that show the
// same text share the mark.
func markBest(t *report.Table, greatest bool, rows []int) {
	if rows == nil {
		for i := range t.Rows {
			rows = append(rows, i)
		}
	}
	for c := 1; c < len(t.Columns); c++ {
		best := ""
		value, compared := 0.0, 0
		for _, r := range rows {
			if c >= len(t.Rows[r]) || t.Rows[r][c].Value == nil {
				continue
			}
			x := *t.Rows[r][c].Value
			if compared == 0 || greatest && x > value || !greatest && x < value {
				best, value = t.Rows[r][c].Text, x
			}
			compared++
		}
		if compared < 2 {
			continue
		}
		for _, r := range rows {
			if c < len(t.Rows[r]) && t.Rows[r][c].Value != nil && t.Rows[r][c].Text == best {
				t.Rows[r][c].Best = true
			}
		}
	}
}
