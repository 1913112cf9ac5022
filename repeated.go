package greed

import (
	"slices"
	"strings"

	"github.com/greedgraph/greed/dataset"
)

const (
	repeatedSought = 100 // answers whose ids are looked up
	repeatedNamed  = 3   // ids that a note names
)

// repeatedNote returns a note if several indexes of the collection have ids of the first answers, of which there are n.
func (c *Collection) repeatedNote(n int, id func(i int) string) []dataset.Note {
	if !c.Several() {
		return nil
	}
	var seen, named []string
	for i := range min(n, repeatedSought) {
		own := id(i)
		if slices.Contains(seen, own) {
			continue
		}
		seen = append(seen, own)
		if having := c.live.Having(own); len(having) > 1 {
			if named = append(named, own+" in "+strings.Join(having, ", ")); len(named) == repeatedNamed {
				break
			}
		}
	}
	if named == nil {
		return nil
	}
	return dataset.Remarks("several indexes have ids of the answers, by which no graph is found: " +
		strings.Join(named, "; "))
}
