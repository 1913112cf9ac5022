package main

import (
	"fmt"
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
	alone bool // there is one graph on either side; they go by the names of the arguments

	same, changed, removed, added int
}

// form returns what prints a difference: as JSON, as a drawing or as text.
func (w *diffPrinter) form(asJSON bool) func(*difference) error {
	switch {
	case asJSON || w.Format == "json":
		return func(d *difference) error { return w.out.printJSON(d.Difference) }
	case w.Format == "svg":
		return w.draw
	case w.Format == "markdown":
		return w.text(diffForm{"## %s\n\n", "\n%s\n\n", func(kind diff.Kind, text string) string {
			return "- " + strings.TrimLeft(string(kind)+" "+text, " ") + "\n"
		}, markdownText})
	}
	asIs := func(text string) string { return text }
	if w.coloured() {
		colour := map[diff.Kind]int{diff.Removed: 31, diff.Renamed: 33, diff.Moved: 36, diff.Added: 32}
		return w.text(diffForm{"\x1b[1m%s\x1b[0m\n", "\n\x1b[2m%s\x1b[0m\n", func(kind diff.Kind, text string) string {
			return fmt.Sprintf("  \x1b[%dm%s %s\x1b[0m\n", colour[kind], diffSigns[kind], text)
		}, asIs})
	}
	return w.text(diffForm{"%s\n", "\n%s\n", func(kind diff.Kind, text string) string {
		return "  " + diffSigns[kind] + " " + text + "\n"
	}, asIs})
}

// markdownText returns a text that Markdown shows as it is.
func markdownText(s string) string {
	return strings.NewReplacer(
		"\n", " ", "\r", " ", "\\", "\\\\", "|", "\\|", "<", "&lt;", "&", "&amp;", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]",
	).Replace(s)
}

func (w *diffPrinter) title(rec *dataset.Record, arg string) string {
	if w.alone {
		return printable(arg)
	}
	return field(rec.ID)
}

func (w *diffPrinter) oldTitle(d *difference) string { return w.title(d.old, w.Old) }

func (w *diffPrinter) newTitle(d *difference) string { return w.title(d.new, w.New) }

// diffForm is the form of the text: the headings of a graph and of a group, and a line of each kind.
type diffForm struct {
	heading, group string
	line           func(kind diff.Kind, text string) string
	name           func(text string) string // of a graph or a node
}

var diffSigns = map[diff.Kind]string{diff.Removed: "-", diff.Renamed: "~", diff.Moved: ">", diff.Added: "+"}

// text returns what prints for people.
func (w *diffPrinter) text(f diffForm) func(*difference) error {
	return func(d *difference) error {
		var b strings.Builder
		switch {
		case d.Same:
			if w.same++; !w.alone {
				return nil // as diff does: what is the same is counted
			}
			fmt.Fprintf(&b, "%s\n", f.name(fmt.Sprintf("%s and %s are %s", w.oldTitle(d), w.newTitle(d), greed.SameGraph(edit.GED, w.costs, d.NotCompared))))
		case d.new == nil:
			w.removed++
			fmt.Fprintf(&b, f.heading, f.name(fmt.Sprintf("only in %s: %s (%s)", printable(w.Old), w.oldTitle(d), sizeOf(d.old))))
		case d.old == nil:
			w.added++
			fmt.Fprintf(&b, f.heading, f.name(fmt.Sprintf("only in %s: %s (%s)", printable(w.New), w.newTitle(d), sizeOf(d.new))))
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

// whole prints all changes of a graph.
func (w *diffPrinter) whole(b *strings.Builder, f diffForm, d *difference) {
	title := w.oldTitle(d)
	if other := w.newTitle(d); other != title {
		title += " → " + other
	}
	fmt.Fprintf(b, f.heading, f.name(title))
	known := "GED " + number(*d.Upper)
	if !d.Exact {
		known = fmt.Sprintf("GED at most %s and at least %s%s", number(*d.Upper), number(*d.Lower), because(d.Stopped))
	}
	if d.Match == diff.ByNames {
		known += ", names fixed"
	}
	fmt.Fprintf(b, "%s: %s\n", known, tally(d.Groups))
	if d.Match == diff.ByNames {
		b.WriteString("nodes of the same name are the same node; --match cost lets any become any other\n")
	}
	for i, g := range d.Groups {
		fmt.Fprintf(b, f.group, fmt.Sprintf("change %d, cost %s", i+1, number(g.Cost)))
		for _, c := range g.Changes {
			b.WriteString(f.line(c.Kind, f.name(printable(changeText(c)))))
		}
	}
	if len(d.Transformations) > 0 {
		fmt.Fprintf(b, f.group, "as fragments")
	}
	for _, x := range d.Transformations {
		b.WriteString(f.line("", f.name(printable(x.String()))))
	}
	if w.Map {
		fmt.Fprintf(b, f.group, "nodes, old to new")
		for v, x := range d.Difference.Map {
			if x != edit.Deleted {
				b.WriteString("  " + f.name(nodeText(d.old, v)+" -> "+nodeText(d.new, x)) + "\n")
			}
		}
	}
}

// finish prints what is said of all.
func (w *diffPrinter) finish(asJSON bool) error {
	if w.alone || asJSON || w.Format == "json" || w.Format == "svg" {
		return nil
	}
	_, err := fmt.Fprintf(w.out, "%s: %d the same, %d changed, %d removed, %d added\n",
		count(w.same+w.changed+w.removed+w.added, "graph"), w.same, w.changed, w.removed, w.added)
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
