package main

import (
	"fmt"
	"html"
	"io"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/report"
)

// diffPrinter prints differences.
type diffPrinter struct {
	*diffCommand
	out   *output
	costs edit.Costs
	shown string // the name of the file in git, unless that is empty
	alone bool   // there is one graph on either side; they go by the names of the arguments

	same, changed, removed, added int
	moved                         int // to another name, and the same but for that
}

// form returns what prints a difference: as JSON, as a drawing or as text.
func (w *diffPrinter) form(asJSON bool) func(*difference) error {
	switch {
	case asJSON || w.Format == "json":
		return func(d *difference) error {
			return w.out.printJSON(struct {
				*greed.Difference
				*became
			}{d.Difference, d.became})
		}
	case w.Format == "svg":
		return w.draw
	case w.Format == "markdown":
		return w.text(diffForm{
			heading: "## %s\n\n", group: "\n<details><summary>%s</summary>\n\n", end: "\n</details>\n",
			name:  markdownText,
			about: html.EscapeString, most: commentSize,
			fact: func(text string) string { return "- " + text + "\n" },
			line: func(kind diff.Kind, text string) string {
				return "- " + strings.TrimLeft(string(kind)+" "+text, " ") + "\n"
			},
		})
	}
	asIs := func(text string) string { return text }
	fact := func(text string) string { return "  " + text + "\n" }
	if w.coloured() {
		colour := map[diff.Kind]int{diff.Removed: 31, diff.Renamed: 33, diff.Moved: 36, diff.Added: 32}
		return w.text(diffForm{
			heading: "\x1b[1m%s\x1b[0m\n", group: "\n\x1b[2m%s\x1b[0m\n", name: asIs, about: asIs, fact: fact,
			line: func(kind diff.Kind, text string) string {
				return fmt.Sprintf("  \x1b[%dm%s %s\x1b[0m\n", colour[kind], diffSigns[kind], text)
			},
		})
	}
	return w.text(diffForm{
		heading: "%s\n", group: "\n%s\n", name: asIs, about: asIs, fact: fact,
		line: func(kind diff.Kind, text string) string { return "  " + diffSigns[kind] + " " + text + "\n" },
	})
}

// markdownText returns a text that Markdown shows as it is.
func markdownText(s string) string {
	return strings.NewReplacer(
		"\n", " ", "\r", " ", "\\", "\\\\", "|", "\\|", "<", "&lt;", "&", "&amp;", "*", "\\*", "_", "\\_", "`", "\\`",
		"[", "\\[", "]", "\\]",
	).Replace(s)
}

func (w *diffPrinter) title(rec *dataset.Record, arg string) string {
	if w.shown != "" {
		return printable(w.shown)
	}
	if w.alone {
		return printable(arg)
	}
	return field(rec.ID)
}

func (w *diffPrinter) oldTitle(d *difference) string { return w.title(d.old, w.Old) }

func (w *diffPrinter) newTitle(d *difference) string { return w.title(d.new, w.New) }

// diffForm is the form of the text: the headings of a graph and of a group, and a line of each kind.
type diffForm struct {
	heading, group, end string // end follows a group
	fact                func(text string) string
	line                func(kind diff.Kind, text string) string
	name, about         func(text string) string // of a graph or a node, and of a group
	most                int                      // bytes after which changes are only counted; 0: any
}

// commentSize is how much Markdown has before changes are only counted. Comments on reviews have at most 65,536
// characters.
const commentSize = 40_000

var diffSigns = map[diff.Kind]string{diff.Removed: "-", diff.Renamed: "~", diff.Moved: ">", diff.Added: "+"}

