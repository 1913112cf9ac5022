package main

import (
	"bytes"
	"cmp"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// mistakes are command lines that fail, and advise something. All that they advise is followed, and must succeed, or
// else end with the text that is given.
var mistakes = []struct{ line, ends string }{
	// What was forgotten.
	{line: "greed search mols.smi"},
	{line: "greed search acetic acid"},
	{line: "greed search acetic acid mols.smi -k 1"},
	{line: "greed ged acetic acid CCO"},
	{line: "greed sed vitamin C 50-81-7"},
	{line: "greed embed mols.smi -o new.npy"},
	{line: "greed join mols.smi --radius"},
	{line: "greed search CCO mols.smi --time-limit"},
	{line: "greed search CCO mols.smi --time-limit -1s", ends: "want a time above 0"},
	{line: "greed ged mols.smi two.smi"},
	{line: "greed ged mols.smi mixed.smi --skip-bad"},
	{line: "greed index export mols.index"},

	// What is misspelt.
	{line: "greed serach CCO mols.smi"},
	{line: "greed index biuld mols.smi -o new.index"},
	{line: "greed search CCO mols.smi --radus 2"},
	{line: "greed search CCO mol.smi"},
	{line: "greed search CCO mols.smi --top 5"},
	{line: "greed sar table.csv"},
	{line: "greed search asprin mols.smi"},
	{line: "greed search CCO mols.smi -k three"},
	{line: "greed join mols.smi --radius one"},
	{line: "greed search CCO mols.smi --mode guessed"},
	{line: "greed dataset convert mols.smi --to smile"},
	{line: "greed search CCO mols.smi --costs chem", ends: "want 2: x|y"},

	// What is too much, or contradicts something.
	{line: "greed search CCO mols.smi bogus"},
	{line: "greed search CCO mols.index bogus"},
	{line: "greed search CCO --sed --task ged"},
	{line: "greed search CCO mols.smi --mode predicted --time-limit 1s"},
	{line: "greed search CCO mols.smi --mode checked --certificate new.json"},
	{line: "greed search --smarts CO mols.smi --model bundled:ged"},
	{line: "greed search --smarts CO mols.smi --certificate new.json"},
	{line: "greed search CCO mols.smi -k 0"},
	{line: "greed search CCO mols.index --from sdf"},
	{line: "greed cliffs table.csv --attribute weight --fragments 5 --radius 2"},
	{line: "greed truth CCO CCN -o new.csv --seed 1"},
	{line: "greed ged mols.smi two.smi --matrix --certificate new.json", ends: "add --matrix"},
	{line: "greed dataset convert mols.smi --json"},
	{line: "greed ged CCO CCN --from sdf"},
	{line: "greed index build mols.smi -o new.index --max-nodes 2"},
	{line: "greed index build mols.smi -o new.index --part 1/2 --replace", ends: "want a name that ends in .part"},
	{line: "greed join mols.smi --radius 1 -o new.csv -k 3"},

	// What is of another kind.
	{line: "greed search '[C,N]' bundled"},
	{line: "greed search CCO mixed.smi"},
	{line: "greed embed prose.txt mols.smi -o new.npy"},
	{line: "greed search CCO mols.smi --model gone.safetensors"},
	{line: "greed search CCO mols.smi -o new.xls"},
	{line: "greed index build mols.smi -o mols.index"},
	{line: "greed index build twice.smi -o new.index"},
	{line: "greed search mols.index"},
	{line: "greed search space.txt"},
	{line: "greed serve two.smi"},
	{line: "greed search CCO mols.smi --sed --model bundled:ged"},

	// What else has no effect, or is not there.
	{line: "greed calibrate mols.index --model bundled:ged --radius 2", ends: "has no model"},
	{line: "greed cliffs table.csv --attribute weight --pairs pairs.csv --radius 1"},
	{line: "greed ged CCO CCN --fix 0:0 --matrix"},
	{line: "greed truth CCO CCN -o new.csv --random 0"},
	{line: "greed search CCO mols.smi -o ''"},
	{line: "greed index build mols.smi -o new.part --part 1/2 --hops 1"},
	{line: "greed index export mols.index --to postgres://localhost:1/none --ids new.txt", ends: "connect"},
	{line: "greed index export mols.index -o new.smi --ids new.txt"},
}

// adviceFiles are what the command lines name.
var adviceFiles = map[string]string{
	"mols.smi":  "CCO a\nCCN b\n",
	"two.smi":   "CCO a\nCCC b\nCCCC c\n",
	"mixed.smi": "CCO a\nC1CC b\nCCN c\n",
	"twice.smi": "CCO a\nCCN a\n",
	"table.csv": "smiles,id,weight\nCCO,a,1\nCCN,b,2\n",
	"space.txt": "SMILES\tsynton_id\tsynton#\treaction_id\nC[1*]\ta\t0\tr\nCC[1*]\tb\t0\tr\n" +
		"[1*]O\tc\t1\tr\n[1*]N\td\t1\tr\n",
	"prose.txt": "A text is no model.\n",
}

// TestAdvice follows what errors advise. A shell takes the lines apart; with GREED_ADVICE=shell, as .ci/newcomer has it,
// it runs them, too. The short form follows every third.
func TestAdvice(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	first := t.TempDir()
	t.Chdir(first)
	for name, text := range adviceFiles {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"index build mols.smi -o mols.index", "join table.csv --radius 1 -o pairs.csv"} {
		if text, code := tried(t, strings.Fields(line)); code != 0 {
			t.Fatal(text)
		}
	}
	setUp := func() {
		again := t.TempDir()
		if err := os.CopyFS(again, os.DirFS(first)); err != nil {
			t.Fatal(err)
		}
		t.Chdir(again)
	}
	var said []string
	for i, words := range shellWords(t, mistakes) {
		m := mistakes[i]
		if testing.Short() && i%3 > 0 {
			continue
		}
		setUp()
		text, code := tried(t, words)
		if code == 0 || text == "" {
			t.Errorf("%s: code %d, %s", m.line, code, text)
			continue
		}
		said = append(said, text)
		ways := advised(t, words, text)
		if len(ways) == 0 {
			t.Errorf("%s: nothing is advised that can be followed: %s", m.line, text)
		}
		for _, way := range ways {
			setUp()
			got, code := tried(t, way)
			if code != 0 && (m.ends == "" || !strings.Contains(got, m.ends)) {
				t.Errorf("%s\n  says %s  and greed %s\n  ends with %d: %s", m.line, text, strings.Join(way, " "), code, got)
			}
		}
	}
	if !testing.Short() {
		checkTried(t, here, said)
	}
}

// untried is advice of the program that no command line here can be given, and why.
var untried = map[string]string{
	"%s holds the work of an earlier run: add --resume to continue it, or remove it to start again": "learn.txtar stops one",
	"%s %s would overwrite the journal of a command that was stopped or is running, which continues from there: " +
		"name another file, or remove it first": "overwrite.txtar has a journal",
}

// adviceInSource is what a text has that advises something.
var adviceInSource = regexp.MustCompile(`leave (it|them) out|leave out |\(greed |: add --|name another |: is it %s`)

// checkTried: every text of the program that advises something is said to one of the mistakes.
func checkTried(t *testing.T, dir string, said []string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			text := textOf(n)
			if !adviceInSource.MatchString(text) || untried[text] != "" {
				return text == ""
			}
			pattern := regexp.MustCompile(strings.ReplaceAll(verb.ReplaceAllString(regexp.QuoteMeta(text), "\x00"), "\x00", "(?s:.*)"))
			if !slices.ContainsFunc(said, pattern.MatchString) {
				t.Errorf("%s: no mistake is answered by %q", filepath.Base(file), text)
			}
			return false
		})
	}
}

