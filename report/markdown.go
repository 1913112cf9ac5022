package report

import (
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes the document as Markdown. It gives each figure, an SVG with a style
// of its own, to save, which returns the link to it.
func (d *Document) WriteMarkdown(w io.Writer, save func(name string, svg []byte) (string, error)) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", Plain(d.Title))
	text(&b, d.Lead)
	facts(&b, d.Facts)
	for i, s := range d.Sections {
		fmt.Fprintf(&b, "## %s\n\n", Plain(s.Title))
		text(&b, s.Text)
		for k, block := range s.Blocks {
			text(&b, block.Text)
			if block.Table != nil {
				block.Table.markdown(&b)
			}
			f := block.figure()
			if f == nil {
				continue
			}
			link, err := save(fmt.Sprintf("%d-%d-%s.svg", i+1, k+1, fileName(f.Title)), []byte(f.drawing.svg(f.Title, true)))
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "![%s](%s)\n\n", Plain(f.Title), link)
			text(&b, f.Note)
		}
		facts(&b, s.Facts)
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

func text(b *strings.Builder, s string) {
	for _, p := range paragraphs(s) {
		b.WriteString(Plain(p) + "\n\n")
	}
}

func facts(b *strings.Builder, list []Fact) {
	for _, f := range list {
		fmt.Fprintf(b, "- %s: %s\n", Plain(f.Name), Plain(f.Value))
	}
	if len(list) > 0 {
		b.WriteString("\n")
	}
}

func (t *Table) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "**%s**\n\n", Plain(t.Title))
	b.WriteString("|")
	for _, name := range t.Columns {
		b.WriteString(" " + Plain(name) + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", max(0, len(t.Columns)-1)) + "\n")
	published := false
	for _, row := range t.Rows {
		b.WriteString("|")
		for _, c := range row {
			cell := Plain(c.Text)
			if c.Best {
				cell = "**" + cell + "**"
			}
			if c.Paper != nil {
				cell += " (" + exact(*c.Paper) + ")"
				published = true
			}
			b.WriteString(" " + cell + " |")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	if published {
		b.WriteString("In parentheses: the paper's figures.\n\n")
	}
	text(b, t.Note)
}

// Plain returns a text that Markdown shows as it is.
func Plain(s string) string {
	return strings.NewReplacer(
		"\n", " ", "\r", " ", "\\", "\\\\", "|", "\\|", "<", "&lt;", "&", "&amp;", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]",
	).Replace(s)
}