// text returns what prints for people.
func (w *diffPrinter) text(f diffForm) func(*difference) error {
	return func(d *difference) error {
		var b strings.Builder
		switch {
		case d.Same && d.became.moved():
			w.moved++
			fmt.Fprintf(&b, f.heading, f.name(w.titles(d)))
			b.WriteString(f.fact(f.name(d.became.text())))
		case d.Same:
			if w.same++; !w.alone {
				return nil // as diff does: what is the same is counted
			}
			fmt.Fprintf(&b, "%s\n", f.name(fmt.Sprintf("%s and %s are %s", w.oldTitle(d), w.newTitle(d),
				greed.SameGraph(edit.GED, w.costs, d.NotCompared))))
		case d.new == nil && w.shown != "":
			fmt.Fprintf(&b, f.heading, f.name(fmt.Sprintf("removed: %s (%s)", w.oldTitle(d), sizeOf(d.old))))
		case d.old == nil && w.shown != "":
			fmt.Fprintf(&b, f.heading, f.name(fmt.Sprintf("added: %s (%s)", w.newTitle(d), sizeOf(d.new))))
		case d.new == nil:
			w.removed++
			fmt.Fprintf(&b, f.heading, f.name(fmt.Sprintf("only in %s: %s (%s)", printable(w.Old), w.oldTitle(d),
				sizeOf(d.old))))
			w.sayFate(&b, f, d)
		case d.old == nil:
			w.added++
			fmt.Fprintf(&b, f.heading, f.name(fmt.Sprintf("only in %s: %s (%s)", printable(w.New), w.newTitle(d),
				sizeOf(d.new))))
			w.sayFate(&b, f, d)
		default:
			w.changed++
			w.whole(&b, f, d)
		}
		if !w.alone {
			b.WriteString("\n")
		}
		_, err := io.WriteString(w.out, b.String())
		return err
	}
}

// sayFate prints what became of a function besides the changes of its graph.
func (w *diffPrinter) sayFate(b *strings.Builder, f diffForm, d *difference) {
	if d.became != nil && d.Fate != "" {
		b.WriteString(f.fact(f.name(printable(d.became.text()))))
	}
}

// begin prints what became of the functions of a program.
func (w *diffPrinter) begin(p *programs, asJSON bool) error {
	if p == nil || asJSON || w.Format == "json" || w.Format == "svg" {
		return nil
	}
	lines := p.lines()
	if len(lines) == 0 {
		return nil
	}
	for i, line := range lines {
		lines[i] = printable(line)
		if w.Format == "markdown" {
			lines[i] = "- " + markdownText(lines[i])
		}
	}
	_, err := fmt.Fprintf(w.out, "%s\n\n", strings.Join(lines, "\n"))
	return err
}

// whole prints all changes of a graph.
func (w *diffPrinter) whole(b *strings.Builder, f diffForm, d *difference) {
	fmt.Fprintf(b, f.heading, f.name(w.titles(d)))
	fmt.Fprintf(b, "%s: %s\n", knownOf(d), tally(d.Groups))
	w.sayFate(b, f, d)
	if d.Match == diff.ByNames {
		b.WriteString(f.fact(namesFixed))
	}
	for _, line := range d.Summary {
		b.WriteString(f.fact(f.name(printable(line))))
	}
	for i, g := range d.Groups {
		if f.most > 0 && b.Len() > f.most {
			fmt.Fprintf(b, "\n%s more; the text has them all\n", count(len(d.Groups)-i, "change"))
			break
		}
		fmt.Fprintf(b, f.group, f.about(printable(heading(i, g))))
		for k, c := range g.Changes {
			if f.most > 0 && b.Len() > f.most {
				b.WriteString(f.line("", fmt.Sprintf("%d more", len(g.Changes)-k)))
				break
			}
			b.WriteString(f.line(c.Kind, f.name(printable(changeText(c)))))
		}
		b.WriteString(f.end)
	}
	if len(d.Transformations) > 0 {
		fmt.Fprintf(b, f.group, "as fragments")
		for _, x := range d.Transformations {
			b.WriteString(f.line("", f.name(printable(x.String()))))
		}
		b.WriteString(f.end)
	}
	if w.Map {
		fmt.Fprintf(b, f.group, "nodes, old to new")
		for v, x := range d.Difference.Map {
			if x != edit.Deleted {
				b.WriteString("  " + f.name(nodeText(d.old, v)+" -> "+nodeText(d.new, x)) + "\n")
			}
		}
		b.WriteString(f.end)
	}
}

// heading names a group of changes.
func heading(i int, g diff.Group) string {
	text := fmt.Sprintf("change %d, cost %s", i+1, number(g.Cost))
	if g.About != "" && len(g.Changes) > 1 {
		text += ": " + g.About
	}
	return text
}

// titles names both versions.
func (w *diffPrinter) titles(d *difference) string {
	title := w.oldTitle(d)
	if other := w.newTitle(d); other != title {
		title += " → " + other
	}
	return title
}

