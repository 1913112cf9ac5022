package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/greedgraph/greed/internal/atomicfile"
)

// manCommand writes the manual pages of all commands, for packages.
type manCommand struct {
	Dir string `arg:"" help:"The folder to write to, created if necessary."`
}

// Help shows below the usage of the command.
func (manCommand) Help() string {
	return "Writes the manual pages: greed.1, and a page for each command, such as greed-search.1. They are made of the same texts as --help."
}

// Run writes the pages.
func (c *manCommand) Run(s *session) error {
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return err
	}
	var write func(n *kong.Node) error
	write = func(n *kong.Node) error {
		if n.Hidden {
			return nil
		}
		if err := atomicfile.WriteBytes(filepath.Join(c.Dir, pageName(n)+".1"), manPage(n, newVersion())); err != nil {
			return err
		}
		for _, child := range n.Children {
			if err := write(child); err != nil {
				return err
			}
		}
		return nil
	}
	return write(newParser(new(commands)).Model.Node)
}

// pageName returns the name of the page of a command: greed-index-build.
func pageName(n *kong.Node) string {
	if n.Parent == nil {
		return n.Name
	}
	return pageName(n.Parent) + "-" + n.Name
}

// manPage returns the page of a command in roff, with the macros of man(7).
func manPage(n *kong.Node, v version) []byte {
	p := new(page)
	day, _, _ := strings.Cut(v.Date, "T")
	p.line(`.TH %q 1 %q "greed %s" "greed"`, strings.ToUpper(pageName(n)), day, v.Version)
	p.line(".SH NAME")
	p.line(`%s \- %s`, roff(pageName(n)), roff(strings.TrimPrefix(strings.TrimSuffix(n.Help, "."), "greed ")))
	p.line(".SH SYNOPSIS")
	p.line(".B %s", roff(n.FullPath()))
	p.line("%s", roff(arguments(n)))
	if detail := strings.TrimSpace(n.Detail); detail != "" {
		p.line(".SH DESCRIPTION")
		p.text(n.Detail)
	}
	if len(n.Children) > 0 {
		p.line(".SH COMMANDS")
		for _, c := range n.Children {
			if !c.Hidden {
				p.item(`\fB`+roff(c.Name)+`\fR`, c.Help+" See "+pageName(c)+"(1).")
			}
		}
	}
	if len(n.Positional) > 0 {
		p.line(".SH ARGUMENTS")
		for _, a := range n.Positional {
			p.item(`\fI`+roff(a.Name)+`\fR`, a.Help)
		}
	}
	p.flags(n)
	p.line(".SH EXIT STATUS")
	p.line("0, or 1 after an error, or 2 if the command was not understood.")
	if n.Parent != nil {
		p.line(".SH SEE ALSO")
		p.line(`.BR %s (1)`, roff(pageName(n.Parent)))
	}
	return p.Bytes()
}

func arguments(n *kong.Node) string {
	text := ""
	for _, a := range n.Positional {
		text += a.Summary() + " "
	}
	if len(n.Children) > 0 {
		text += "<command> "
	}
	return text + "[flags]"
}

// page is a manual page that is being written.
type page struct{ bytes.Buffer }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) item(head, text string) {
	p.line(".TP\n%s\n%s", head, roff(text))
}

// flags writes those of the command, then those of all commands, under their groups.
func (p *page) flags(n *kong.Node) {
	all := n.AllFlags(true)
	if len(all) == 0 {
		return
	}
	p.line(".SH OPTIONS")
	group := ""
	for i := len(all) - 1; i >= 0; i-- { // the command's own are last
		for _, f := range all[i] {
			title := ""
			if f.Group != nil {
				title = f.Group.Title
			} else if group != "" {
				title = "Of all commands:"
			}
			if title != group {
				p.line(".SS %s", roff(strings.TrimSuffix(title, ":")))
				group = title
			}
			p.flag(f)
		}
	}
}

func (p *page) flag(f *kong.Flag) {
	name := "--" + f.Name
	if f.Tag.Negatable != "" {
		name = "--[no-]" + f.Name
	}
	head := `\fB` + roff(name) + `\fR`
	if f.Short != 0 {
		head = `\fB` + roff("-"+string(f.Short)) + `\fR, ` + head
	}
	if !f.IsBool() {
		head += `=\fI` + roff(f.FormatPlaceHolder()) + `\fR`
	}
	help := f.Help
	if len(f.Envs) > 0 {
		help += " (Environment: " + strings.Join(f.Envs, ", ") + ".)"
	}
	p.item(head, help)
}

// text writes paragraphs; lines that are set in stay as they are.
func (p *page) text(text string) {
	literal := false
	for _, line := range strings.Split(strings.Trim(text, "\n"), "\n") {
		setIn := strings.HasPrefix(line, "    ")
		switch {
		case line == "" && literal:
			p.line("")
			continue
		case line == "":
			p.line(".PP")
			continue
		case setIn && !literal:
			p.line(".RS 4\n.nf")
		case !setIn && literal:
			p.line(".fi\n.RE")
		}
		literal = setIn
		p.line("%s", roff(strings.TrimPrefix(line, "    ")))
	}
	if literal {
		p.line(".fi\n.RE")
	}
}

// roff writes text so that nothing in it is taken for an instruction.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
