package dataset

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/greedgraph/greed/graph"
)

// graphMLEncoder writes all graphs into one document. The keys of attributes must be declared
// before the first graph. So the text of graphs is held back up to a mebibyte, and their
// attributes are declared; attributes that occur only later are dropped with a note.
type graphMLEncoder struct {
	w       io.Writer
	started bool
	held    bytes.Buffer
	keys    map[string]string // of attributes: their ids
	names   []string          // in the order of their ids
	dropped map[string]int    // attributes by name, from how many graphs
}

const graphMLHeld = 1 << 20

// Keys for "all" would be shorter, but igraph ignores them.
const graphMLHead = xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="name" for="graph" attr.name="name" attr.type="string"/>
  <key id="smiles" for="graph" attr.name="smiles" attr.type="string"/>
  <key id="node-label" for="node" attr.name="label" attr.type="string"/>
  <key id="node-wildcard" for="node" attr.name="wildcard" attr.type="boolean"/>
  <key id="edge-label" for="edge" attr.name="label" attr.type="string"/>
  <key id="edge-wildcard" for="edge" attr.name="wildcard" attr.type="boolean"/>
`

const graphMLFoot = "</graphml>\n"

func (g *graphMLEncoder) start() error {
	if g.started {
		return nil
	}
	g.started = true
	var s xmlText
	s.raw(graphMLHead)
	for _, name := range g.names {
		s.printf(`  <key id="%s" for="graph" attr.name="%s" attr.type="string"/>`, g.keys[name], name)
		s.raw("\n")
	}
	if _, err := g.w.Write(s.buf.Bytes()); err != nil {
		return err
	}
	_, err := g.w.Write(g.held.Bytes())
	g.held = bytes.Buffer{}
	return err
}

func (g *graphMLEncoder) remarks() []Note {
	var list []Note
	for _, name := range slices.Sorted(maps.Keys(g.dropped)) {
		list = append(list, Remark("the attribute %s of %s was dropped: GraphML cannot hold it, or it first occurs "+
			"after the keys are declared", quoted(name), plural(g.dropped[name], "graph")))
	}
	return list
}

// attributes writes the attributes of a graph, with values as text.
func (g *graphMLEncoder) attributes(s *xmlText, rec Record) {
	attributes := besideMembers(rec.Attributes)
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		value := AttributeText(attributes[name])
		id, declared := g.keys[name]
		fits := name != "" && inXML(name) && inXML(value)
		if !fits || !declared && g.started {
			if g.dropped == nil {
				g.dropped = make(map[string]int)
			}
			g.dropped[name]++
			continue
		}
		if !declared {
			if g.keys == nil {
				g.keys = make(map[string]string)
			}
			id = fmt.Sprint("g", len(g.names))
			g.keys[name] = id
			g.names = append(g.names, name)
		}
		s.printf(`<data key="%s">%s</data>`, id, value)
	}
}

func (g *graphMLEncoder) finish() error {
	if err := g.start(); err != nil {
		return err
	}
	_, err := io.WriteString(g.w, graphMLFoot)
	return err
}

func (g *graphMLEncoder) encode(rec Record) error {
	var s xmlText
	edgeDefault := "undirected"
	if rec.Graph.Directed() {
		edgeDefault = "directed"
	}
	s.printf(`  <graph id="%s" edgedefault="%s">`, rec.ID, edgeDefault)
	s.data("name", rec.Name)
	s.data("smiles", rec.SMILES)
	g.attributes(&s, rec)
	s.raw("\n")
	name := func(v int) string {
		if rec.NodeIDs != nil {
			return rec.NodeIDs[v]
		}
		return fmt.Sprint(v)
	}
	vocab := rec.Graph.Vocabulary()
	for v, l := range rec.Graph.Labels() {
		s.printf(`    <node id="%s">`, name(v))
		s.label("node", l, vocab.NodeText)
		s.raw("</node>\n")
	}
	for e := range rec.Graph.Edges() {
		s.printf(`    <edge source="%s" target="%s">`, name(e.From), name(e.To))
		s.label("edge", e.Label, vocab.EdgeText)
		s.raw("</edge>\n")
	}
	s.raw("  </graph>\n")
	if s.err != nil {
		return s.err
	}
	if !g.started {
		g.held.Write(s.buf.Bytes())
		if g.held.Len() < graphMLHeld {
			return nil
		}
		return g.start()
	}
	_, err := g.w.Write(s.buf.Bytes())
	return err
}

// xmlText collects XML. It keeps an error for the first text that XML cannot represent.
type xmlText struct {
	buf bytes.Buffer
	err error
}

func (s *xmlText) raw(text string) { s.buf.WriteString(text) }

// printf escapes its arguments.
func (s *xmlText) printf(format string, args ...string) {
	escaped := make([]any, len(args))
	for i, a := range args {
		escaped[i] = s.escape(a)
	}
	fmt.Fprintf(&s.buf, format, escaped...)
}

// inXML reports whether XML can represent a text.
func inXML(text string) bool {
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		legal := r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd ||
			r >= 0x10000
		if !legal || r == utf8.RuneError && size == 1 {
			return false
		}
	}
	return true
}

func (s *xmlText) escape(text string) string {
	if !inXML(text) && s.err == nil {
		s.err = fmt.Errorf("XML cannot hold the text %s: it is not UTF-8 or has control characters", quoted(text))
	}
	var out bytes.Buffer
	if err := xml.EscapeText(&out, []byte(text)); err != nil && s.err == nil {
		s.err = err
	}
	return out.String()
}

func (s *xmlText) data(key, value string) {
	if value != "" {
		s.printf(`<data key="%s">%s</data>`, key, value)
	}
}

func (s *xmlText) label(domain string, l graph.Label, text func(graph.Label) string) {
	if l == graph.Wildcard {
		s.printf(`<data key="%s-wildcard">true</data>`, domain)
		return
	}
	s.printf(`<data key="%s-label">%s</data>`, domain, text(l))
}
