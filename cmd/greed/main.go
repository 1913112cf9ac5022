// Command greed finds graphs by graph edit distance. Run it with --help.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/postgres"
)

// Exit codes of a command that failed, and of one that was not understood.
const (
	exitError = 1
	exitUsage = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(run(ctx, os.Args[1:]))
}

// commands is the command line. Every command has a file of its own.
type commands struct {
	globals
	ShowVersion versionFlag `name:"version" help:"Print the version and exit."`

	Search    searchCommand    `cmd:"" help:"Find the graphs of a collection nearest to a query, or that contain it."`
	Ged       gedCommand       `cmd:"" help:"Compute graph edit distances."`
	Sed       sedCommand       `cmd:"" help:"Compute subgraph edit distances."`
	Diff      diffCommand      `cmd:"" help:"${commands_diff}"`
	Mcs       mcsCommand       `cmd:"" help:"Find the largest subgraph that two graphs have in common."`
	Verify    verifyCommand    `cmd:"" help:"Check a certificate of distances without the solver."`
	Truth     truthCommand     `cmd:"" help:"Compute the true distances of many pairs and write them to a file."`
	Join      joinCommand      `cmd:"" help:"Find all pairs of graphs within a distance."`
	Cliffs    cliffsCommand    `cmd:"" help:"${commands_cliffs}"`
	SAR       sarCommand       `cmd:"" name:"sar" help:"Take a series of molecules apart into a core and R-groups."`
	Merge     mergeCommand     `cmd:"" help:"Merge the parts of a divided truth, join or embed."`
	Train     trainCommand     `cmd:"" help:"Learn to predict the distances of a collection."`
	Index     indexCommand     `cmd:"" help:"Build and maintain an index: a collection with its models and vectors."`
	Serve     serveCommand     `cmd:"" help:"Serve searches over HTTP, with a web page and an API."`
	Mcp       mcpCommand       `cmd:"" help:"Serve an assistant over the Model Context Protocol."`
	Calibrate calibrateCommand `cmd:"" help:"Learn how far predictions must reach to find what lies within a radius."`
	Eval      evalCommand      `cmd:"" help:"Evaluate a model against true distances."`
	Embed     embedCommand     `cmd:"" help:"Turn graphs into vectors."`
	Predict   predictCommand   `cmd:"" help:"Predict distances from vectors."`
	Dataset   datasetCommand   `cmd:"" help:"Describe, convert, sample, split and check collections of graphs."`
	Pipe      pipeCommand      `cmd:"" hidden:"" help:"${commands_pipe}"`
	Version   versionCommand   `cmd:"" help:"Print the version."`

	Completion completionCommand `cmd:"" help:"Print a shell completion script."`
	Complete   completeCommand   `cmd:"" hidden:"" help:"${commands_complete}"`
	Man        manCommand        `cmd:"" hidden:"" help:"${commands_man}"`
}

// globals are the flags that every command has.
type globals struct {
	JSON     bool  `name:"json" help:"Print JSON for programs."`
	Workers  int   `default:"0" placeholder:"N" help:"Compute on N threads; 0: one per core."`
	Progress *bool `negatable:"" help:"Show progress on standard error (default: if that is a terminal)."`
}

// mostFlags bounds how many flags a command line has: parsing them takes memory in proportion to their square, 270 MB
// for 4,000.
const mostFlags = 1000

// flagsIn returns how many words may be flags.
func flagsIn(args []string) (n int) {
	for _, a := range args {
		if a == "--" {
			break
		}
		if strings.HasPrefix(a, "-") {
			n++
		}
	}
	return n
}

// withoutEnd leaves out the word that ends the flags if many follow it, none like a flag: parsing copies all of them
// once for each. It is an error if one of so many may be a flag.
func withoutEnd(args []string) ([]string, error) {
	at := slices.Index(args, "--")
	if at < 0 || len(args)-at-1 <= mostFlags {
		return args, nil
	}
	rest := args[at+1:]
	if slices.ContainsFunc(rest, func(a string) bool { return strings.HasPrefix(a, "-") }) {
		return nil, usageError(fmt.Sprintf("%d words follow --, some with a - in front: want at most %d", len(rest),
			mostFlags))
	}
	return slices.Concat(args[:at], rest), nil
}

