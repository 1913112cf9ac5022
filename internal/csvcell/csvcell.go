// Package csvcell keeps spreadsheets from reading the cells of a CSV file as formulas.
package csvcell

import (
	"strconv"
	"strings"
)

// Guard returns a text for a cell: one that a spreadsheet would take for a formula gets an
// apostrophe in front, and so does one that has apostrophes before such a text, so that
// [Restore] knows which it was. Numbers stay as they are.
func Guard(text string) string {
	if guarded(text) {
		return "'" + text
	}
	return text
}

// Restore returns the text that [Guard] was given.
func Restore(cell string) string {
	if strings.HasPrefix(cell, "'") && guarded(cell) {
		return cell[1:]
	}
	return cell
}

// guarded reports whether a text is a formula behind any number of apostrophes.
func guarded(text string) bool {
	text = strings.TrimLeft(text, "'")
	if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return false
	}
	_, err := strconv.ParseFloat(text, 64)
	return err != nil
}