// verb is a verb of package fmt, in a quoted pattern.
var verb = regexp.MustCompile(`%(\\\[\d\\\])?[vsdqw]`)

// textOf returns the text that an expression of string literals makes, with %v for what is none; "" of other nodes.
func textOf(n ast.Node) string {
	switch x := n.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(x.Value); err == nil && x.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		if left, right := textOf(x.X), textOf(x.Y); x.Op == token.ADD && left+right != "" {
			return cmp.Or(left, "%v") + cmp.Or(right, "%v")
		}
	}
	return ""
}

// shellWords returns how a shell takes command lines apart, without the name of the program.
func shellWords(t *testing.T, list []struct{ line, ends string }) (all [][]string) {
	var script strings.Builder
	for _, m := range list {
		script.WriteString("set -- " + strings.TrimPrefix(m.line, "greed ") + "\nprintf '%s\\0' \"$@\"; printf '\\n\\0'\n")
	}
	shell := exec.Command("sh", "-fc", script.String())
	out, err := shell.Output()
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for word := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if word == "\n" {
			all, words = append(all, words), nil
		} else {
			words = append(words, word)
		}
	}
	return all
}

// tried runs a command line, and returns the error that it prints, without the hint at its help.
func tried(t *testing.T, words []string) (text string, code int) {
	t.Helper()
	if os.Getenv("GREED_ADVICE") == "shell" {
		var line []string
		for _, w := range words {
			line = append(line, shellWord(w))
		}
		process := exec.Command("sh", "-c", "greed "+strings.Join(line, " "))
		var messages bytes.Buffer
		process.Stderr = &messages
		err := process.Run()
		if process.ProcessState == nil {
			t.Fatal(err)
		}
		return errorIn(messages.String()), process.ProcessState.ExitCode()
	}
	out, messages := os.Stdout, os.Stderr
	defer func() { os.Stdout, os.Stderr = out, messages }()
	nothing, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer nothing.Close()
	errs, err := os.Create(filepath.Join(t.TempDir(), "errors"))
	if err != nil {
		t.Fatal(err)
	}
	defer errs.Close()
	os.Stdout, os.Stderr = nothing, errs
	code = run(context.Background(), words)
	all, err := os.ReadFile(errs.Name())
	if err != nil {
		t.Fatal(err)
	}
	return errorIn(string(all)), code
}

