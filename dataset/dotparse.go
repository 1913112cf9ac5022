package dataset

import (
	"slices"
	"strings"
)

// dotParser parses one graph by recursive descent, down to maxDOTDepth.
type dotParser struct {
	lex    dotLexer
	tok    dotToken
	err    error // the first mistake, after which tok is the end of the text
	raw    *rawGraph
	strict bool
	depth  int
	// drawn says that the value read last has \N or the like, and ownName that it is "\N", which
	// Graphviz writes for the label of a node that has none: its name is drawn.
	drawn, ownName bool
	drawnLabels    int
	glued          int // names that run into each other
	subgraphs      subgraphs
	made           []edgeRange // by the open statements
	repeats        []repeat
	keys           names  // of edges
	key            uint32 // of the attributes read last
	copied         int    // see copyAttributes
	// named holds the nodes named so far in the open statements. Those of a subgraph are the
	// last ones, from its start on.
	named []uint32
	stamp []uint32 // by node, for unique
	now   uint32
	work  int // nodes that unique has looked at
}

// Limits that no reasonable file reaches. They keep time, memory and stack proportional to
// the length of the text.
const (
	maxDOTDepth = 1000
	// An edge between two subgraphs multiplies them. No other notation gives more than one
	// edge per maxJoined bytes.
	maxJoined  = 3
	fewJoined  = 1 << 14 // always allowed
	dotWorkPer = 64      // steps for each byte to find the nodes of subgraphs
)

// scope holds the default attributes of nodes and edges in a subgraph, as chains, and which
// subgraph that is.
type scope struct {
	node, edge uint32
	of         uint32
}

func (p *dotParser) advance() {
	if p.err == nil {
		p.tok, p.err = p.lex.token()
		if p.tok.glued {
			p.glued++
		}
	}
	if p.err != nil {
		p.tok = dotToken{}
	}
}

// fail keeps the first error.
func (p *dotParser) fail(err error) {
	if err != nil && p.err == nil {
		p.err, p.tok = err, dotToken{}
	}
}

func (p *dotParser) isMark(mark string) bool { return !p.tok.id && p.tok.text == mark }

func (p *dotParser) isWord(word string) bool {
	return p.tok.id && !p.tok.quoted && strings.EqualFold(p.tok.text, word)
}

func (p *dotParser) isKeyword() bool {
	return slices.ContainsFunc([]string{"node", "edge", "graph", "digraph", "subgraph", "strict"}, p.isWord)
}

func (p *dotParser) atEdge() bool { return p.isMark("->") || p.isMark("--") }

func (p *dotParser) expected(what string) {
	found := quoted(p.tok.text)
	if p.isMark("") {
		found = "the end of the file"
	}
	p.fail(errAt(p.tok.line, "found %s, expected %s", found, what))
}

func (p *dotParser) graph() error {
	p.advance()
	if p.isMark("") {
		return p.err
	}
	p.raw.line = p.tok.line
	if p.isWord("strict") {
		p.strict = true
		p.advance()
	}
	switch {
	case p.isWord("digraph"):
		p.raw.directed = true
	case !p.isWord("graph"):
		p.expected("graph or digraph")
	}
	p.advance()
	if p.tok.id {
		if id := p.id(); p.err == nil {
			p.raw.id = id
		}
	}
	if !p.isMark("{") {
		p.expected("{")
	}
	p.block(scope{}, true)
	p.mergeRepeats()
	return p.err
}

// id reads an ID, which may be several strings joined by +.
func (p *dotParser) id() string {
	if !p.tok.id {
		p.expected("a name")
		return ""
	}
	text, mayJoin := p.tok.text, p.tok.quoted
	p.drawn = p.tok.named
	p.advance()
	if !mayJoin || !p.isMark("+") {
		return text
	}
	joined := []byte(text)
	for p.isMark("+") {
		p.advance()
		if !p.tok.quoted {
			p.expected("a string after +")
		}
		p.drawn = p.drawn || p.tok.named
		joined = appendTo(joined, p.tok.text)
		p.advance()
	}
	return string(joined)
}

// block reads { ... } and leaves the nodes named in it at the end of p.named. It ignores what
// follows the outermost graph: in this piece of text nothing does. The scope that comes back has
// the defaults that hold at the end.
func (p *dotParser) block(s scope, root bool) scope {
	if p.depth++; p.depth > maxDOTDepth {
		p.fail(errAt(p.tok.line, "subgraphs are nested more than %d deep", maxDOTDepth))
	}
	defer func() { p.depth-- }()
	p.advance()
	for !p.isMark("}") {
		switch {
		case p.isMark(""):
			p.expected("} that closes the graph")
			return s
		case p.isMark(";"):
			p.advance()
		default:
			p.statement(&s, root)
		}
		if root {
			p.named = p.named[:0] // nobody asks for them
		}
	}
	if !root {
		p.advance()
	}
	return s
}