// run carries out a command line and returns the exit code.
func run(ctx context.Context, args []string) int {
	var cli commands
	switch {
	case len(args) == 0:
		args = []string{"--help"}
	case args[0] == "help": // of a command, as --help after it
		args = append(slices.Clone(args[1:]), "--help")
	}
	if n := flagsIn(args); n > mostFlags {
		return misunderstood(args, usageError(fmt.Sprintf("there are %d flags, want at most %d", n, mostFlags)), nil)
	}
	plain, err := withoutEnd(args)
	if err != nil {
		return misunderstood(args, err, nil)
	}
	command, err := newParser(&cli, args...).Parse(plain)
	if err == nil && cli.Workers < 0 {
		err = usageError(fmt.Sprintf("--workers is %d: want a number of threads, or 0 for one per core", cli.Workers))
	}
	if unwritten, ok := errors.AsType[*fs.PathError](err); ok && unwritten.Op == "write" { // help, or the version
		fmt.Fprintf(os.Stderr, "greed: %s\n", err)
		return exitError
	}
	if err != nil {
		if parsed, ok := errors.AsType[*kong.ParseError](err); ok {
			command = parsed.Context
			err = inPlainWords(err, command)
		}
		return misunderstood(args, takenApart(args, err), command)
	}
	s := newSession(ctx, cli.globals)
	if err = cmp.Or(notEmpty(command), keepInputs(command), notZero(command)); err == nil {
		err = command.Run(s)
	}
	success, failure := 0, exitError
	if status, ok := errors.AsType[*exitStatus](err); ok {
		success, failure, err = status.code, status.code, status.error
	}
	if closeErr := errors.Join(s.rejects.close(), s.out.Close()); err == nil {
		err = closeErr
	}
	s.release()
	var usage usageError
	if err != nil && ctx.Err() == nil {
		err = takenApart(args, err)
	}
	switch {
	case err == nil:
		return success
	case errors.As(err, &usage):
		return misunderstood(args, err, command)
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		fmt.Fprintln(os.Stderr, "greed: interrupted")
	default:
		fmt.Fprintf(os.Stderr, "greed: %s\n", withoutPasswords(args, err))
	}
	return failure
}

// exitStatus is the exit code of a command that has its own, with the error if there is one.
type exitStatus struct {
	code int
	error
}

// usageError is an error in the use of a command, found by the command itself.
type usageError string

func (e usageError) Error() string { return string(e) }

// withoutPasswords returns the text of an error, in which addresses of databases that the command
// line names are without their passwords.
func withoutPasswords(args []string, err error) string {
	text := dataset.Spell(err, flagOf)
	for _, arg := range args {
		_, value, _ := strings.Cut(arg, "=")
		for _, name := range []string{arg, value} {
			if postgres.IsAddress(name) {
				text = strings.ReplaceAll(text, name, postgres.Shown(name))
			}
		}
	}
	return printableLines(text)
}

// session is the environment of a command.
type session struct {
	ctx      context.Context
	out      *output
	json     bool
	workers  int
	width    int // of the terminal that answers go to; 0: they go elsewhere
	progress bool
	log      bool // lines for a log in place of progress: there is no terminal

	rejects rejects
	stdin   bool // standard input has been read

	remarks []dataset.Note // of what is read and written

	mu    sync.Mutex      // of what follows
	noted map[string]bool // remarks made
	// holds makes remarks wait until the answer is written, but for one: see [session.lead].
	holds bool
	led   bool
	held  []string
}

func newSession(ctx context.Context, g globals) *session {
	s := &session{ctx: ctx, out: newOutput(os.Stdout), json: g.JSON, workers: g.Workers, width: widthOf(os.Stdout)}
	if s.workers == 0 {
		s.workers = runtime.GOMAXPROCS(0)
	}
	s.progress = term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb" // which only appends
	s.log = !s.progress && g.Progress == nil
	if g.Progress != nil {
		s.progress = *g.Progress
	}
	return s
}

// note prints a remark that is not part of the answer, once.
func (s *session) note(format string, args ...any) {
	text := printableLines(fmt.Sprintf(format, args...))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.noted[text] {
		return
	}
	if s.noted == nil {
		s.noted = make(map[string]bool)
	}
	s.noted[text] = true
	if s.holds {
		s.held = append(s.held, text)
		return
	}
	fmt.Fprintf(os.Stderr, "note: %s\n", text)
}

// remark prints the notes of what is read or written.
func (s *session) remark(name string, notes []dataset.Note) {
	for _, n := range notes {
		s.note("%s: %s", name, n.Spell(flagOf))
		s.mu.Lock()
		s.noted[n.Text] = true // results repeat it
		s.mu.Unlock()
	}
	s.remarks = append(s.remarks, notes...)
}

// allNotes returns what was said of all that was read or written, for the result of a command as a whole.
func (s *session) allNotes() []dataset.Note { return dataset.Merge(s.remarks) }

// said reports whether a note has been printed.
func (s *session) said(n dataset.Note) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.noted[n.Text]
}

// flagOf spells an option with a value as flags are.
func flagOf(s dataset.Setting) string {
	name := "--" + strings.ReplaceAll(s.Option, "_", "-")
	switch s.Option {
	case "format":
		name = "--from"
	case "smarts": // of a search, whatever the command
		name = "greed search --smarts"
	}
	if s.Value == "" || s.Value == "true" {
		return name
	}
	return name + " " + shellWord(s.Value)
}

// shellWord returns a text as a shell reads it as one word.
func shellWord(text string) string {
	if text == "" || strings.ContainsAny(text, ` ()$*?[]{}|;&<>#~'"\`+"`\t\n") { // what it would not leave as it is
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return text
}

// lead makes a remark that whoever reads the answer should know before. There is one of
// them; others wait as notes do.
func (s *session) lead(format string, args ...any) {
	s.mu.Lock()
	holds := s.holds
	s.holds = s.holds && s.led
	s.led = true
	s.mu.Unlock()
	s.note(format, args...)
	s.mu.Lock()
	s.holds = holds
	s.mu.Unlock()
}

// release makes the remarks that waited.
func (s *session) release() {
	for _, text := range s.held {
		fmt.Fprintf(os.Stderr, "note: %s\n", text)
	}
	s.held = nil
}
