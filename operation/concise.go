package operation

import (
	"fmt"
	"strings"
	"unicode"
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
	var b strings.Builder
	for rest := message; rest != ""; {
		end := strings.IndexFunc(rest, unicode.IsSpace)
		if end < 0 {
			end = len(rest)
		}
		if word := rest[:end]; end <= longestWord {
			b.WriteString(word)
		} else {
			fmt.Fprintf(&b, "%s…%s (%d bytes)", strings.ToValidUTF8(word[:wordHead], ""), strings.ToValidUTF8(word[end-wordTail:], ""), end)
		}
		rest = rest[end:]
		begin := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsSpace(r) })
		if begin < 0 {
			begin = len(rest)
		}
		b.WriteString(rest[:begin])
		rest = rest[begin:]
	}
	return b.String()
}
