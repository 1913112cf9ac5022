package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/greedgraph/greed/lab/paper"
)

type paperCommand struct {
	Out    string   `short:"o" default:"paper" placeholder:"DIR" help:"Folder for the report, and for results from which the same command continues (default paper)."`
	Quick  bool     `xor:"size" help:"Short trainings and a share of the pairs: about an hour on two cores."`
	Smoke  bool     `xor:"size" help:"Everything as short as possible, to check in some minutes that all data and programs are there; the figures mean nothing."`
	Data   string   `default:"../shared/data" placeholder:"DIR" help:"Folder with the collections (default ../shared/data); docs/datasets.md says how to fill it."`
	Splits string   `default:"lab/splits" placeholder:"DIR" help:"Folder with the committed splits and lists of pairs (default lab/splits)."`
	Only   []string `placeholder:"NAME" help:"Experiments to run (default: all)."`

	Systems []string `placeholder:"NAME" help:"Systems to evaluate, such as greed-paper,greed (default: all)."`

	For        time.Duration `placeholder:"TIME" help:"Stop after this time, such as 2h, and keep what is done and where trainings are; the same command continues."`
	Part       string        `placeholder:"I/N" help:"Do the I-th of N shares of the collections, with a folder for each machine; their folders outcomes, copied into one, make the whole report."`
	ReportOnly bool          `help:"Measure nothing: write the report of the outcomes that are there."`
}

// Help is printed below the usage of the command.
func (paperCommand) Help() string {
	return `
Repeats the evaluation of the GREED paper: every table and figure, with the systems that
it compares, each number beside the paper's. It writes DIR/report.html, a self-contained
page. First it estimates how long it will take. Ctrl-C stops, and writes a report of what
is done; the same command continues, also after a crash. The report names the files that
are missing in --data and the experiments that need them. lab/paper/README.md says how
systems are compared.

    greed-lab paper --smoke -o paper
    greed-lab paper --quick -o paper
    greed-lab paper -o paper
    greed-lab paper --quick --only ged-accuracy,node-maps -o paper
    greed-lab paper --for 2h --part 1/3 -o paper

Experiments: ` + strings.Join(paper.Names(), ", ") + ".\n\nSystems: " + strings.Join(paper.Systems(), ", ") + ".\n"
}

// parts reads the share that is asked for: the I-th, from 1, of N.
func (c *paperCommand) parts() (i, n int, err error) {
	if c.Part == "" {
		return 0, 0, nil
	}
	before, after, _ := strings.Cut(c.Part, "/")
	i, first := strconv.Atoi(before)
	n, second := strconv.Atoi(after)
	if errors.Join(first, second) != nil || i < 1 || i > n {
		return 0, 0, usageError(fmt.Sprintf("--part is %q: want I/N, such as 2/3", c.Part))
	}
	return i, n, nil
}

// Run measures and writes the report.
func (c *paperCommand) Run(s *session) error {
	o := paper.Options{Data: filepath.Clean(c.Data), Splits: c.Splits, Folder: c.Out, Only: c.Only, Systems: c.Systems,
		Scale:   paper.Whole(),
		Workers: s.workers}
	if c.Quick {
		o.Scale = paper.Quick()
	}
	if c.Smoke {
		o.Scale = paper.Smoke()
	}
	shown := paperProgress{s: s, terminal: term.IsTerminal(int(os.Stderr.Fd()))}
	o.Progress = shown.show
	o.Note = func(text string) {
		shown.finish()
		s.note("%s", text)
	}
	var err error
	if o.Part, o.Parts, err = c.parts(); err != nil {
		return err
	}
	switch {
	case c.For < 0:
		return usageError(fmt.Sprintf("--for is %v: want a time above 0", c.For))
	case c.ReportOnly:
		err = paper.Write(o)
	default:
		err = c.measure(s, o, shown.finish)
	}
	shown.finish()
	switch {
	case errors.Is(err, paper.ErrUnknown):
		return usageError(err.Error())
	case err != nil && (s.ctx.Err() == nil || !errors.Is(err, s.ctx.Err())):
		return err
	}
	if s.json {
		if printErr := s.printJSON(map[string]string{"html": filepath.Join(c.Out, "report.html")}); printErr != nil {
			return printErr
		}
	} else if _, printErr := fmt.Fprintf(s.out, "%s\n", filepath.Join(c.Out, "report.html")); printErr != nil {
		return printErr
	}
	return err
}

// measure does the jobs, as long as it may.
func (c *paperCommand) measure(s *session, o paper.Options, shown func()) error {
	ctx := s.ctx
	if c.For > 0 {
		limited, stop := context.WithTimeout(ctx, c.For)
		defer stop()
		ctx = limited
	}
	if text := o.Scale.Scaled(); text != "" {
		s.note("%s", text)
	}
	jobs, done, left, err := paper.Estimate(ctx, o)
	shown()
	if err == nil {
		s.note("%d jobs: %d done, about %s left for %d threads if nothing else runs", jobs, done, about(left),
			s.workers)
		err = paper.Run(ctx, o)
	}
	if s.ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		shown()
		s.note("the %s are over: the same command continues", c.For)
		return paper.Write(o) // the time may have ended before there was a report
	}
	return err
}

// about rounds a time for people.
func about(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return d.Round(time.Second).String()
	case d < 3*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.0f h", d.Hours())
	}
	return fmt.Sprintf("%.0f days", d.Hours()/24)
}

// paperProgress shows a line that changes on a terminal, and one line a job elsewhere if
// progress is asked for.
type paperProgress struct {
	s        *session
	terminal bool
	job      string
	shown    time.Time
	wide     int
}

func (p *paperProgress) show(now paper.Progress) {
	if !p.s.progress {
		return
	}
	next := now.Job != p.job
	if !next && (!p.terminal || time.Since(p.shown) < time.Second/2) {
		return
	}
	p.job, p.shown = now.Job, time.Now()
	line := fmt.Sprintf("%d of %d, %s: %s", now.Jobs+1, now.All, now.Job, cmp.Or(now.Stage, "working"))
	if now.Total > 0 {
		line += fmt.Sprintf(", %d %%", 100*now.Done/now.Total)
	}
	line += fmt.Sprintf("; %s so far", about(now.Elapsed))
	if now.Left > 0 {
		line += fmt.Sprintf(", about %s left", about(now.Left))
	}
	if !p.terminal {
		fmt.Fprintln(os.Stderr, line)
		return
	}
	fmt.Fprintf(os.Stderr, "\r%-*s", p.wide, line)
	p.wide = len(line)
}

// finish ends the line.
func (p *paperProgress) finish() {
	if p.wide > 0 {
		fmt.Fprintln(os.Stderr)
		p.wide = 0
	}
}
