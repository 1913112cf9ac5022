// Package levenshtein says how far texts are from each other, to find the one that was meant.
package levenshtein

import "strings"

// Nearest returns the name that was meant by a text that is none of the names: one that differs in capitals alone, or
// the first of those with the fewest other letters, two at most and a third of the text. It returns "" if there is
// none.
func Nearest(text string, names []string) string {
	meant, least := "", min(len(text)/3, 2)+1
	for _, name := range names {
		if d := Distance(strings.ToLower(text), strings.ToLower(name), least); d < least {
			meant, least = name, d
		}
	}
	return meant
}

// Distance returns the number of bytes to insert, delete or replace, and of neighbours to exchange, between two texts,
// or limit if there are as many or more. No byte is changed twice.
func Distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		older, old, row = old, row, older
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			change := old[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, old[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least >= limit {
			return limit
		}
	}
	return min(limit, row[len(b)])
}
