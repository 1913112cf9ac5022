package greed

import (
	"fmt"
	"strconv"
	"strings"
)

// columns of the CSV of answers, before those of the attributes shown.
var columns = [...]string{"rank", "id", "name", "smiles", "predicted", "lower", "upper", "exact", "similarity", "status"}

// Table returns the answers as rows of text for CSV, with a header first.
// Unknown values are empty, every row has the status of the search, and the
// attributes named in show are the last columns. [Cell] guards the texts.
func (f *Found) Table(show []string) [][]string {
	header := append([]string{}, columns[:]...)
	for _, key := range show {
		header = append(header, Cell(key))
	}
	rows := [][]string{header}
	for i, a := range f.Answers {
		j := a.JSON()
		row := []string{
			strconv.Itoa(i + 1), Cell(a.ID), Cell(a.Name), Cell(a.SMILES), decimal(j.Predicted), decimal(j.Lower), decimal(j.Upper),
			strconv.FormatBool(j.Exact), decimal(&a.Similarity), string(f.Status),
		}
		for _, key := range show {
			text := ""
			if v, ok := a.Attributes[key]; ok && v != nil {
				text = Cell(fmt.Sprint(v))
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return rows
}

// Cell guards a text for CSV: one that a spreadsheet would take for a formula gets an
// apostrophe in front. Numbers stay as they are.
func Cell(text string) string {
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
