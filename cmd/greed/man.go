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

// Run writes the pages.
func (c *manCommand) Run(s *session) error {
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return err
	}
	k := newParser(new(commands))
	var write func(n *kong.Node) error
	write = func(n *kong.Node) error {
		if n.Hidden {
			return nil
		}
		page, err := manPage(k, n, newVersion())
		if err == nil {
			err = atomicfile.WriteBytes(filepath.Join(c.Dir, pageName(n)+".1"), page)
		}
		for _, child := range n.Children {
			if err == nil {
				err = write(child)
			}
		}
		return err
	}
	return write(k.Model.Node)
}

// pageName returns the name of the page of a command: greed-index-build.
func pageName(n *kong.Node) string { return strings.ReplaceAll(n.FullPath(), " ", "-") }

// manWidth is how long the lines of a page are: terminals have 80 columns, of which man leaves some free.
const manWidth = 72

// manPage returns the page of a command in roff, with the macros of man(7): what --help prints.
func manPage(k *kong.Kong, n *kong.Node, v version) ([]byte, error) {
	var help, page bytes.Buffer
	k.Stdout = &help
	at, err := kong.Trace(k, strings.Fields(n.FullPath())[1:])
	if err == nil {
		err = kong.DefaultHelpPrinter(kong.HelpOptions{Compact: true, WrapUpperBound: manWidth,
			ValueFormatter: kong.DefaultHelpValueFormatter}, at)
	}
	day, _, _ := strings.Cut(v.Date, "T")
	fmt.Fprintf(&page, ".TH %q 1 %q \"greed %s\" \"greed\"\n", strings.ToUpper(pageName(n)), day, v.Version)
	fmt.Fprintf(&page, ".SH NAME\n%s \\- %s\n", roff(pageName(n)),
		roff(strings.TrimPrefix(strings.TrimSuffix(n.Help, "."), "greed ")))
	page.WriteString(".SH DESCRIPTION\n.nf\n")
	for line := range strings.Lines(help.String()) {
		page.WriteString(roff(line))
	}
	page.WriteString(".fi\n.SH EXIT STATUS\n0, or 1 after an error, or 2 if the command was not understood.\n")
	if n.Parent != nil {
		fmt.Fprintf(&page, ".SH SEE ALSO\n.BR %s (1)\n", roff(pageName(n.Parent)))
	}
	return page.Bytes(), err
}

// roff writes text so that nothing in it is read as a request of roff.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
