package main

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/greedgraph/greed/operation"
)

// newParser returns the parser of a command line that begins with words, without the commands
// that it does not name: half of the time that the program takes to start went into them. A
// line that names no command first, such as --help, gets them all.
func newParser(cli *commands, words ...string) *kong.Kong {
	options := []kong.Option{
		kong.Name("greed"),
		kong.Description("greed finds graphs by graph edit distance: exact, learnt, explained."),
		kong.TypeMapper(reflect.TypeFor[operation.Costs](), kong.MapperFunc(mapCosts)),
		kong.TypeMapper(reflect.TypeFor[operation.Pairs](), kong.MapperFunc(mapPairs)),
		kong.PostBuild(describeFlags),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
	}
	if others := notNamed(reflect.TypeFor[commands](), words); others != nil {
		options = append(options, kong.IgnoreFields("^("+strings.Join(others, "|")+")$"))
	}
	return kong.Must(cli, options...)
}

// notNamed returns the commands, as fields of t and of the one that is named, whose names are
// not the next word. If none has this name, it returns nil.
func notNamed(t reflect.Type, words []string) []string {
	if len(words) == 0 {
		return nil
	}
	var others []string
	var named reflect.Type
	for f := range t.Fields() {
		switch _, command := f.Tag.Lookup("cmd"); {
		case !command:
		case strings.ToLower(f.Name) == words[0]:
			named = f.Type
		default:
			others = append(others, regexp.QuoteMeta(t.Name()+"."+f.Name))
		}
	}
	if named == nil {
		return nil
	}
	return slices.Concat(others, notNamed(named, words[1:]))
}
