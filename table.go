package greed

import (
	"strconv"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/csvcell"
)

// Columns returns the header of the CSV of answers that show the named attributes, which
// are the last columns.
func Columns(show []string) []string {
	header := []string{"rank", "id", "name", "smiles", "predicted", "lower", "upper", "exact", "similarity", "status"}
	for _, key := range show {
		header = append(header, csvcell.Guard(key))
	}
	return header
}

// Row returns the answer of a rank, from 1, as a row of texts for [Columns]. Unknown
// values are empty, and no text is a formula.
func (a Answer) Row(rank int, status Status, show []string) []string {
	row := []string{
		strconv.Itoa(rank), csvcell.Guard(a.ID), csvcell.Guard(a.Name), csvcell.Guard(a.SMILES), decimal(a.Predicted), decimal(a.Lower), decimal(a.Upper),
		strconv.FormatBool(a.Exact), decimal(&a.Similarity), string(status),
	}
	for _, key := range show {
		text := ""
		if v, ok := a.Attributes[key]; ok && v != nil {
			text = csvcell.Guard(dataset.AttributeText(v))
		}
		row = append(row, text)
	}
	return row
}

// Table returns the answers as rows of text for CSV, with a header first.
func (f *Found) Table(show []string) [][]string {
	rows := [][]string{Columns(show)}
	for i := range f.Answers {
		rows = append(rows, f.Answers[i].Row(i+1, f.Status, show))
	}
	return rows
}

func decimal(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}
