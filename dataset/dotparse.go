package dataset

import "strings"

// dotParser parses one graph by recursive descent, down to maxDOTDepth.
type dotParser struct {
	lex    dotLexer
	tok    dotToken
	raw    *rawGraph
	strict bool
	depth  int
	// named holds the nodes named so far in the open statements. Those of a subgraph are
	// the last ones, from its start.
	named []uint32
	stamp []uint32 // by node, for unique
	now   uint32
	work  int // nodes that unique has looked at
}

// Limits that no sensible file reaches. They keep time, memory and stack proportional
// to the length of the text.
const (
	maxDOTDepth = 1000
	// A subgraph on both sides of an edge multiplies. No other notation gives more than
	// one edge in maxJoined bytes.
	maxJoined  = 3
	fewJoined  = 1 << 14 // always allowed
	dotWorkPer = 64      // steps for each byte to find the nodes of subgraphs
)

// scope holds the default attributes of nodes and edges in a subgraph, as chains.
type scope struct {
	node, edge uint32
}

func (p *dotParser) advance() (err error) {
	p.tok, err = p.lex.token()
	return err
}

func (p *dotParser) isMark(mark string) bool { return !p.tok.id && p.tok.text == mark }

func (p *dotParser) isWord(word string) bool {
	return p.tok.id && !p.tok.quoted && strings.EqualFold(p.tok.text, word)
}

func (p *dotParser) atEdge() bool { return p.isMark("->") || p.isMark("--") }

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
	return p.block(scope{}, true)
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
	if !mayJoin || !p.isMark("+") {
		return text, nil
	}
	joined := []byte(text)
	for p.isMark("+") {
		if err := p.advance(); err != nil {
			return "", err
		}
		if !p.tok.quoted {
			return "", p.expected("a string after +")
		}
		joined = appendTo(joined, p.tok.text)
		if err := p.advance(); err != nil {
			return "", err
		}
	}
	return string(joined), nil
}

// block reads { ... } and leaves the nodes named in it at the end of p.named.
func (p *dotParser) block(s scope, root bool) error {
	if p.depth++; p.depth > maxDOTDepth {
		return errAt(p.tok.line, "subgraphs are nested more than %d deep", maxDOTDepth)
	}
	defer func() { p.depth-- }()
	if err := p.advance(); err != nil {
		return err
	}
	for !p.isMark("}") {
		if p.isMark("") {
			return p.expected("} that closes the graph")
		}
		if p.isMark(";") || p.isMark(",") {
			if err := p.advance(); err != nil {
				return err
			}
			continue
		}
		if err := p.statement(&s, root); err != nil {
			return err
		}
		if root {
			p.named = p.named[:0] // nobody asks for them
		}
	}
	if root {
		return nil // nothing must follow in this piece of text
	}
	return p.advance()
}

// statement reads one statement and leaves the nodes named in it at the end of
// p.named.
func (p *dotParser) statement(s *scope, root bool) error {
	for _, word := range []string{"graph", "node", "edge"} {
		if p.isWord(word) {
			return p.defaults(s, word, root)
		}
	}
	left, edges := len(p.named), len(p.raw.edges)
	name, isNode, err := p.operand(*s, false)
	if err != nil {
		return err
	}
	if isNode && p.isMark("=") {
		if err := p.advance(); err != nil {
			return err
		}
		value, err := p.id()
		if root && err == nil {
			p.raw.setText(name, value)
		}
		return err
	}
	line, isEdge := p.tok.line, p.atEdge()
	for p.atEdge() {
		if p.isMark("->") != p.raw.directed {
			return p.expected(p.edgeOperator())
		}
		if err := p.advance(); err != nil {
			return err
		}
		right := len(p.named)
		if _, _, err := p.operand(*s, true); err != nil {
			return err
		}
		if err := p.join(p.named[left:right], p.named[right:], line); err != nil {
			return err
		}
		if root { // the left side is no longer needed
			p.named = append(p.named[:left], p.named[right:]...)
			right = left
		}
		left = right
	}
	switch {
	case isEdge:
		chain, err := p.attributes(&p.raw.edgeAttrs, s.edge)
		for i := edges; i < len(p.raw.edges); i++ {
			p.raw.edges[i].attrs = chain
		}
		return err
	case isNode:
		node := &p.raw.nodes[p.named[left]]
		node.attrs, err = p.attributes(&p.raw.nodeAttrs, node.attrs)
		return err
	}
	_, err = p.attributes(nil, noAttrs)
	return err
}

func (p *dotParser) edgeOperator() string {
	if p.raw.directed {
		return "->, since this is a digraph"
	}
	return "--, since this is a graph and not a digraph"
}

// join adds the edges between two lists of nodes, as many as the text may have.
func (p *dotParser) join(left, right []uint32, line int) error {
	most := max(len(p.lex.text)/maxJoined, fewJoined)
	if len(p.raw.edges)+len(left)*len(right) > most {
		return errAt(line, "the subgraphs joined here make too many edges: more than %d", most)
	}
	for _, from := range left {
		for _, to := range right {
			if err := p.raw.join(from, to, line, noAttrs); err != nil {
				return err
			}
		}
	}
	return nil
}

// operand reads a node with an optional port, or a subgraph, and leaves it at the end
// of p.named. joined says that an edge leads to it. The name of an attribute is no
// node.
func (p *dotParser) operand(s scope, joined bool) (name string, isNode bool, err error) {
	start := len(p.named)
	if p.isWord("subgraph") {
		if err := p.advance(); err != nil {
			return "", false, err
		}
		if p.tok.id {
			if _, err := p.id(); err != nil {
				return "", false, err
			}
		}
		if !p.isMark("{") {
			return "", false, p.expected("{ after subgraph")
		}
	}
	if p.isMark("{") {
		err := p.block(s, false)
		if err == nil && (joined || p.atEdge()) {
			err = p.unique(start)
		}
		return "", false, err
	}
	line := p.tok.line
	if name, err = p.id(); err != nil {
		return "", false, err
	}
	if !p.isMark("=") || joined {
		if err := p.node(name, line, s.node); err != nil {
			return "", false, err
		}
	}
	for p.isMark(":") {
		if err := p.advance(); err != nil {
			return "", false, err
		}
		if _, err := p.id(); err != nil {
			return "", false, err
		}
	}
	return name, true, nil
}

// node names a node, and adds it unless it is there.
func (p *dotParser) node(name string, line int, defaults uint32) error {
	number := p.raw.mention(name)
	if p.raw.at[number] == undeclared {
		if err := p.raw.place(number, line, defaults); err != nil {
			return err
		}
	}
	p.named = add(p.named, number)
	return nil
}

// unique drops repeats from p.named[start:].
func (p *dotParser) unique(start int) error {
	p.work += len(p.named) - start
	if p.work > dotWorkPer*len(p.lex.text)+fewJoined {
		return errAt(p.tok.line, "subgraphs with the same nodes are joined too many times")
	}
	for len(p.stamp) < len(p.raw.nodes) {
		p.stamp = add(p.stamp, 0)
	}
	p.now++
	kept := p.named[:start]
	for _, v := range p.named[start:] {
		if p.stamp[v] != p.now {
			p.stamp[v] = p.now
			kept = append(kept, v)
		}
	}
	p.named = kept
	return nil
}
