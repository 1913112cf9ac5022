package main

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// completeCommand completes command lines for shells. The first line says what kind of words may follow
// (words, files, folders); each later line has a word and, after a tab, its meaning.
type completeCommand struct {
	Words []string `arg:"" optional:"" empties:"" help:"${complete_words}"`
}

// Run prints what may come next.
func (c *completeCommand) Run(s *session) error {
	next := complete(newParser(new(commands)).Model.Node, c.Words)
	fmt.Fprintln(s.out, next.kind)
	for _, w := range next.words {
		fmt.Fprintf(s.out, "%s\t%s\n", w.text, w.about)
	}
	return nil
}

// completion is a possible continuation.
type completion struct {
	kind  string // words, files, folders
	words []word
}

type word struct{ text, about string }

// complete returns what the last word may become.
func complete(root *kong.Node, words []string) completion {
	if len(words) == 0 {
		words = []string{""}
	}
	at := &position{node: root}
	for _, w := range words[:len(words)-1] {
		at.pass(w)
	}
	return at.next(words[len(words)-1])
}

// position is a position in a command line.
type position struct {
	node  *kong.Node
	takes *kong.Flag // the flag whose value comes next
	given int        // positional arguments of node
	plain bool       // after --
}

// pass consumes a complete word.
func (p *position) pass(w string) {
	switch {
	case p.takes != nil:
		p.takes = nil
	case p.plain || w == "-" || !strings.HasPrefix(w, "-"):
		named := func(c *kong.Node) bool { return c.Name == w || slices.Contains(c.Aliases, w) }
		if i := slices.IndexFunc(p.node.Children, named); i >= 0 && !p.plain {
			p.node, p.given = p.node.Children[i], 0
		} else {
			p.given++
		}
	case w == "--":
		p.plain = true
	default:
		_, _, valued := strings.Cut(w, "=")
		if f := p.flag(w); f != nil && !f.IsBool() && !valued {
			p.takes = f
		}
	}
}

// flag returns the flag that a word names, or nil. Of several short flags in a word the
// last counts, because it may take a value.
func (p *position) flag(w string) *kong.Flag {
	name, _, _ := strings.Cut(strings.TrimPrefix(w, "--"), "=")
	for _, group := range p.node.AllFlags(false) {
		for _, f := range group {
			if long := strings.HasPrefix(w, "--"); long && (f.Name == name || slices.Contains(f.Aliases, name)) ||
				!long && f.Short != 0 && strings.HasSuffix(w, string(f.Short)) {
				return f
			}
		}
	}
	return nil
}

// next returns what a word that is not yet complete may become.
func (p *position) next(w string) completion {
	name, _, valued := strings.Cut(w, "=")
	switch {
	case p.takes != nil:
		return p.values(p.takes.Value, "", w)
	case !p.plain && valued && strings.HasPrefix(w, "--"):
		if f := p.flag(w); f != nil {
			return p.values(f.Value, name+"=", w)
		}
		return completion{kind: "words"}
	case !p.plain && strings.HasPrefix(w, "-"):
		return p.flags(w)
	case len(p.node.Children) > 0:
		var list []word
		for _, c := range p.node.Children {
			if !c.Hidden {
				list = append(list, word{c.Name, c.Help})
			}
		}
		return beginning(list, w)
	case len(p.node.Positional) > 0:
		return p.values(p.node.Positional[min(p.given, len(p.node.Positional)-1)], "", w)
	}
	return completion{kind: "words"}
}

func (p *position) flags(w string) completion {
	var list []word
	for _, group := range p.node.AllFlags(true) {
		for _, f := range group {
			list = append(list, word{"--" + f.Name, f.Help})
			if f.Tag.Negatable != "" {
				list = append(list, word{"--no-" + f.Name, "Not: " + f.Help})
			}
			if f.Short != 0 {
				list = append(list, word{"-" + string(f.Short), f.Help})
			}
		}
	}
	return beginning(list, w)
}

// namedValues holds the values of flags that check their values themselves, by
// placeholder.
var namedValues = map[string][]string{"MODE": {"proven", "checked", "predicted"}, "TASK": {"ged", "sed", "mcs"}}

// values returns the possible values of a flag or an argument, as continuations of what
// is typed. A value that is neither one of a list nor a number is a file.
func (p *position) values(v *kong.Value, before, w string) completion {
	place := v.Name
	if v.Flag != nil {
		place = v.Flag.PlaceHolder
	}
	texts := namedValues[place]
	if v.Enum != "" {
		texts = v.EnumSlice()
	}
	var list []word
	for _, text := range texts {
		list = append(list, word{before + text, ""})
	}
	switch {
	case len(list) > 0:
		return beginning(list, w)
	case v.Tag.Type == "existingdir" || place == "DIR":
		return completion{kind: "folders"}
	case v.Flag == nil || v.Tag.Type == "existingfile" || v.Tag.Type == "model" || strings.Contains(place, "FILE") ||
		place == "PAIRS":
		return completion{kind: "files"}
	}
	return completion{kind: "words"}
}

// beginning returns the words that begin as one does.
func beginning(list []word, w string) completion {
	return completion{"words", slices.DeleteFunc(list, func(x word) bool { return !strings.HasPrefix(x.text, w) })}
}

// completionCommand prints what makes a shell complete command lines.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

//go:embed completion
var completionScripts embed.FS

// Run prints the script.
func (c *completionCommand) Run(s *session) error {
	text, err := completionScripts.ReadFile("completion/greed." + c.Shell)
	if err != nil {
		return err
	}
	_, err = s.out.Write(text)
	return err
}
