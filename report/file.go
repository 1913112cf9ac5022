package report

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/greedgraph/greed/internal/atomicfile"
)

// CheckName returns an error unless a report can be written to a file of this name.
func CheckName(name string) error {
	if form(name) == "" {
		return fmt.Errorf("%s: a report is written as .html or .md", name)
	}
	return nil
}

func form(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".html", ".htm":
		return "html"
	case ".md", ".markdown":
		return "md"
	}
	return ""
}

// WriteFile writes the document to a file, as HTML or Markdown by its name. Beside
// Markdown the figures go to a folder that is named after the file, NAME-figures.
func (d *Document) WriteFile(name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if form(name) == "html" {
		return atomicfile.Write(name, d.WriteHTML)
	}
	folder := strings.TrimSuffix(name, filepath.Ext(name)) + "-figures"
	save := func(file string, svg []byte) (string, error) {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return "", err
		}
		link := strings.ReplaceAll(path.Join(filepath.Base(folder), file), " ", "%20")
		return link, atomicfile.WriteBytes(filepath.Join(folder, file), svg)
	}
	return atomicfile.Write(name, func(w io.Writer) error { return d.WriteMarkdown(w, save) })
}