// errorIn returns the error among messages.
func errorIn(messages string) string {
	for line := range strings.Lines(messages) {
		if text, found := strings.CutPrefix(line, "greed: "); found {
			return text
		}
	}
	return ""
}

// The forms of advice.
var (
	adviceCommand = regexp.MustCompile(`(?:\(|: )greed ((?:'[^']*'|[^()'])*)\)`)
	adviceLeave   = regexp.MustCompile(`leave out ([^;:.)]*)|leave (?:it|them) out`)
	adviceAdd     = regexp.MustCompile(`: add (--[\w-]+)(?: [^,]*, or (--[\w-]+))?`)
	adviceFlags   = regexp.MustCompile(`\(([^()]*--[^()]*)\)`)
	adviceFlag    = regexp.MustCompile(`(--[a-z][\w-]*)(?: ([A-Z]+|\d+|yes)\b)?`)
	adviceAs      = regexp.MustCompile(`write such a value as (--[\w-]+)(=[^)]*)`)
	adviceIs      = regexp.MustCompile(`(?:is it|did you mean) "?([^"?]*)"?\?`)
	adviceWant    = regexp.MustCompile(`: (?:want|ask for) (a whole number|a number|a time with its unit|at least (?:1|one))`)
	adviceOneOf   = regexp.MustCompile(`(?:want one of|neither a file nor one of|written are|it has) ([\w",. -]+)`)
	adviceWith    = regexp.MustCompile(`(?:goes with|name a \w+ with) (--?[\w-]+)`)
	adviceEnds    = regexp.MustCompile(`(?:want a name that|written to files whose names) ends? in (\.\w+)(?:,? (?:or|and)? ?(\.\w+))*`)
	adviceOther   = regexp.MustCompile(`name another (?:file|folder)`)
	adviceModel   = regexp.MustCompile(`bundled:ged (?:and|or) bundled:sed`)
)

// example values of what advice names by its kind.
var kinds = map[string]string{"a whole number": "3", "a number": "3", "a time with its unit": "30s", "at least 1": "1", "at least one": "1"}