// statement reads one statement and leaves the nodes named in it at the end of
// p.named.
func (p *dotParser) statement(s *scope, root bool) {
	for _, word := range []string{"graph", "node", "edge"} {
		if p.isWord(word) {
			p.defaults(s, word, root)
			return
		}
	}
	left, made := len(p.named), len(p.made)
	name, isNode := p.operand(*s, false)
	if isNode && p.isMark("=") {
		p.advance()
		if value := p.id(); root && p.err == nil {
			p.raw.setText(name, value)
		}
		return
	}
	line, isEdge, first := p.tok.line, p.atEdge(), left
	for p.atEdge() {
		if p.isMark("->") != p.raw.directed {
			if p.raw.directed {
				p.expected("->, since this is a digraph")
			} else {
				p.expected("--, since this is a graph and not a digraph")
			}
			return
		}
		p.advance()
		right := len(p.named)
		p.operand(*s, true)
		p.join(p.named[left:right], p.named[right:], line, made)
		if root { // the left side is no longer needed
			p.named = append(p.named[:left], p.named[right:]...)
			right = left
		}
		left = right
	}
	switch {
	case p.err != nil:
	case isEdge:
		p.key = noKey
		chain := p.attributes(&p.raw.edgeAttrs, s.edge)
		for _, r := range p.made[made:] {
			for i := r.from; i < r.to; i++ {
				p.raw.edges[i].attrs = chain
			}
			p.mayRepeat(r, s.edge)
		}
		p.made = p.made[:made]
	case isNode:
		p.setNodes(p.named[first:])
	default:
		p.attributes(nil, noAttrs)
	}
}

// setNodes reads the attributes of a list of nodes. Those with the same attributes before share
// them afterwards.
func (p *dotParser) setNodes(list []uint32) {
	before := p.raw.nodes[list[0]].attrs
	after := p.attributes(&p.raw.nodeAttrs, before)
	own, result := before, after
	for _, v := range list {
		node := &p.raw.nodes[v]
		if node.attrs != own {
			own = node.attrs
			result = p.copyAttributes(&p.raw.nodeAttrs, own, after, before)
		}
		node.attrs = result
	}
}

// edgeRange is a range of edges by their numbers.
type edgeRange struct{ from, to int }

// join adds the edges between two lists of nodes, within the limit for the text. They get the
// attributes of their statement, whose edges are p.made[made:].
func (p *dotParser) join(left, right []uint32, line, made int) {
	start := len(p.raw.edges)
	most := max(len(p.lex.text)/maxJoined, fewJoined)
	if start+len(left)*len(right) > most {
		p.fail(errAt(line, "the subgraphs joined here make too many edges: more than %d", most))
	}
	for _, from := range left {
		for _, to := range right {
			if p.err != nil {
				return
			}
			p.fail(p.raw.join(from, to, line, noAttrs))
		}
	}
	if last := len(p.made) - 1; last >= made && p.made[last].to == start {
		p.made[last].to = len(p.raw.edges)
	} else {
		p.made = add(p.made, edgeRange{start, len(p.raw.edges)})
	}
}

// operand reads nodes separated by commas, with optional ports, or a subgraph, and leaves them at
// the end of p.named. joined says that an edge leads to it. An attribute's name is not a node.
func (p *dotParser) operand(s scope, joined bool) (name string, isNode bool) {
	if p.isWord("subgraph") || p.isMark("{") {
		p.subgraph(s, joined)
		return "", false
	}
	for {
		if p.isKeyword() {
			p.expected("a name; a keyword that is one needs quotes")
		}
		line := p.tok.line
		name = p.id()
		if p.err == nil && (joined || !p.isMark("=")) {
			p.node(name, line, s.node)
		}
		for port := 0; p.isMark(":"); port++ {
			if port == 2 {
				p.expected("no third part of a port: a port has a name and a compass point")
			}
			p.advance()
			p.id()
		}
		if !p.isMark(",") {
			return name, p.err == nil
		}
		joined = true // what follows is no attribute
		p.advance()
	}
}

// node appends a node to p.named, and adds it to the graph unless it is there.
func (p *dotParser) node(name string, line int, defaults uint32) {
	number := p.raw.mention(name)
	if p.raw.at[number] == undeclared {
		p.fail(p.raw.addNode(number, line, defaults))
	}
	p.named = add(p.named, number)
}

// unique removes duplicates from p.named[start:].
func (p *dotParser) unique(start int) {
	p.work += len(p.named) - start
	if p.work > dotWorkPer*len(p.lex.text)+fewJoined {
		p.fail(errAt(p.tok.line, "subgraphs with the same nodes are joined too many times"))
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
}

// say notes what Graphviz reads otherwise than people might expect.
func (p *dotParser) say(n *notes) {
	n.count(p.drawnLabels,
		`label has \N, \G, \E, \H, \T or \L, for which Graphviz draws a name: it was read as it stands`,
		`labels have \N, \G, \E, \H, \T or \L, for which Graphviz draws names: they were read as they stand`)
	n.count(p.glued, "name follows another without a blank, as b does a number in 2b: they were read as two, as "+
		"Graphviz does; quotes make them one",
		"names follow others without a blank, as b does a number in 2b: they were read as several, as Graphviz "+
			"does; quotes make them one")
}
