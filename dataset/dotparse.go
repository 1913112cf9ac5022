package dataset

import "strings"

// dotParser parses one graph by recursive descent, down to maxDOTDepth.
type dotParser struct {
	lex    dotLexer
	tok    dotToken
	raw    rawGraph
	index  map[string]int // node by name
	strict bool
	depth  int
}

// Bounds on what no sensible file has, which keep time and stack in proportion
// to the length of the text.
const (
	maxDOTDepth = 1000
	maxDOTAttrs = 100
)

// scope holds the default attributes of nodes and edges in a subgraph.
type scope struct {
	node, edge []attr
}

func (p *dotParser) advance() (err error) {
	p.tok, err = p.lex.token()
	return err
}

func (p *dotParser) isMark(mark string) bool { return !p.tok.id && p.tok.text == mark }

func (p *dotParser) isWord(word string) bool {
	return p.tok.id && !p.tok.quoted && strings.EqualFold(p.tok.text, word)
}

func (p *dotParser) expected(what string) error {
	found := quoted(p.tok.text)
	if p.tok.text == "" && !p.tok.id {
		found = "the end of the file"
	}
	return errAt(p.tok.line, "found %s, expected %s", found, what)
}

func (p *dotParser) graph() error {
	if err := p.advance(); err != nil {
		return err
	}
	if p.isMark("") {
		return nil
	}
	p.raw.line = p.tok.line
	if p.isWord("strict") {
		p.strict = true
		if err := p.advance(); err != nil {
			return err
		}
	}
	switch {
	case p.isWord("digraph"):
		p.raw.directed = true
	case !p.isWord("graph"):
		return p.expected("graph or digraph")
	}
	if err := p.advance(); err != nil {
		return err
	}
	if p.tok.id {
		id, err := p.id()
		if err != nil {
			return err
		}
		p.raw.id = id
	}
	if !p.isMark("{") {
		return p.expected("{")
	}
	_, err := p.block(scope{}, true)
	return err
}

// id reads an ID, which may be several strings joined by +.
func (p *dotParser) id() (string, error) {
	if !p.tok.id {
		return "", p.expected("a name")
	}
	text, mayJoin := p.tok.text, p.tok.quoted
	if err := p.advance(); err != nil {
		return "", err
	}
	for mayJoin && p.isMark("+") {
		if err := p.advance(); err != nil {
			return "", err
		}
		if !p.tok.quoted {
			return "", p.expected("a string after +")
		}
		text += p.tok.text
		if err := p.advance(); err != nil {
			return "", err
		}
	}
	return text, nil
}

// block reads { ... } and returns the nodes named in it.
func (p *dotParser) block(s scope, root bool) ([]string, error) {
	if p.depth++; p.depth > maxDOTDepth {
		return nil, errAt(p.tok.line, "subgraphs are nested more than %d deep", maxDOTDepth)
	}
	defer func() { p.depth-- }()
	var nodes []string
	if err := p.advance(); err != nil {
		return nil, err
	}
	for !p.isMark("}") {
		if p.isMark("") {
			return nil, p.expected("} that closes the graph")
		}
		if p.isMark(";") || p.isMark(",") {
			if err := p.advance(); err != nil {
				return nil, err
			}
			continue
		}
		named, err := p.statement(&s, root)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, named...)
	}
	if root {
		return nodes, nil // nothing must follow in this piece of text
	}
	return nodes, p.advance()
}

// statement reads one statement and returns the nodes named in it.
func (p *dotParser) statement(s *scope, root bool) ([]string, error) {
	for _, word := range []string{"graph", "node", "edge"} {
		if p.isWord(word) {
			return nil, p.defaults(s, word, root)
		}
	}
	line := p.tok.line
	ends, isNode, err := p.operand(*s)
	if err != nil {
		return nil, err
	}
	if isNode && p.isMark("=") {
		if err := p.advance(); err != nil {
			return nil, err
		}
		value, err := p.id()
		if root && err == nil {
			p.raw.setText(ends[0], value)
		}
		return nil, err
	}
	all := ends
	var pairs [][2][]string
	for p.isMark("->") || p.isMark("--") {
		if p.isMark("->") != p.raw.directed {
			return nil, p.expected(p.edgeOperator())
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
		next, _, err := p.operand(*s)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, [2][]string{ends, next})
		all = append(all[:len(all):len(all)], next...)
		ends = next
	}
	attrs, err := p.attributes()
	if err != nil {
		return nil, err
	}
	if len(pairs) == 0 && isNode {
		p.node(all[0], line, s.node, attrs)
		return all, nil
	}
	return all, p.join(pairs, line, override(s.edge, attrs))
}

func (p *dotParser) edgeOperator() string {
	if p.raw.directed {
		return "->, since this is a digraph"
	}
	return "--, since this is a graph and not a digraph"
}

// join adds the edges between two lists of nodes, as many as fit the text: a
// subgraph on both sides multiplies.
func (p *dotParser) join(pairs [][2][]string, line int, attrs []attr) error {
	for _, pair := range pairs {
		if len(p.raw.edges)+len(pair[0])*len(pair[1]) > max(len(p.lex.text), 1<<16) {
			return errAt(line, "the subgraphs joined here make too many edges (more than %d)", len(p.lex.text))
		}
		for _, from := range pair[0] {
			for _, to := range pair[1] {
				p.raw.edges = append(p.raw.edges, rawEdge{from, to, line, attrs})
			}
		}
	}
	return nil
}

// operand reads a node with an optional port, or a subgraph. What turns out to
// be the name of an attribute is no node.
func (p *dotParser) operand(s scope) (nodes []string, isNode bool, err error) {
	if p.isWord("subgraph") {
		if err := p.advance(); err != nil {
			return nil, false, err
		}
		if p.tok.id {
			if _, err := p.id(); err != nil {
				return nil, false, err
			}
		}
		if !p.isMark("{") {
			return nil, false, p.expected("{ after subgraph")
		}
	}
	if p.isMark("{") {
		nodes, err := p.block(s, false)
		return unique(nodes), false, err
	}
	line := p.tok.line
	name, err := p.id()
	if err != nil {
		return nil, false, err
	}
	if !p.isMark("=") {
		p.node(name, line, s.node, nil)
	}
	for p.isMark(":") {
		if err := p.advance(); err != nil {
			return nil, false, err
		}
		if _, err := p.id(); err != nil {
			return nil, false, err
		}
	}
	return []string{name}, true, nil
}

// node adds a node unless it is there, and gives it attributes.
func (p *dotParser) node(name string, line int, defaults, attrs []attr) {
	v, ok := p.index[name]
	if !ok {
		v = len(p.raw.nodes)
		p.index[name] = v
		p.raw.nodes = append(p.raw.nodes, rawNode{name, line, defaults})
	}
	p.raw.nodes[v].attrs = override(p.raw.nodes[v].attrs, attrs)
}
