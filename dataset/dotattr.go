package dataset

// defaults reads "node [...]", "edge [...]" or "graph [...]".
func (p *dotParser) defaults(s *scope, word string, root bool) error {
	if err := p.advance(); err != nil {
		return err
	}
	if !p.isMark("[") {
		return p.expected("[ after " + word)
	}
	attrs, err := p.attributes()
	if err != nil {
		return err
	}
	switch word {
	case "node":
		s.node = override(s.node, attrs)
	case "edge":
		s.edge = override(s.edge, attrs)
	default:
		for _, a := range attrs {
			if root {
				p.raw.setText(a.name, a.value)
			}
		}
	}
	return nil
}

// attributes reads any number of lists in brackets.
func (p *dotParser) attributes() ([]attr, error) {
	var attrs []attr
	for p.isMark("[") {
		if err := p.advance(); err != nil {
			return nil, err
		}
		for !p.isMark("]") {
			if p.isMark(";") || p.isMark(",") {
				if err := p.advance(); err != nil {
					return nil, err
				}
				continue
			}
			name, err := p.id()
			if err != nil {
				return nil, err
			}
			value := "true"
			if p.isMark("=") {
				if err := p.advance(); err != nil {
					return nil, err
				}
				if value, err = p.id(); err != nil {
					return nil, err
				}
			}
			if attrs = override(attrs, []attr{dotAttr(name, value)}); len(attrs) > maxDOTAttrs {
				return nil, errAt(p.tok.line, "found more than %d attributes of one thing", maxDOTAttrs)
			}
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	return attrs, nil
}

// dotAttr guesses the type of a value, which DOT does not have, but for label,
// which Graphviz defines as text.
func dotAttr(name, value string) attr {
	switch name {
	case "label":
		return attr{name, value, textKind}
	case wildcardAttr:
		return attr{name, value, booleanKind}
	}
	return attr{name, value, guessKind(value)}
}

// override returns base with the attributes of over in place of those of equal
// name; base is not changed.
func override(base, over []attr) []attr {
	if len(over) == 0 {
		return base
	}
	out := append([]attr(nil), base...)
next:
	for _, a := range over {
		for i := range out {
			if out[i].name == a.name {
				out[i] = a
				continue next
			}
		}
		out = append(out, a)
	}
	return out
}

func unique(names []string) []string {
	seen := make(map[string]bool, len(names))
	var out []string
	for _, name := range names {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

// dropRepeats keeps the first of edges between the same nodes, as "strict"
// asks for.
func (g *rawGraph) dropRepeats(e *env) {
	seen := make(map[[2]string]bool, len(g.edges))
	kept := g.edges[:0]
	for _, edge := range g.edges {
		ends := [2]string{edge.from, edge.to}
		if !g.directed && edge.from > edge.to {
			ends = [2]string{edge.to, edge.from}
		}
		if !seen[ends] {
			seen[ends] = true
			kept = append(kept, edge)
		}
	}
	e.notes.count("repeated edges of strict graphs were dropped", len(g.edges)-len(kept))
	g.edges = kept
}
