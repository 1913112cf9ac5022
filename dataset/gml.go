package dataset

import (
	"bytes"
	"html"
	"regexp"
	"slices"
)

func gmlFormat() format {
	return format{
		name: "gml", named: true, about: "GML of Cytoscape, Gephi, igraph, NetworkX and yEd",
		extensions: []string{"gml"},
		// The expression is slow, and other texts of words could take it to the end of the head.
		sniff: func(head []byte) bool { return bytes.Contains(head, []byte("graph")) && gmlStart.Match(head) },
		open: func(in *input, e *env) (decoder, error) {
			return &gmlDecoder{input: in, env: e, pieces: newPieces(in.r, e, false, splitGML)}, nil
		},
	}
}

// gmlStart matches the start of a file: comments, and keys with numbers or texts, before the first graph.
var gmlStart = regexp.MustCompile(`^(\s*(#.*\n|[A-Za-z]\w*\s+("[^"]*"|[^\s"\[\]]+)))*\s*graph\s*\[`)

// gmlDecoder decodes GML (Himsolt, 1997): pairs of a key and a value, which is a number, a text in quotes or a
// list of pairs. A list called graph is a graph.
type gmlDecoder struct {
	*input
	env    *env
	pieces *pieces
}

func (d *gmlDecoder) next() (Record, error) {
	for {
		text, line, err := d.env.piece(d.input, d.pieces)
		if err != nil {
			return Record{}, err
		}
		raw := &d.env.raw
		raw.reset(d.env, line)
		raw.closed = true
		p := gmlParser{text: d.utf8(text, d.env), line: line, raw: raw}
		found := false
		err = p.pairs(func(key string, value gmlToken) error {
			if value.mark != '[' || key != "graph" {
				return p.skip(value)
			}
			found, raw.line = true, p.line
			return p.pairs(p.graph)
		})
		if err == nil && !found {
			continue // what stands beside graphs
		}
		var rec Record
		if err == nil {
			rec, err = d.env.build(raw)
		}
		if err != nil {
			return Record{}, d.env.bad(d.name, raw.line, raw.id, text, err)
		}
		rec.File = d.name
		return rec, nil
	}
}

type gmlParser struct {
	text           []byte
	i, line, depth int
	raw            *rawGraph
}

// graph reads a pair of a graph, which is undirected without "directed 1".
func (p *gmlParser) graph(key string, value gmlToken) error {
	raw, line := p.raw, p.line
	var id, from, to, ignored string
	switch {
	case value.mark == '[' && key == "node":
		chain, err := p.element(&raw.nodeAttrs, map[string]*string{"id": &id})
		if err == nil && id == "" {
			err = errAt(line, "node %d has no id", len(raw.nodes))
		}
		if err != nil {
			return err
		}
		return raw.declare(id, line, chain)
	case value.mark == '[' && key == "edge":
		chain, err := p.element(&raw.edgeAttrs, map[string]*string{"source": &from, "target": &to, "id": &ignored,
			"key": &ignored})
		if err == nil && (from == "" || to == "") {
			err = errAt(line, "edge %d has no source or no target", len(raw.edges))
		}
		if err != nil {
			return err
		}
		return raw.connect(from, to, line, chain)
	case value.mark == '[':
		return p.drop(key, value)
	case key == "directed":
		raw.directed = value.text == "1"
	case key == "id":
		raw.id = value.text
	case key != "multigraph" && value.text != "":
		raw.setText(key, value.text)
	}
	return raw.tick()
}

// element reads the pairs of a node or an edge: those of members into them, the others as a chain.
func (p *gmlParser) element(attrs *attrs, members map[string]*string) (chain uint32, err error) {
	return chain, p.pairs(func(key string, value gmlToken) error {
		switch member := members[key]; {
		case value.mark == '[':
			return p.drop(key, value)
		case member != nil:
			*member = value.text
		case value.mark == '"':
			chain = attrs.add(chain, key, value.text, textKind)
		default:
			chain = attrs.add(chain, key, value.text, guessKind(value.text))
		}
		return p.raw.tick()
	})
}

