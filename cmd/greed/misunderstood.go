package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/chemname"
	"github.com/greedgraph/greed/dataset"
)

// misunderstood reports an error of usage.
func misunderstood(args []string, err error, command *kong.Context) int {
	usage := "greed"
	if command != nil && command.Selected() != nil {
		usage = command.Selected().FullPath()
	}
	fmt.Fprintf(os.Stderr, "greed: %s\nRun \"%s --help\" for help.\n", withoutPasswords(args, err), usage)
	return exitUsage
}

// What kong says of a command line that it does not understand.
var (
	saidNoValue    = regexp.MustCompile(`^(\S+): (?:expected \S+ value but got "EOL"|missing value, expecting)`)
	saidDashed     = regexp.MustCompile(`^(--[\w-]+): expected \S+ value but got "([^"]*)" \(.*\); perhaps try`)
	saidWrongValue = regexp.MustCompile(`^(\S+): (?:expected an? .* but got|expected duration but got|` +
		`bool value must be .* but got) ("(?:[^"\\]|\\.)*")`)
	saidNoneOf     = regexp.MustCompile(`^(\S+) must be one of (.*) but got ("(?:[^"\\]|\\.)*")`)
	saidNoFlag     = regexp.MustCompile(`^unknown flag (--?[\w-]+)`)
	saidNoFlags    = regexp.MustCompile(`^missing flags: (.*)$`)
	saidNoArgument = regexp.MustCompile(`^expected "(<[^"]*>)`)
	saidNoCommand  = regexp.MustCompile(`^expected one of "|^expected "\w`)
	saidTooMany    = regexp.MustCompile(`(?s)^unexpected argument (.*?)(?:, did you mean (?:one of )?(".*")\?)?$`)
)

// elsewhereCalled has flags by the names that other programs give them.
var elsewhereCalled = map[string]string{
	"n": "k", "top": "k", "limit": "k", "count": "k", "num": "k", "output": "out", "threads": "workers",
	"jobs": "workers", "timeout": "time-limit", "distance": "radius", "columns": "show", "where": "filter",
}

// inPlainWords says what kong says in words that name the flag or the argument, and shows an example.
func inPlainWords(err error, command *kong.Context) error {
	text, at := err.Error(), command.Selected()
	if at == nil {
		at = command.Model.Node
	}
	if m := saidDashed.FindStringSubmatch(text); m != nil {
		return usageError(fmt.Sprintf("%s has no value: %s begins with a dash, so it is read as a flag (write such "+
			"a value as %s=%s)", m[1], m[2], m[1], m[2]))
	}
	if m := saidNoValue.FindStringSubmatch(text); m != nil {
		return usageError(spoken(command, m[1]) + " has no value" + wanted(valueOf(command, m[1])) + example(at, m[1]))
	}
	if m := saidWrongValue.FindStringSubmatch(text); m != nil {
		_, from, _ := strings.Cut(text, " (from envar ")
		if from != "" {
			from = " (from envar " + from
		}
		return usageError(spoken(command, m[1]) + " " + m[2] + wanted(valueOf(command, m[1])) +
			example(at, m[1]) + from)
	}
	if m := saidNoFlags.FindStringSubmatch(text); m != nil {
		name, _, _ := strings.Cut(m[1], "=")
		return usageError(strings.ReplaceAll(m[1], "=", " ") + " is missing: " + at.FullPath() + " needs it" +
			example(at, name))
	}
	if m := saidNoArgument.FindStringSubmatch(text); m != nil {
		return missingArgument(strings.Trim(m[1], `"`), at)
	}
	if saidNoCommand.MatchString(text) {
		return usageError(at.FullPath() + " wants a command: " + strings.Join(commandsOf(at), ", ") + example(at, ""))
	}
	if m := saidTooMany.FindStringSubmatch(text); m != nil {
		return tooMany(m[1], m[2], at)
	}
	if m := saidNoFlag.FindStringSubmatch(text); m != nil {
		if name := elsewhereCalled[strings.TrimLeft(m[1], "-")]; valueOf(command, "--"+name) != nil {
			return usageError(fmt.Sprintf("unknown flag %s: is it %s?", m[1], spoken(command, "--"+name)))
		}
	}
	if m := saidNoneOf.FindStringSubmatch(text); m != nil {
		names := strings.ReplaceAll(strings.ReplaceAll(m[2], `"`, ""), ",", ", ")
		return usageError(m[1] + " " + m[3] + ": want one of " + names + variableOf(valueOf(command, m[1]), m[3]))
	}
	return err
}

// tooMany is an error of an argument for which there is no place.
func tooMany(word, near string, at *kong.Node) error {
	if names := commandsOf(at); len(names) > 0 {
		text := fmt.Sprintf("there is no command %s of %s", field(word), at.FullPath())
		if near != "" {
			return usageError(text + ": is it " + strings.ReplaceAll(near, `"`, "") + "?")
		}
		return usageError(text + ": it has " + strings.Join(names, ", "))
	}
	var places []string
	for _, p := range at.Positional {
		places = append(places, p.Summary())
	}
	if len(places) == 0 {
		return usageError(fmt.Sprintf("%s is one argument too many: %s takes none", field(word), at.FullPath()))
	}
	return usageError(fmt.Sprintf("%s is one argument too many: %s takes %s", field(word), at.FullPath(),
		strings.Join(places, " ")))
}

