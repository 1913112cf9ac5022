package main

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/help"
	"github.com/greedgraph/greed/operation"
)

// newParser returns the parser of a command line that begins with words, without the commands
// that it does not name: half of the time that the program takes to start went into them. A
// line that names no command first, such as --help, gets them all.
func newParser(cli *commands, words ...string) *kong.Kong {
	usual := kong.NewRegistry().RegisterDefaults()
	options := []kong.Option{
		kong.Name("greed"),
		kong.Description("greed finds graphs by graph edit distance: exact, learnt, explained."),
		kong.TypeMapper(reflect.TypeFor[operation.Costs](), kong.MapperFunc(mapCosts)),
		kong.TypeMapper(reflect.TypeFor[operation.Pairs](), kong.MapperFunc(mapPairs)),
		kong.KindMapper(reflect.Slice, listMapper(usual.ForType(reflect.TypeFor[[]string]()))),
		kong.KindMapper(reflect.Map, listMapper(usual.ForType(reflect.TypeFor[map[string]string]()))),
		kong.NamedMapper("existingfile", existing("existingfile")),
		kong.NamedMapper("existingdir", existing("existingdir")),
		kong.NamedMapper("model", existingModel()),
		kong.Vars(help.Parse(flagTexts)),
		kong.Groups{"training": "Model and training:"},
		kong.PostBuild(describe(help.All())),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: widestHelp}),
		kong.Help(printHelp),
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

// helpFiles has a text for each command, which is printed below its usage, and in shared what
// several of them say.
//
//go:embed help
var helpFiles embed.FS

// helpOf returns the text for a command, which may have none.
func helpOf(n *kong.Node) string {
	text, err := helpFiles.ReadFile("help/" + pageName(n) + ".txt")
	if err != nil {
		return ""
	}
	return sharedHelp.ReplaceAllStringFunc(string(text), func(mark string) string {
		name := strings.Trim(mark, "{}")
		if name == "formats" {
			return formatsHelp()
		}
		shared, err := helpFiles.ReadFile("help/shared/" + name + ".txt")
		if err != nil {
			panic("greed: " + err.Error()) // the files are the program's own
		}
		return string(shared)
	})
}

// sharedHelp matches the marks that stand for what several texts say.
var sharedHelp = regexp.MustCompile(`{{\w+}}`)

// formatsHelp lists the formats of graphs.
func formatsHelp() string {
	text := "Formats:\n\n"
	for _, f := range dataset.Formats() {
		text += "    " + f.Name + ": " + f.Description
		switch {
		case !f.Writes:
			text += " (read only)"
		case !f.Reads:
			text += " (write only)"
		}
		text += "\n"
	}
	return text
}

// describe gives commands their texts, and flags that are fields of operations their help.
func describe(texts help.Texts) func(*kong.Kong) error {
	return func(k *kong.Kong) error {
		k.Model.Detail = helpOf(k.Model.Node)
		return kong.Visit(k.Model, func(node kong.Visitable, next kong.Next) error {
			switch x := node.(type) {
			case *kong.Node:
				x.Detail = helpOf(x)
			case *kong.Flag:
				if !x.Tag.Has("doc") {
					break
				}
				if x.Help = texts.Expand(x.Tag.Get("doc")); x.Default != "" {
					x.Help += " (default " + x.Default + ")"
				}
				x.Help = strings.ToUpper(x.Help[:1]) + x.Help[1:] + "."
			}
			return next(nil)
		})
	}
}

// mapCosts reads the flag of costs that belong to an operation: a name, a JSON object or a file.
func mapCosts(ctx *kong.DecodeContext, target reflect.Value) error {
	var name string
	if err := ctx.Scan.PopValueInto("costs", &name); err != nil {
		return err
	}
	costs := operation.CostsOf(name)
	if _, known := edit.Named(name); !known && !strings.HasPrefix(strings.TrimSpace(name), "{") {
		text, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			err = fmt.Errorf("%s is neither a file nor one of %s", name, strings.Join(edit.Names(), ", "))
		}
		if err != nil {
			return err
		}
		costs = operation.CostsIn(name, text)
	}
	target.Set(reflect.ValueOf(costs))
	return nil
}

// mapPairs reads the flag of pairs of nodes. They may begin with a dash, as no flag of one
// letter does that a colon follows.
func mapPairs(ctx *kong.DecodeContext, target reflect.Value) error {
	if next := ctx.Scan.Peek(); !strings.HasPrefix(next.String(), "-:") {
		var text string
		err := ctx.Scan.PopValueInto("string", &text)
		target.SetString(text)
		return err
	}
	target.SetString(ctx.Scan.Pop().String())
	return nil
}

// existing returns kong's mapper of files or folders that exist, which takes the empty text for the
// working folder.
func existing(kind string) kong.Mapper {
	usual := listMapper(kong.NewRegistry().RegisterDefaults().ForNamedType(kind, nil))
	return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		next := ctx.Scan.Peek()
		if next.Value == "" {
			return errors.New("the name is empty")
		}
		err := usual.Decode(ctx, target)
		path, given := next.Value.(string)
		switch {
		case !given || !next.IsValue() || kind != "existingfile":
		case err != nil:
			return errorOfFile(path, err)
		case target.Kind() == reflect.String && !strings.HasPrefix(path, "~"): // not whole, as messages have it
			target.SetString(path)
		}
		return err
	})
}

// notZero returns an error for a flag that is given as 0 where operations take 0 for one that is
// not given, and want at least 1.
func notZero(command *kong.Context) error {
	for _, f := range command.Flags() {
		if f.Set && f.Tag.Get("minimum") == "1" && f.Target.IsZero() {
			return usageError(fmt.Sprintf("--%s 0: want at least 1; leave it out for the default", f.Name))
		}
	}
	return nil
}

// notEmpty returns an error for a flag or an argument that is given as the empty text: that of a
// shell's variable that is not set. Arguments that may be are tagged empties.
func notEmpty(command *kong.Context) error {
	for _, p := range command.Path {
		switch {
		case p.Flag != nil && isEmpty(p.Flag.Value):
			return usageError(fmt.Sprintf("--%s is empty: give it a value, or leave it out", p.Flag.Name))
		case p.Positional != nil && !p.Positional.Tag.Has("empties") && isEmpty(p.Positional):
			return usageError(fmt.Sprintf("the argument <%s> is empty", p.Positional.Name))
		}
	}
	return nil
}

func isEmpty(v *kong.Value) bool {
	if list, ok := v.Target.Interface().([]string); ok {
		return len(list) == 0 || slices.Contains(list, "")
	}
	return v.Target.Kind() == reflect.String && v.Target.Len() == 0
}

// isGiven reports whether a command line has a flag. Flags that it has not may have defaults.
func isGiven(command *kong.Context, name string) bool {
	return slices.ContainsFunc(command.Path, func(p *kong.Path) bool { return p.Flag != nil && p.Flag.Name == name })
}

// setTask lets --sed set the task, unless --task says otherwise.
func setTask(command *kong.Context, sed bool, task *string) error {
	switch {
	case !sed:
		return nil
	case isGiven(command, "task") && *task != edit.SED.String():
		return usageError("--sed is --task sed: leave out --task " + *task)
	}
	*task = edit.SED.String()
	return nil
}
