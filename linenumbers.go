package greed

import (
	"regexp"

	"github.com/greedgraph/greed/dataset"
)

// lineNumber matches the place in a file at the end of a label, as tools write it: main.c:12 or main.c:12:7.
const lineNumber = `(:[0-9]+)+$`

var lineNumbers = regexp.MustCompile(lineNumber)

// shiftedLines returns a note if the labels of two versions differ mostly by the line numbers at their ends.
func shiftedLines(old, new *Record) []dataset.Note {
	exact, stripped := make(map[string]int), make(map[string]int)
	for _, l := range new.Graph.Labels() {
		label := new.Graph.Vocabulary().NodeText(l)
		exact[label]++
		stripped[lineNumbers.ReplaceAllLiteralString(label, "")]++
	}
	take := func(of map[string]int, label string) int {
		if of[label] > 0 {
			of[label]--
			return 0
		}
		return 1
	}
	lost, still := 0, 0
	for _, l := range old.Graph.Labels() {
		label := old.Graph.Vocabulary().NodeText(l)
		lost += take(exact, label)
		still += take(stripped, lineNumbers.ReplaceAllLiteralString(label, ""))
	}
	if lost == 0 || 2*still > lost {
		return nil
	}
	return []dataset.Note{dataset.Remark("%d labels of the old version are not in the new one, but %d are without the "+
		"line numbers at their ends: %v compares without these",
		lost, lost-still, dataset.Setting{Option: "strip_names", Value: lineNumber})}
}
