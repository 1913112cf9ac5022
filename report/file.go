package report

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/greedgraph/greed/internal/atomicfile"
)

// CheckName returns an error unless a report can be written to a file of this name.
func CheckName(name string) error {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".html", ".htm":
		return nil
	}
	return fmt.Errorf("%s: a report is written as .html", name)
}

// WriteFile writes the document to a file of a name that [CheckName] allows.
func (d *Document) WriteFile(name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	return atomicfile.Write(name, d.WriteHTML)
}
