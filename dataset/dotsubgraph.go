package dataset

import (
	"errors"
	"strconv"
)

// errReopened means that an edge joins a subgraph whose nodes are also those of an earlier one with
// the same name, which were not kept. The graph is read again. Few graphs need it, and keeping the
// nodes of all subgraphs takes memory.
var errReopened = errors.New("a subgraph is opened again")

// subgraphs are the named ones. A name stands for the same subgraph wherever it occurs in the same
// surrounding one.
type subgraphs struct {
	names names // the number of the surrounding subgraph, a blank, and the name
	list  []namedSubgraph
	keep  bool // the nodes
	kept  int  // nodes
	last  uint32
}

// namedSubgraph is what is known of a subgraph after its closing brace.
type namedSubgraph struct {
	number     uint32
	node, edge chainPart // its own defaults
	nodes      []uint32
	hasNodes   bool
}

// chainPart is the part of a chain on top of base.
type chainPart struct{ top, base uint32 }

// subgraph reads a subgraph and leaves its nodes at the end of p.named. joined says that an edge leads to it.
func (p *dotParser) subgraph(s scope, joined bool) {
	start := len(p.named)
	name, named := "", false
	if p.isWord("subgraph") {
		p.advance()
		if p.tok.id {
			name, named = p.id(), true
		}
		if !p.isMark("{") {
			p.expected("{ after subgraph")
			return
		}
	}
	all, outer := &p.subgraphs, s
	at := -1
	if named {
		number, added := all.names.get(strconv.Itoa(int(s.of)) + " " + name)
		if added {
			all.last++
			all.list = add(all.list, namedSubgraph{number: all.last})
		}
		at = int(number)
		sub := &all.list[at]
		s.of = sub.number
		s.node = p.inherit(&p.raw.nodeAttrs, s.node, sub.node)
		s.edge = p.inherit(&p.raw.edgeAttrs, s.edge, sub.edge)
	} else {
		all.last++
		s.of = all.last
	}
	end := p.block(s, false)
	if at >= 0 {
		sub := &all.list[at]
		sub.node, sub.edge = chainPart{end.node, outer.node}, chainPart{end.edge, outer.edge}
	}
	isOperand := joined || p.atEdge()
	if at >= 0 {
		p.members(&all.list[at], start, isOperand)
	}
	if isOperand {
		p.unique(start)
	}
}

// inherit returns the defaults of a subgraph that is opened again: those around it, and its own on top.
func (p *dotParser) inherit(a *attrs, around uint32, own chainPart) uint32 {
	if own.top == own.base {
		return around
	}
	if own.base == around {
		return own.top
	}
	return p.copyAttributes(a, around, own.top, own.base)
}

// members adds the nodes at p.named[start:] to those of a subgraph and, for an edge, the subgraph's
// earlier nodes to these.
func (p *dotParser) members(sub *namedSubgraph, start int, isOperand bool) {
	all := &p.subgraphs
	earlier := sub.nodes
	switch {
	case p.err != nil:
		return
	case all.keep:
		for _, v := range p.named[start:] {
			sub.nodes = add(sub.nodes, v)
		}
		if all.kept += len(p.named) - start; all.kept > len(p.lex.text)/2+fewJoined {
			p.fail(errAt(p.tok.line, "subgraphs with names are nested too deep"))
		}
	case isOperand && sub.hasNodes:
		p.fail(errReopened)
	}
	sub.hasNodes = sub.hasNodes || len(p.named) > start
	if isOperand {
		for _, v := range earlier {
			p.named = add(p.named, v)
		}
	}
}
