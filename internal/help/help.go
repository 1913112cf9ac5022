// Package help has the sentences of help that are too long for the tags of fields: a tag names one as ${name}.
package help

import (
	_ "embed"
	"strings"
)

// Texts are sentences by their names.
type Texts map[string]string

//go:embed texts.txt
var texts string

// All returns the sentences for what the Go API, operations and the service take and give.
func All() Texts { return Parse(texts) }

// Parse reads a list of names, each with its text indented below it, and a blank line between them.
func Parse(list string) Texts {
	all := make(Texts)
	for block := range strings.SplitSeq(list, "\n\n") {
		name, text, _ := strings.Cut(strings.TrimSpace(block), "\n")
		all[name] = strings.Join(strings.Fields(text), " ")
	}
	return all
}

// Expand returns what a tag says: the text that it names, or itself.
func (t Texts) Expand(tag string) string {
	name, ok := strings.CutPrefix(tag, "${")
	if name, closed := strings.CutSuffix(name, "}"); ok && closed {
		if text := t[name]; text != "" {
			return text
		}
	}
	return tag
}
