package dataset

import (
	"bytes"
	"strings"
)

// defaults reads "node [...]", "edge [...]" or "graph [...]".
func (p *dotParser) defaults(s *scope, word string, root bool) {
	p.advance()
	if !p.isMark("[") {
		p.expected("[ after " + word)
	}
	switch word {
	case "node":
		s.node = p.attributes(&p.raw.nodeAttrs, s.node)
	case "edge":
		s.edge = p.attributes(&p.raw.edgeAttrs, s.edge)
	default:
		p.attributeLists(func(name, value string) {
			if root {
				p.raw.setText(name, value)
			}
		})
	}
}

// attributes reads any number of bracketed lists and returns their entries as a chain.
// Without attrs it skips them.
func (p *dotParser) attributes(attrs *attrs, chain uint32) uint32 {
	p.attributeLists(func(name, value string) {
		kind := guessKind(value) // DOT has no types
		switch name {
		case "label":
			kind = textKind
			if p.ownName && attrs == &p.raw.nodeAttrs {
				kind = unsetKind
			} else if p.drawn && attrs != nil {
				p.drawnLabels++
			}
		case wildcardAttr:
			kind = booleanKind
		case "key":
			p.key, _ = p.keys.get(value)
		}
		if attrs != nil {
			chain = attrs.add(chain, name, value, kind)
		}
	})
	return chain
}

// attributeLists calls take for every attribute in any number of bracketed lists.
func (p *dotParser) attributeLists(take func(name, value string)) {
	for p.isMark("[") {
		p.advance()
		for !p.isMark("]") && p.err == nil {
			if p.isMark(";") || p.isMark(",") {
				p.advance()
				continue
			}
			name, value := p.id(), "true"
			p.drawn, p.ownName = false, false
			if p.isMark("=") {
				p.advance()
				p.ownName = p.tok.text == `\N` && bytes.HasSuffix(p.lex.text[:p.lex.i], []byte(`"\N"`))
				value = p.id()
				p.ownName = p.ownName && value == `\N` // and nothing joined to it
			}
			if p.err == nil {
				take(name, value)
				p.fail(p.raw.tick())
			}
		}
		p.advance()
	}
}

// drawnDOT reports whether Graphviz uses an attribute of nodes or edges only for how, where
// or with what link to draw them. Texts that are drawn (label, xlabel, headlabel, taillabel),
// weight, class and comment are not such attributes.
func drawnDOT(name string) bool {
	switch name {
	case "area", "arrowhead", "arrowsize", "arrowtail", "color", "colorscheme", "constraint", "decorate", "dir",
		"distortion",
		"edgeURL", "edgehref", "edgetarget", "edgetooltip", "fillcolor", "fixedsize", "fontcolor", "fontname",
		"fontsize",
		"gradientangle", "group", "head_lp", "headURL", "headclip", "headhref", "headport", "headtarget", "headtooltip",
		"height",
		"href", "id", "image", "imagepos", "imagescale", "labelURL", "labelangle", "labeldistance", "labelfloat",
		"labelfontcolor",
		"labelfontname", "labelfontsize", "labelhref", "labeljust", "labelloc", "labeltarget", "labeltooltip", "layer",
		"len", "lhead",
		"lp", "ltail", "margin", "minlen", "nojustify", "ordering", "orientation", "penwidth", "peripheries", "pin",
		"pos", "radius",
		"rects", "regular", "root", "samehead", "sametail", "samplepoints", "shape", "shapefile", "showboxes", "sides",
		"skew",
		"sortv", "style", "tailURL", "tail_lp", "tailclip", "tailhref", "tailport", "tailtarget", "tailtooltip",
		"target", "tooltip", "URL", "vertices", "width", "xlp", "z":
		return true
	}
	return strings.HasPrefix(name, "_") && strings.HasSuffix(name, "draw_") // operations of xdot
}
