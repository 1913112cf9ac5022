package dataset

// defaults reads "node [...]", "edge [...]" or "graph [...]".
func (p *dotParser) defaults(s *scope, word string, root bool) (err error) {
	if err := p.advance(); err != nil {
		return err
	}
	if !p.isMark("[") {
		return p.expected("[ after " + word)
	}
	switch word {
	case "node":
		s.node, err = p.attributes(&p.raw.nodeAttrs, s.node)
	case "edge":
		s.edge, err = p.attributes(&p.raw.edgeAttrs, s.edge)
	default:
		return p.attributeLists(func(name, value string) error {
			if root {
				p.raw.setText(name, value)
			}
			return p.raw.tick()
		})
	}
	return err
}

// attributes reads any number of bracketed lists and returns the chain of their
// entries. Without attrs it skips them.
func (p *dotParser) attributes(attrs *attrs, chain uint32) (uint32, error) {
	err := p.attributeLists(func(name, value string) error {
		if attrs != nil {
			chain = attrs.add(chain, name, value, dotKind(name, value))
		}
		return p.raw.tick()
	})
	return chain, err
}

// attributeLists calls take for every attribute of any number of bracketed lists.
func (p *dotParser) attributeLists(take func(name, value string) error) error {
	for p.isMark("[") {
		if err := p.advance(); err != nil {
			return err
		}
		for !p.isMark("]") {
			if p.isMark(";") || p.isMark(",") {
				if err := p.advance(); err != nil {
					return err
				}
				continue
			}
			name, err := p.id()
			if err != nil {
				return err
			}
			value := "true"
			if p.isMark("=") {
				if err := p.advance(); err != nil {
					return err
				}
				if value, err = p.id(); err != nil {
					return err
				}
			}
			if err := take(name, value); err != nil {
				return err
			}
		}
		if err := p.advance(); err != nil {
			return err
		}
	}
	return nil
}

// dotKind guesses the type of a value, which DOT does not have. Only label is text by
// definition of Graphviz.
func dotKind(name, value string) kind {
	switch name {
	case "label":
		return textKind
	case wildcardAttr:
		return booleanKind
	}
	return guessKind(value)
}
