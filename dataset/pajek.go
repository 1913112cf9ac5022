package dataset

import (
	"bytes"
	"slices"
	"strings"
)

func pajekFormat() format {
	return format{
		name:       "pajek",
		named:      true,
		about:      "network of Pajek, as NetworkX and igraph write it",
		extensions: []string{"net", "pajek", "paj"},
		sniff:      sniffPajek,
		open: func(in *input, e *env) (decoder, error) {
			return &pajek{in: in, env: e, pieces: newPieces(in.r, e, false, splitPajek)}, nil
		},
	}
}

// pajekObjects are the words that begin an object of a Pajek project. All but a
// network, which may lack this line, are about the vertices of one.
var pajekObjects = []string{"*network", "*partition", "*vector", "*permutation", "*cluster", "*hierarchy"}

// pajekSection returns the word that begins a section, in small letters, and what
// follows it on the line. Other lines have no word.
func pajekSection(line []byte) (word, rest string) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '*' {
		return "", ""
	}
	end := bytes.IndexAny(line, " \t:")
	if end < 0 {
		end = len(line)
	}
	return strings.ToLower(string(line[:end])), strings.TrimSpace(string(line[end:]))
}

// sniffPajek requires a network or its vertices first.
func sniffPajek(head []byte) bool {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '%' {
			word, _ := pajekSection(line)
			return word == "*vertices" || word == "*network"
		}
	}
	return false
}

// splitPajek ends a record before the next object, or before vertices without the line
// of a network.
func splitPajek(data []byte) int {
	begun, vertices := false, false
	at := 0
	for line := range bytes.Lines(data) {
		word, _ := pajekSection(line)
		object := slices.Contains(pajekObjects, word)
		if begun && object || vertices && word == "*vertices" {
			return at
		}
		begun = begun || word != ""
		vertices = vertices || word == "*vertices"
		at += len(line)
	}
	return -1
}

// pajekField is a word of a line, or the text between double quotes.
type pajekField struct {
	text   string
	quoted bool
}

// kind tells how the text of a field counts as a label.
func (f pajekField) kind() kind {
	if f.quoted {
		return textKind
	}
	return guessKind(f.text)
}

// pajekLine is the rest of a line. Fields are cut off one by one, because a line can
// hold the whole network.
type pajekLine struct {
	text string
	at   int
}

// next cuts off a field. At the end there is none.
func (l *pajekLine) next() (f pajekField, ok bool, err error) {
	l.text = strings.TrimLeft(l.text, " \t")
	if l.text == "" {
		return f, false, nil
	}
	if l.text[0] != '"' {
		end := strings.IndexAny(l.text, " \t")
		if end < 0 {
			end = len(l.text)
		}
		f.text, l.text = l.text[:end], l.text[end:]
		return f, true, nil
	}
	end := strings.IndexByte(l.text[1:], '"')
	if end < 0 {
		return f, false, errAt(l.at, "found an opening quote without the one that closes it")
	}
	f, l.text = pajekField{l.text[1 : end+1], true}, l.text[end+2:]
	return f, true, nil
}
