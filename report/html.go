package report

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"io"
	"strings"
)

//go:embed page.css
var pageStyle string

//go:embed svg.css
var svgStyle string

//go:embed page.html
var pageSource string

// WriteHTML writes the document as one page that needs nothing else.
func (d *Document) WriteHTML(w io.Writer) error {
	page, err := template.New("page").Funcs(template.FuncMap{
		"paragraphs": paragraphs,
		"paper":      exact,
		"words":      isWords,
		"groups":     groups,
		"at":         func(i int) string { return fmt.Sprintf("s%d", i+1) },
	}).Parse(pageSource)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	var b strings.Builder
	if err := page.Execute(&b, struct {
		*Document
		Style template.CSS
	}{d, template.CSS(pageStyle + svgStyle)}); err != nil {
		return err
	}
	_, err = io.WriteString(w, allowed(b.String()))
	return err
}

// paragraphs divides a text at empty lines.
func paragraphs(text string) []string {
	var list []string
	for p := range strings.SplitSeq(text, "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			list = append(list, p)
		}
	}
	return list
}

// isWords reports whether a cell is a sentence, which may be wrapped.
func isWords(c Cell) bool { return c.Value == nil && len(c.Text) > 24 }

// group is figures that stand side by side, or one other block.
type group struct {
	Charts []*figure
	Block  Block
}

// groups puts figures that follow each other side by side.
func groups(blocks []Block) []group {
	var list []group
	for _, b := range blocks {
		f := b.figure()
		switch {
		case f == nil:
			list = append(list, group{Block: b})
		case len(list) > 0 && list[len(list)-1].Charts != nil:
			last := &list[len(list)-1]
			last.Charts = append(last.Charts, f)
		default:
			list = append(list, group{Charts: []*figure{f}})
		}
	}
	return list
}

// figure is a chart of any kind. Its exported methods are for the page's template.
type figure struct {
	Title, Note, csv string
	drawing          *drawing
}

// figure returns what a block draws, or nil.
func (b Block) figure() *figure {
	switch {
	case b.Plot != nil:
		return &figure{b.Plot.Title, b.Plot.Note, b.Plot.csv(), b.Plot.draw()}
	case b.Scene != nil:
		return &figure{b.Scene.Title, "", "", b.Scene.draw()}
	}
	return nil
}

// SVG returns the drawing, which is made of numbers and of texts that are escaped.
func (f *figure) SVG() template.HTML { return template.HTML(f.drawing.svg(f.Title, false)) }

// CSV returns a link to the numbers, "" if there are none.
func (f *figure) CSV() template.URL {
	if f.csv == "" {
		return ""
	}
	return csvLink(f.csv)
}

// File is the name of the download.
func (f *figure) File() string { return fileName(f.Title) + ".csv" }

// csvLink returns a link that has the text in itself.
func csvLink(text string) template.URL {
	return template.URL("data:text/csv;charset=utf-8;base64," + base64.StdEncoding.EncodeToString([]byte(text)))
}

// Link is for the page's template.
func (t *Table) Link() template.URL { return csvLink(t.csv()) }

// File is the name of the table's download.
func (t *Table) File() string { return fileName(t.Title) + ".csv" }

// fileName makes a file's name of a title.
func fileName(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(html.UnescapeString(title)) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := strings.Trim(b.String(), "-")
	if len(name) > 60 {
		name = strings.Trim(name[:60], "-")
	}
	if name == "" {
		return "data"
	}
	return name
}
