package operation

import (
	"fmt"
	"regexp"
	"strings"
)

// What a message shows of a word: all of at most longestWord bytes, else so many at its ends. Paths
// are seldom longer.
const (
	longestWord = 500
	wordHead    = 200
	wordTail    = 100
)

// Concise cuts long words out of a message, which may quote what was given: a SMILES of 100,000 letters
// would hide what is wrong with it.
func Concise(message string) string {
	return words.ReplaceAllStringFunc(message, func(word string) string {
		if len(word) <= longestWord {
			return word
		}
		return fmt.Sprintf("%s…%s (%d bytes)", strings.ToValidUTF8(word[:wordHead], ""),
			strings.ToValidUTF8(word[len(word)-wordTail:], ""), len(word))
	})
}

var words = regexp.MustCompile(`\S+`)