// namesFixed says how nodes were matched, and how else they can be.
const namesFixed = "nodes of the same name are the same node; --match cost lets any become any other"

// knownOf says what is known of the distance.
func knownOf(d *difference) string {
	text := "GED " + number(*d.Upper)
	if !d.Exact {
		text = fmt.Sprintf("GED at most %s and at least %s%s", number(*d.Upper), number(*d.Lower), because(d.Stopped))
	}
	if d.Match == diff.ByNames {
		text += ", names fixed"
	}
	return text
}

// page returns the pair as a page.
func (w *diffPrinter) page(d *difference) *report.Versions {
	v := &report.Versions{
		Title: w.titles(d), Old: d.old.Graph, New: d.new.Graph, OldNames: d.old.NodeNames(),
		NewNames: d.new.NodeNames(),
		Map:      d.Difference.Map, Groups: d.Groups,
		Text: func(c diff.Change) string { return printable(changeText(c)) },
	}
	if v.Facts = []string{greed.SameGraph(edit.GED, w.costs, d.NotCompared)}; !d.Same {
		v.Facts = append([]string{knownOf(d) + ": " + tally(d.Groups)}, d.Summary...)
	}
	for i, g := range d.Groups {
		v.Headings = append(v.Headings, heading(i, g))
	}
	return v
}

// finish prints what is said of all.
func (w *diffPrinter) finish(asJSON bool) error {
	if w.alone || asJSON || w.Format == "json" || w.Format == "svg" {
		return nil
	}
	moved := ""
	if w.moved > 0 {
		moved = fmt.Sprintf("%d only renamed or moved, ", w.moved)
	}
	_, err := fmt.Fprintf(w.out, "%s: %d the same, %s%d changed, %d removed, %d added\n",
		count(w.same+w.moved+w.changed+w.removed+w.added, "graph"), w.same, moved, w.changed, w.removed, w.added)
	return err
}

// sizeOf says how large a graph is.
func sizeOf(rec *dataset.Record) string {
	return count(rec.Graph.N(), "node") + ", " + count(rec.Graph.M(), "edge")
}

// tally counts the changes of each kind.
func tally(groups []diff.Group) string {
	var parts []string
	for _, kind := range []diff.Kind{diff.Removed, diff.Renamed, diff.Moved, diff.Added} {
		nodes, edges := 0, 0
		for _, g := range groups {
			for _, c := range g.Changes {
				switch {
				case c.Kind != kind:
				case c.Edge:
					edges++
				default:
					nodes++
				}
			}
		}
		var what []string
		if nodes > 0 {
			what = append(what, count(nodes, "node"))
		}
		if edges > 0 {
			what = append(what, count(edges, "edge"))
		}
		if len(what) > 0 {
			parts = append(parts, strings.Join(what, " and ")+" "+string(kind))
		}
	}
	return strings.Join(parts, ", ")
}

// changeText describes the change of a node or an edge.
func changeText(c diff.Change) string {
	op := c.Edits[0]
	what := "node "
	if c.Edge {
		what = "edge "
	}
	switch c.Kind {
	case diff.Removed:
		return what + op.Before()
	case diff.Added:
		return what + op.After()
	case diff.Moved:
		return what + op.Before() + " becomes " + c.Edits[1].After()
	}
	text := what + op.Before() + " becomes " + op.After()
	if c.Why != "" {
		text += " (" + c.Why + ")"
	}
	return text
}

// draw draws the pair side by side, mapped nodes in the same place.
func (w *diffPrinter) draw(d *difference) error {
	if d.old == nil || d.new == nil {
		return fmt.Errorf("--format svg draws two graphs side by side, but there is only one")
	}
	what := report.Mapping{EdgeLabels: true, QueryNames: d.old.NodeNames(), TargetNames: d.new.NodeNames()}
	for _, g := range d.Groups {
		what.Query, what.Target = append(what.Query, g.Old...), append(what.Target, g.New...)
	}
	scene := report.PairScene(w.oldTitle(d)+" → "+w.newTitle(d), d.old.Graph, d.new.Graph, d.Difference.Map, what)
	scene.Panels[0].Name, scene.Panels[1].Name = w.oldTitle(d), w.newTitle(d)
	_, err := w.out.Write(scene.SVG())
	return err
}
