package report

import (
	"encoding/csv"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/internal/csvcell"
)

// csvOf returns lines as CSV. A text that a spreadsheet would take for a formula starts
// with an apostrophe.
func csvOf(lines [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, line := range lines {
		safe := make([]string, len(line))
		for i, field := range line {
			safe[i] = csvcell.Guard(field)
		}
		if err := w.Write(safe); err != nil {
			panic("report: " + err.Error()) // a strings.Builder takes all
		}
	}
	w.Flush()
	return b.String()
}

func exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// csv returns the table with all digits of its numbers, and the published numbers in
// columns of their own.
func (t *Table) csv() string {
	published := make([]bool, len(t.Columns))
	for _, row := range t.Rows {
		for i, c := range row {
			published[i] = published[i] || c.Paper != nil
		}
	}
	var head []string
	for i, name := range t.Columns {
		head = append(head, name)
		if published[i] {
			head = append(head, name+", the paper's")
		}
	}
	lines := [][]string{head}
	for _, row := range t.Rows {
		var line []string
		for i, c := range row {
			text := c.Text
			switch {
			case c.Value != nil:
				text = exact(*c.Value)
			case text == Absent:
				text = ""
			}
			line = append(line, text)
			if published[i] {
				paper := ""
				if c.Paper != nil {
					paper = exact(*c.Paper)
				}
				line = append(line, paper)
			}
		}
		lines = append(lines, line)
	}
	return csvOf(lines)
}

func (p *Plot) csv() string {
	lines := [][]string{{"series", p.X, p.Y}}
	for _, s := range p.Series {
		for _, at := range s.Points {
			lines = append(lines, []string{s.Name, exact(at.X), exact(at.Y)})
		}
	}
	return csvOf(lines)
}
