// Command greed-lab measures greed, repeats the evaluation of the GREED paper and trains
// the systems that it compares with. Run it with --help.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"

	"github.com/alecthomas/kong"
	"golang.org/x/term"
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
	JSON     bool  `name:"json" help:"Print JSON for programs."`
	Workers  int   `default:"0" placeholder:"N" help:"Compute on N threads; 0: one per core."`
	Progress *bool `negatable:"" help:"Show progress on standard error (default: if that is a terminal)."`

	Ged         gedCommand         `cmd:"" help:"Measure the solver of GED and SED."`
	Planted     plantedCommand     `cmd:"" help:"Measure large call graphs with edits that are known."`
	Index       indexCommand       `cmd:"" help:"Measure exact search over vectors."`
	Certify     certifyCommand     `cmd:"" help:"Measure proven searches."`
	Load        loadCommand        `cmd:"" help:"Measure a running service under load."`
	Accuracy    accuracyCommand    `cmd:"" help:"Measure how well models predict, compared with the paper."`
	Baseline    baselineCommand    `cmd:"" help:"Train and measure the systems that the paper compares with."`
	Gscbench    gscbenchCommand    `cmd:"" help:"Train and evaluate by the protocol of GSCBench."`
	Paper       paperCommand       `cmd:"" help:"Repeat the paper's evaluation: every table and figure, as a page."`
	Method      methodCommand      `cmd:"" help:"Bound distances by a published method."`
	Containment containmentCommand `cmd:"" help:"Measure searches for molecules that contain a fragment or match a SMARTS."`
	Nearest     nearestCommand     `cmd:"" help:"Measure searches for the nearest of members of a collection."`
	Recall      recallCommand      `cmd:"" help:"Measure what share of near graphs predictions with a recall find."`
	Get         getCommand         `cmd:"" help:"Build the benchmark datasets from their original sources."`
}

// Help is printed below the usage of the program.
func (commands) Help() string {
	return `
docs/benchmarks.md explains what is measured, docs/datasets.md where the data comes from.

    greed-lab ged --only molecules        measure the solver on molecules
    greed-lab get --list                  list the benchmark datasets
    greed-lab paper --smoke -o paper      check that the paper's evaluation can run

The exit code is 0, or 1 after an error, or 2 if the command was not understood.
`
}

func newParser(cli *commands) *kong.Kong {
	return kong.Must(cli,
		kong.Name("greed-lab"),
		kong.Description("greed-lab measures greed and the systems that it is compared with."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
	)
}

// run carries out a command line and returns the exit code.
func run(ctx context.Context, args []string) int {
	var cli commands
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := newParser(&cli).Parse(args)
	if err == nil && cli.Workers < 0 {
		err = usageError(fmt.Sprintf("--workers is %d: want a number of threads, or 0 for one per core", cli.Workers))
	}
	if err == nil {
		out := bufio.NewWriter(os.Stdout)
		err = command.Run(newSession(ctx, &cli, out))
		if flushErr := out.Flush(); err == nil {
			err = flushErr
		}
	}
	var parsed *kong.ParseError
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &parsed), errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "greed-lab: %v\nRun \"greed-lab --help\" for how to use it.\n", err)
		return exitUsage
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		fmt.Fprintln(os.Stderr, "greed-lab: interrupted")
	default:
		fmt.Fprintf(os.Stderr, "greed-lab: %v\n", err)
	}
	return exitError
}

// usageError is an error in the use of a command, found by the command itself.
type usageError string

func (e usageError) Error() string { return string(e) }

// session is what a command runs in.
type session struct {
	ctx      context.Context
	out      io.Writer
	json     bool
	workers  int
	progress bool
	noted    map[string]bool
}

func newSession(ctx context.Context, cli *commands, out io.Writer) *session {
	s := &session{ctx: ctx, out: out, json: cli.JSON, workers: cli.Workers, noted: make(map[string]bool)}
	if s.workers == 0 {
		s.workers = runtime.GOMAXPROCS(0)
	}
	s.progress = term.IsTerminal(int(os.Stderr.Fd()))
	if cli.Progress != nil {
		s.progress = *cli.Progress
	}
	return s
}

// printJSON prints v on a line of its own.
func (s *session) printJSON(v any) error { return json.NewEncoder(s.out).Encode(v) }

// note prints a remark that is not part of the answer, once.
func (s *session) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !s.noted[text] {
		s.noted[text] = true
		fmt.Fprintf(os.Stderr, "note: %s\n", text)
	}
}

// printTable prints a table of figures. It returns an error if the measurement was
// interrupted.
func (s *session) printTable(table interface{ Write(io.Writer) error }) error {
	var err error
	if s.json {
		err = s.printJSON(table)
	} else {
		err = table.Write(s.out)
	}
	if err != nil {
		return err
	}
	return s.ctx.Err()
}
