package greed

import (
	"fmt"
	"strconv"
	"strings"
)

// columns of the CSV of answers, before those of the attributes shown.
var columns = [...]string{"rank", "id", "name", "smiles", "predicted", "lower", "upper", "exact", "similarity", "status"}

// Table returns the answers as rows of text for CSV, a header first: what is not
// known is empty, every row has the status of the search, and the attributes named
// in show have columns at the end. Cells that a spreadsheet would take for formulas
// get an apostrophe in front.
func (f *Found) Table(show []string) [][]string {
	header := append([]string{}, columns[:]...)
	for _, key := range show {
		header = append(header, cell(key))
	}
	rows := [][]string{header}
	for i, a := range f.Answers {
		j := a.JSON()
		row := []string{
			strconv.Itoa(i + 1), cell(a.ID), cell(a.Name), cell(a.SMILES), decimal(j.Predicted), decimal(j.Lower), decimal(j.Upper),
			strconv.FormatBool(j.Exact), decimal(&a.Similarity), string(f.Status),
		}
		for _, key := range show {
			text := ""
			if v, ok := a.Metadata[key]; ok && v != nil {
				text = cell(fmt.Sprint(v))
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return rows
}

// cell guards a text that begins like a formula; numbers stay as they are.
func cell(text string) string {
	if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}

func decimal(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}