// gmlDrawing are the lists that say how a graph is drawn.
var gmlDrawing = []string{"graphics", "LabelGraphics", "edgeAnchor", "viz"}

// drop skips a list, which has no place among attributes.
func (p *gmlParser) drop(key string, value gmlToken) error {
	if !slices.Contains(gmlDrawing, key) {
		p.raw.env.notes.count(1, "list of a node, an edge or a graph was not read",
			"lists of nodes, edges or graphs were not read")
	}
	return p.skip(value)
}

// skip reads to the end of a value.
func (p *gmlParser) skip(value gmlToken) error {
	if value.mark != '[' {
		return nil
	}
	return p.pairs(func(_ string, value gmlToken) error { return p.skip(value) })
}

// pairs calls take for every pair up to the end of the list or, outside of lists, of the text. take must read a
// list to its end.
func (p *gmlParser) pairs(take func(key string, value gmlToken) error) error {
	const deepest = 256
	if p.depth++; p.depth > deepest {
		return errAt(p.line, "lists are nested deeper than %d", deepest)
	}
	for {
		key, err := p.token()
		switch {
		case err != nil:
			return err
		case key.mark == ']' && p.depth > 1 || key.mark == 0 && p.depth == 1:
			p.depth--
			return p.raw.tick()
		case key.mark == 0:
			return errAt(p.line, "the text ends within a list: the file is cut short")
		case key.mark != 'a':
			return errAt(p.line, "found %s, expected a key", quoted(key.text))
		}
		value, err := p.token()
		if err == nil && (value.mark == ']' || value.mark == 0) {
			err = errAt(p.line, "the key %s has no value", quoted(key.text))
		}
		if err == nil {
			err = take(key.text, value)
		}
		if err != nil {
			return err
		}
	}
}

// gmlToken is a token: a bracket, a text marked by '"', a word marked by 'a', or 0 at the end.
type gmlToken struct {
	mark byte
	text string
}

// token returns the next token. A comment begins with # where a token could.
func (p *gmlParser) token() (gmlToken, error) {
	for p.i < len(p.text) {
		rest := p.text[p.i:]
		switch c := rest[0]; {
		case c == '\n':
			p.line++
			p.i++
		case c <= ' ':
			p.i++
		case c == '#':
			p.i += gmlLength(rest)
		case c == '[' || c == ']':
			p.i++
			return gmlToken{c, string(c)}, nil
		case c == '"':
			n := gmlLength(rest)
			if n == 0 {
				return gmlToken{}, errAt(p.line, "a quotation mark is not closed")
			}
			p.i += n
			p.line += bytes.Count(rest[:n], []byte{'\n'})
			return gmlToken{c, html.UnescapeString(string(rest[1 : n-1]))}, nil
		default:
			n := gmlLength(rest)
			p.i += n
			return gmlToken{'a', string(rest[:n])}, nil
		}
	}
	return gmlToken{}, nil
}

// gmlLength returns the length of the comment, text or word at the start, or 0 if a text does not end.
func gmlLength(rest []byte) int {
	end := 0
	switch rest[0] {
	case '#':
		end = bytes.IndexByte(rest, '\n')
	case '"':
		return bytes.IndexByte(rest[1:], '"') + 1 + min(1, bytes.IndexByte(rest[1:], '"')+1)
	default:
		end = bytes.IndexFunc(rest, func(r rune) bool { return r <= ' ' || r == '[' || r == ']' || r == '"' })
	}
	if end < 0 {
		return len(rest)
	}
	return end
}

// splitGML ends a record at the bracket that closes the first list.
func splitGML(data []byte) int {
	depth := 0
	for i := 0; i < len(data); {
		switch c := data[i]; {
		case c <= ' ':
			i++
		case c == '[':
			depth++
			i++
		case c == ']':
			i++
			if depth--; depth <= 0 {
				return i
			}
		default:
			n := gmlLength(data[i:])
			if n == 0 {
				return -1
			}
			i += n
		}
	}
	return -1
}