// missingArgument says which argument is missing, and what those that are given were taken for.
func missingArgument(name string, at *kong.Node) error {
	var places, given []string
	for _, p := range at.Positional {
		places = append(places, p.Summary())
		for _, text := range paths(p) {
			if text != "" {
				given = append(given, fmt.Sprintf("%s is taken for %s (%s)", field(text), p.Summary(),
					strings.TrimSuffix(p.Help, ".")))
			}
		}
	}
	text := fmt.Sprintf("%s is missing: %s wants %s", name, at.FullPath(), strings.Join(places, " "))
	if len(given) > 0 {
		text += "; " + strings.Join(given, ", ")
	}
	return usageError(text + example(at, ""))
}

// variableOf names the variable that a flag has a value from, in parentheses; "" if none has it.
func variableOf(v *kong.Value, value string) string {
	if v != nil && v.Flag != nil {
		for _, name := range v.Flag.Envs {
			if text := fmt.Sprintf("%q", os.Getenv(name)); text == value {
				return fmt.Sprintf(" (from envar %s=%s)", name, text)
			}
		}
	}
	return ""
}

// commandsOf names the commands of a command that has some.
func commandsOf(n *kong.Node) (names []string) {
	for _, child := range n.Children {
		if !child.Hidden {
			names = append(names, child.Name)
		}
	}
	return names
}

// valueOf returns the flag or the argument that kong calls by a name, nil if there is none.
func valueOf(command *kong.Context, name string) *kong.Value {
	for _, f := range command.Flags() {
		if f.ShortSummary() == name {
			return f.Value
		}
	}
	if at := command.Selected(); at != nil {
		for _, p := range at.Positional {
			if p.ShortSummary() == name {
				return p
			}
		}
	}
	return nil
}

// spoken returns how messages call a flag or an argument: --k is -k.
func spoken(command *kong.Context, name string) string {
	if v := valueOf(command, name); v != nil && v.Flag != nil && len(v.Name) == 1 {
		return "-" + v.Name
	}
	return name
}

// wanted says what a flag or an argument takes.
func wanted(v *kong.Value) string {
	if v == nil {
		return ""
	}
	t := v.Target.Type()
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return ": want a time with its unit, such as 30s or 5m"
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		return ": want a whole number"
	case t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32:
		return ": want a number"
	case t.Kind() == reflect.Bool:
		return ": want true or false"
	case v.Enum != "":
		return ": want one of " + strings.ReplaceAll(v.Enum, ",", ", ")
	case v.Flag != nil:
		return ": want " + v.Flag.FormatPlaceHolder()
	}
	return ""
}

// trailing is what follows a command in an example.
var trailing = regexp.MustCompile(`\s{2,}.*`)

// example returns a command line from the help of a command that has a flag; the first one if it is no flag. It is ""
// if there is none.
func example(n *kong.Node, flag string) string {
	short := flag
	for _, f := range n.Flags {
		if f.ShortSummary() == flag && f.Short != 0 {
			short = "-" + string(f.Short)
		}
	}
	for line := range strings.Lines(n.Detail) {
		line, isExample := strings.CutPrefix(strings.TrimRight(line, "\n"), "    greed ")
		if line = trailing.ReplaceAllString(line, ""); !isExample {
			continue
		}
		words := strings.Fields(line)
		if !strings.HasPrefix(flag, "--") || slices.Contains(words, flag) || slices.Contains(words, short) {
			return "; for example: greed " + line
		}
	}
	return ""
}

// What is looked at together: so many words of a command line, one of them of at least so many letters.
const (
	mostWords = 5
	leastWord = 4
	// mostTyped is how many words people type: longer lines are not looked at, as each word takes milliseconds.
	mostTyped = 32
)

// takenApart returns, in place of an error, that a name of several words needs quotation marks, if a command line has
// one without them.
func takenApart(args []string, err error) error {
	if len(args) > mostTyped {
		return err
	}
	for i := range args {
		for j := i + 2; j <= min(i+mostWords, len(args)); j++ {
			words := args[i:j]
			if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") || isFile(w) }) ||
				!slices.ContainsFunc(words, meansNothing) ||
				!slices.ContainsFunc(words, func(w string) bool { return len(w) >= leastWord }) {
				continue
			}
			name := strings.Join(words, " ")
			if _, known := chemname.Find(name); !known {
				continue
			}
			var line []string
			for _, w := range slices.Concat(args[:i], []string{name}, args[j:]) {
				line = append(line, shellWord(w))
			}
			return usageError(fmt.Sprintf("%s is a name of %d words, and so %d arguments: quote it (greed %s)", name,
				len(words), len(words), strings.Join(line, " ")))
		}
	}
	return err
}

// meansNothing reports whether a word is neither a file nor a molecule.
func meansNothing(word string) bool {
	if dataset.FileName(word) {
		return false
	}
	if _, known := chemname.Find(word); known {
		return false
	}
	_, err := chem.ParseSMILES(word)
	return err != nil
}

// errorOfFile says of a file that is not there, or a folder, that an argument names it.
func errorOfFile(path string, err error) error {
	switch info, statErr := os.Stat(path); {
	case statErr == nil && info.IsDir():
		return fmt.Errorf("%s is a folder: want a file", field(path))
	case errors.Is(err, os.ErrNotExist):
		return missing(path)
	}
	return err
}
