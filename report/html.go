package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
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
		"paper":      func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) },
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

// figure is a chart of any kind. Its exported method is for the page's template.
type figure struct {
	Title, Note string
	drawing     *drawing
}

// figure returns what a block draws, or nil.
func (b Block) figure() *figure {
	switch {
	case b.Plot != nil:
		return &figure{b.Plot.Title, b.Plot.Note, b.Plot.draw()}
	case b.Scene != nil:
		return &figure{b.Scene.Title, "", b.Scene.draw()}
	}
	return nil
}

// SVG returns the drawing, which is made of numbers and of texts that are escaped.
func (f *figure) SVG() template.HTML { return template.HTML(f.drawing.svg(f.Title, false)) }
