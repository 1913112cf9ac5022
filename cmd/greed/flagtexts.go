package main

import (
	_ "embed"
	"strings"

	"github.com/alecthomas/kong"
)

// flagTexts has the help of flags and arguments that is too long for a tag, which names it as ${name}: a name,
// and below it the indented text.
//
//go:embed flags.txt
var flagTexts string

// flagHelp returns the texts of flagTexts by their names. A name that a tag has and the file lacks is an error of kong.
func flagHelp() kong.Vars {
	texts := make(kong.Vars)
	for block := range strings.SplitSeq(flagTexts, "\n\n") {
		name, text, _ := strings.Cut(strings.TrimSpace(block), "\n")
		texts[name] = strings.Join(strings.Fields(text), " ")
	}
	return texts
}
