// Package csvcell keeps spreadsheets from reading the cells of a CSV file as formulas.
package csvcell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Guard returns a text for a cell: one that a spreadsheet would take for a formula gets an
// apostrophe in front, and so does one that has apostrophes before such a text, so that
// [Restore] knows which it was. Numbers stay as they are. Where semicolons separate cells, what
// follows one is a cell, too, so an equals sign there is guarded as well; other signs there are those of
// SMARTS.
func Guard(text string) string {
	return each(text, func(part string) string {
		if guarded(part) {
			return "'" + part
		}
		return part
	})
}

// Restore returns the text that [Guard] was given.
func Restore(cell string) string {
	return each(cell, func(part string) string {
		if strings.HasPrefix(part, "'") && guarded(part) {
			return part[1:]
		}
		return part
	})
}

// each applies what to the text up to the first semicolon that a formula follows, and to each such formula.
func each(text string, what func(string) string) string {
	parts := strings.Split(text, ";")
	for i, part := range parts {
		bare := strings.TrimLeft(part, "'")
		if i == 0 || strings.HasPrefix(bare, "=") || strings.HasPrefix(bare, "＝") {
			parts[i] = what(part)
		}
	}
	return strings.Join(parts, ";")
}

// guarded reports whether a text is a formula behind any number of apostrophes. Spreadsheets take
// signs of full width for the others.
func guarded(text string) bool {
	text = strings.TrimLeft(text, "'")
	first, _ := utf8.DecodeRuneInString(text)
	if text == "" || !strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return false
	}
	_, err := strconv.ParseFloat(text, 64)
	return err != nil
}
