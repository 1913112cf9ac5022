package dataset

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/greedgraph/greed/graph"
)

// dotEncoder writes one graph after the other.
type dotEncoder struct {
	w io.Writer
}

func (d *dotEncoder) finish() error { return nil }

func (d *dotEncoder) encode(rec Record) error {
	g := rec.Graph
	var s bytes.Buffer
	word, arrow := "graph", "--"
	if g.Directed() {
		word, arrow = "digraph", "->"
	}
	fmt.Fprintf(&s, "%s %s {\n", word, dotQuote(rec.ID))
	dotAttributes(&s, rec)
	name := func(v int) string {
		if rec.NodeIDs != nil {
			return dotQuote(rec.NodeIDs[v])
		}
		return fmt.Sprint(v)
	}
	for v, l := range g.Labels() {
		fmt.Fprintf(&s, "  %s [%s];\n", name(v), dotLabel(l, g.Vocabulary().NodeText))
	}
	for e := range g.Edges() {
		fmt.Fprintf(&s, "  %s %s %s [%s];\n", name(e.From), arrow, name(e.To), dotLabel(e.Label, g.Vocabulary().EdgeText))
	}
	s.WriteString("}\n")
	_, err := d.w.Write(s.Bytes())
	return err
}

// dotAttributes writes the attributes of the whole graph, with values as text.
func dotAttributes(s *bytes.Buffer, rec Record) {
	for _, m := range [2][2]string{{nameMember, rec.Name}, {smilesMember, rec.SMILES}} {
		if m[1] != "" {
			fmt.Fprintf(s, "  %s = %s;\n", m[0], dotQuote(m[1]))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(rec.Attributes)) {
		if key != nameMember && key != smilesMember {
			fmt.Fprintf(s, "  %s = %s;\n", dotQuote(key), dotQuote(AttributeText(rec.Attributes[key])))
		}
	}
}

func dotLabel(l graph.Label, text func(graph.Label) string) string {
	if l == graph.Wildcard {
		return wildcardAttr + "=true"
	}
	return "label=" + dotQuote(text(l))
}

func dotQuote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