// advised returns the command lines that an error advises, for one of these words.
func advised(t *testing.T, words []string, text string) (ways [][]string) {
	t.Helper()
	takes := flagsOf(words)
	text, shown, _ := strings.Cut(strings.TrimSpace(text), "; for example: ")
	if name, _, found := strings.Cut(text, " has no value: want "); found {
		_, value, _ := strings.Cut(shown+" ", " "+name+" ")
		value, _, _ = strings.Cut(value, " ")
		ways = append(ways, valued(words, takes, name, value))
	}
	for _, m := range adviceWith.FindAllStringSubmatch(text, -1) {
		way := append(slices.Clone(words), m[1])
		switch flag := takes[m[1]]; {
		case m[1] == "-o":
			way = append(way, "new.smi")
		case !flag.IsBool():
			way = append(way, "1")
		}
		ways = append(ways, way)
	}
	for _, m := range adviceCommand.FindAllStringSubmatch(text, -1) {
		line := strings.NewReplacer("QUERY", "CCO", "CORE", "CO").Replace(m[1])
		ways = append(ways, shellWords(t, []struct{ line, ends string }{{line: line}})...)
	}
	for _, m := range adviceLeave.FindAllStringSubmatchIndex(text, -1) {
		named := ""
		if m[2] >= 0 {
			named = strings.TrimSpace(text[m[2]:m[3]])
		}
		flags := flagsNamed(named)
		if named == "" || named == "one of them" || named == "the others" {
			flags = flagsNamed(text[:m[0]])
		}
		switch {
		case named == "one of them":
			for _, f := range flags {
				ways = append(ways, without(words, takes, f))
			}
		case len(flags) > 0 && named == "" && strings.Contains(text[m[0]:m[1]], " it "):
			ways = append(ways, without(words, takes, flags[0]))
		case len(flags) > 0:
			ways = append(ways, without(words, takes, flags...))
		default: // arguments, or flags by the names of their fields
			way := words
			for _, name := range strings.Fields(named) {
				if way = without(way, takes, "--"+name); slices.Contains(way, name) {
					at := slices.Index(way, name)
					way = slices.Delete(slices.Clone(way), at, at+1)
				}
			}
			ways = append(ways, way)
		}
	}
	for _, m := range adviceAdd.FindAllStringSubmatch(text, -1) {
		for _, f := range m[1:] {
			if f != "" {
				ways = append(ways, append(slices.Clone(words), f))
			}
		}
	}
	if m := adviceAs.FindStringSubmatch(text); m != nil {
		at := slices.Index(words, m[1])
		ways = append(ways, slices.Concat(words[:at], []string{m[1] + m[2]}, words[at+2:]))
	} else {
		for _, clause := range adviceFlags.FindAllStringSubmatch(text, -1) {
			for _, m := range adviceFlag.FindAllStringSubmatch(clause[1], -1) {
				if flag, known := takes[m[1]]; known && flag.IsBool() == (m[2] == "") {
					way := append(slices.Clone(words), m[1])
					if m[2] != "" {
						way = append(way, strings.Replace(m[2], "FILE", "new.file", 1))
					}
					ways = append(ways, way)
				}
			}
		}
	}
	if m := adviceIs.FindStringSubmatch(text); m != nil {
		ways = append(ways, replaced(words, text, m[1]))
	}
	if m := adviceWant.FindStringSubmatch(text); m != nil {
		ways = append(ways, valued(words, takes, text, kinds[m[1]]))
	}
	if m := adviceOneOf.FindStringSubmatch(text); m != nil {
		for name := range strings.SplitSeq(strings.ReplaceAll(m[1], `"`, ""), ",") {
			if name = strings.TrimSpace(name); name != "" && !strings.Contains(name, " ") {
				ways = append(ways, replaced(words, text, name))
			}
		}
	}
	if m := adviceEnds.FindStringSubmatch(text); m != nil {
		for _, ending := range regexp.MustCompile(`\.\w+`).FindAllString(m[0], -1) {
			ways = append(ways, valued(words, takes, "-o", "new"+ending))
		}
	}
	if adviceOther.MatchString(text) {
		ways = append(ways, valued(words, takes, "-o", "another.json"))
	}
	if adviceModel.MatchString(text) {
		at := slices.IndexFunc(words, func(w string) bool { return strings.Contains(text, w+" is taken for <model>") })
		if at >= 0 {
			ways = append(ways, slices.Insert(slices.Clone(words), at, "bundled:ged"))
		} else {
			ways = append(ways, replaced(words, text, "bundled:ged"))
		}
	}
	return ways
}

var flagWord = regexp.MustCompile(`(?:^|[\s(])(--?[a-z][\w-]*)`)

// flagsNamed returns the flags that a text names.
func flagsNamed(text string) (list []string) {
	for _, m := range flagWord.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// flagsOf returns the flags of a command, by all their names.
func flagsOf(words []string) map[string]*kong.Flag {
	takes := make(map[string]*kong.Flag)
	node := newParser(new(commands), words...).Model.Node
	for i := 0; node != nil; i++ {
		for _, f := range node.Flags {
			takes["--"+f.Name] = f
			if f.Short != 0 {
				takes["-"+string(f.Short)] = f
			}
		}
		var next *kong.Node
		for _, child := range node.Children {
			if i < len(words) && child.Name == words[i] {
				next = child
			}
		}
		node = next
	}
	return takes
}

// without returns words without flags and their values.
func without(words []string, takes map[string]*kong.Flag, flags ...string) (rest []string) {
	leave := make(map[*kong.Flag]bool)
	for _, f := range flags {
		leave[takes[f]] = true
	}
	for i := 0; i < len(words); i++ {
		name, _, has := strings.Cut(words[i], "=")
		switch flag := takes[name]; {
		case flag == nil || !leave[flag]:
			rest = append(rest, words[i])
		case !has && !flag.IsBool():
			i++
		}
	}
	return rest
}

// valued returns words with another value of the flag that a text begins with.
func valued(words []string, takes map[string]*kong.Flag, text, value string) []string {
	flag := takes[strings.TrimSuffix(strings.Fields(text)[0], ":")]
	way := slices.Clone(words)
	for i, w := range way {
		switch {
		case flag == nil || takes[w] != flag:
		case i+1 < len(way):
			way[i+1] = value
		default:
			return append(way, value)
		}
	}
	return way
}

// replaced returns words with another in place of the last that a text names.
func replaced(words []string, text, by string) []string {
	way := slices.Clone(words)
	for i, w := range slices.Backward(way) {
		if by != w && regexp.MustCompile(`(?:^|[\s"])`+regexp.QuoteMeta(w)+`(?:$|[\s",:;?)])`).MatchString(text) {
			way[i] = by
			break
		}
	}
	return way
}
