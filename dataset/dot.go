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

func dotFormat() format {
	return format{
		name:       "dot",
		named:      true,
		about:      "DOT, the language of Graphviz: graph and digraph",
		extensions: []string{"dot", "gv"},
		sniff:      sniffDOT,
		open: func(in *input, e *env) (decoder, error) {
			return &dotDecoder{input: in, env: e, pieces: newPieces(in.r, e, false, splitDOT)}, nil
		},
		write: func(w io.Writer) encoder { return &dotEncoder{w: w} },
	}
}

func sniffDOT(head []byte) bool {
	l := dotLexer{text: head}
	tok, err := l.token()
	if err == nil && strings.EqualFold(tok.text, "strict") {
		tok, err = l.token()
	}
	if err != nil || tok.quoted || !strings.EqualFold(tok.text, "graph") && !strings.EqualFold(tok.text, "digraph") {
		return false
	}
	tok, err = l.token()
	if err == nil && tok.id {
		tok, err = l.token()
	}
	return err == nil && tok.text == "{" && !tok.id
}

type dotDecoder struct {
	*input
	env    *env
	pieces *pieces
	raw    rawGraph
}

func (d *dotDecoder) next() (Record, error) {
	text, line, err := d.env.piece(d.input, d.pieces)
	if err != nil {
		return Record{}, err
	}
	text = d.utf8(text, d.env)
	raw := &d.raw
	raw.reset(d.env, 0)
	raw.nodeAttrs.drawn, raw.edgeAttrs.drawn = drawnDOT, drawnDOT
	p := dotParser{lex: dotLexer{text: text, line: line}, raw: raw}
	err = p.graph()
	if err == errReopened {
		raw.reset(d.env, 0)
		raw.nodeAttrs.drawn, raw.edgeAttrs.drawn = drawnDOT, drawnDOT
		p = dotParser{lex: dotLexer{text: text, line: line}, raw: raw}
		p.subgraphs.keep = true
		err = p.graph()
	}
	if err == nil && p.tok.text == "" && !p.tok.id && raw.line == 0 {
		return Record{}, io.EOF // blanks and comments
	}
	var rec Record
	if err == nil {
		p.say(&d.env.notes)
		rec, err = d.env.build(raw)
	}
	if err != nil {
		line += bytes.Count(text[:len(text)-len(bytes.TrimLeft(text, " \t\r\n"))], []byte{'\n'})
		return Record{}, d.env.bad(d.name, line, raw.id, text, err)
	}
	rec.File = d.name
	return rec, nil
}

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
		fmt.Fprintf(&s, "  %s %s %s [%s];\n", name(e.From), arrow, name(e.To),
			dotLabel(e.Label, g.Vocabulary().EdgeText))
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
	attributes := besideMembers(rec.Attributes)
	for _, key := range slices.Sorted(maps.Keys(attributes)) {
		fmt.Fprintf(s, "  %s = %s;\n", dotQuote(key), dotQuote(AttributeText(attributes[key])))
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
