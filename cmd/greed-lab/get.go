package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/greedgraph/greed/lab/catalogue"
)

// getCommand makes the files of a collection for research.
type getCommand struct {
	Name string `arg:"" optional:"" help:"A collection that --list shows."`
	List bool   `help:"List the collections with their owners and the files that are there."`
	From string `placeholder:"FILE|URL" help:"What the owner publishes: a file, a folder, an archive (.zip, .tar, .tar.gz) or its address. Only an address uses the network."`
	Out  string `short:"o" default:"data" placeholder:"DIR" help:"The data folder (default data)."`
}

// Help is printed below the usage of the command.
func (getCommand) Help() string {
	return `
Builds the files that benchmarks read from the original sources. The SHA-256 of the
graphs must be that of the graphs measured in docs/benchmarks.md; otherwise nothing is
written. Without --from it says where the collection comes from, under which licence,
and what to download.

    greed-lab get --list
    greed-lab get linux
    greed-lab get linux --from GEDGNN-main.zip -o data
    greed-lab paper --quick --data data

A download that breaks off is continued by the same command. docs/datasets.md has all
sources.
`
}

// Run lists, explains or makes.
func (c *getCommand) Run(s *session) error {
	if c.List {
		return c.list(s)
	}
	if c.Name == "" {
		return usageError("want the name of a collection, or --list")
	}
	e, err := catalogue.Find(c.Name)
	if err != nil {
		return usageError(err.Error())
	}
	if c.From == "" {
		_, err := fmt.Fprintf(s.out, "%s: %s\nowner: %s\nlicence: %s\n%s\n", e.Name, e.About, e.Owner, e.Licence,
			e.Hand)
		return err
	}
	source, clean, err := c.source(s, e)
	if err != nil {
		return err
	}
	defer clean()
	written, err := e.Get(s.ctx, source, c.Out)
	if errors.Is(err, catalogue.ErrOtherGraphs) {
		err = fmt.Errorf("%w. To use them all the same, greed dataset convert writes them", err)
	}
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(map[string]any{"name": e.Name, "licence": e.Licence, "files": written})
	}
	for _, file := range written {
		if _, err := fmt.Fprintf(s.out, "%s: the graphs that were measured with\n", file); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(s.out, "licence: %s\n", e.Licence)
	return err
}

// source returns a file or a folder that holds the collection, and what removes it if it
// was made for this.
func (c *getCommand) source(s *session, e catalogue.Entry) (file string, clean func(), err error) {
	clean = func() {}
	file = c.From
	if u, err := url.Parse(c.From); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		if err := os.MkdirAll(c.Out, 0o777); err != nil {
			return "", clean, err
		}
		file = filepath.Join(c.Out, e.Name+"-"+path.Base(u.Path))
		if _, err := os.Stat(file); err != nil {
			s.note("downloading %s", c.From)
			if err := catalogue.Download(s.ctx, c.From, file, catalogue.DefaultLimits()); err != nil {
				return "", clean, err
			}
		}
	}
	if !catalogue.IsArchive(file) {
		return file, clean, nil
	}
	folder, err := os.MkdirTemp("", "greed-dataset-")
	if err != nil {
		return "", clean, err
	}
	clean = func() { _ = os.RemoveAll(folder) } // in the system's folder for such
	if err := catalogue.Unpack(file, folder, catalogue.DefaultLimits()); err != nil {
		clean()
		return "", func() {}, err
	}
	return folder, clean, nil
}

func (c *getCommand) list(s *session) error {
	type line struct {
		Name    string   `json:"name"`
		About   string   `json:"about"`
		Owner   string   `json:"owner"`
		Licence string   `json:"licence"`
		Files   []string `json:"files"`
		There   bool     `json:"there"` // in the data folder
	}
	var lines []line
	for _, e := range catalogue.Entries() {
		l := line{e.Name, e.About, e.Owner, e.Licence, nil, true}
		for _, f := range e.Files {
			l.Files = append(l.Files, f.Path)
			if _, err := os.Stat(filepath.Join(c.Out, filepath.FromSlash(f.Path))); err != nil {
				l.There = false
			}
		}
		lines = append(lines, l)
	}
	if s.json {
		return s.printJSON(lines)
	}
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "name\tin %s\tfiles\twhat\n", c.Out)
	for _, l := range lines {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", l.Name, map[bool]string{true: "yes", false: "no"}[l.There],
			strings.Join(l.Files, ", "), l.About)
	}
	return t.Flush()
}
