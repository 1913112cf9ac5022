package dataset

// gml decodes GML: top-level keys with values, of which graph is read. It ignores lists
// inside nodes and edges, such as graphics.
type gml struct {
	in     *input
	env    *env
	pieces *pieces
	lex    gmlLexer
	raw    rawGraph
}

func (d *gml) close() error { return d.in.close() }

func (d *gml) next() (Record, error) {
	for {
		text, line, err := d.env.piece(d.in, d.pieces)
		if err != nil {
			return Record{}, err
		}
		d.raw.reset(d.env, 0)
		d.lex = gmlLexer{text: text, line: line}
		err = d.top()
		if err == nil && d.raw.line == 0 {
			continue // there is no graph in it
		}
		var rec Record
		if err == nil {
			rec, err = d.env.build(&d.raw)
		}
		if err != nil {
			return Record{}, d.env.bad(d.in.name, max(line, d.raw.line), d.raw.id, text, err)
		}
		rec.File = d.in.name
		return rec, nil
	}
}

// top reads the top-level keys.
func (d *gml) top() error {
	return d.members(false, 0, func(key, value gmlToken, depth int) error {
		if key.text != "graph" || !value.is("[") {
			return d.pass(value, depth)
		}
		d.raw.line = key.line
		return d.members(true, depth, d.graph)
	})
}

// graph takes a member of the graph.
func (d *gml) graph(key, value gmlToken, depth int) error {
	switch {
	case key.text == "directed":
		d.raw.directed = value.text == "1"
	case key.text == "id" && !value.is("["):
		d.raw.id = value.text
	case (key.text == "name" || key.text == "label") && !value.is("["):
		d.raw.name = value.text
	case key.text == "node" && value.is("["):
		return d.element(&d.raw.nodeAttrs, key.line, depth, []string{"id"}, func(own []string, chain uint32) error {
			return d.raw.declare(own[0], key.line, chain)
		})
	case key.text == "edge" && value.is("["):
		return d.element(&d.raw.edgeAttrs, key.line, depth, []string{"source", "target"}, func(own []string, chain uint32) error {
			return d.raw.connect(own[0], own[1], key.line, chain)
		})
	case value.is("["):
		return d.pass(value, depth)
	default:
		d.raw.setAttribute(key.text, value.text)
	}
	return nil
}

// element reads a node or an edge: the required keys, and attributes.
func (d *gml) element(attrs *attrs, line, depth int, names []string, take func(own []string, chain uint32) error) error {
	own := make([]string, len(names))
	has := make([]bool, len(names))
	chain := noAttrs
	err := d.members(true, depth, func(key, value gmlToken, depth int) error {
		if value.is("[") {
			return d.pass(value, depth)
		}
		for i, name := range names {
			if key.text == name {
				own[i], has[i] = value.text, true
				return nil
			}
		}
		k := textKind
		if !value.quoted {
			k = guessKind(value.text)
		}
		chain = attrs.add(chain, key.text, value.text, k)
		return d.raw.tick()
	})
	if err != nil {
		return err
	}
	for i, name := range names {
		if !has[i] {
			return errAt(line, "found a node or an edge without %s", name)
		}
	}
	return take(own, chain)
}

// members calls visit for each key with its value, up to the bracket that closes
// the list, or to the end.
func (d *gml) members(inside bool, depth int, visit func(key, value gmlToken, depth int) error) error {
	if depth++; depth > maxXMLDepth {
		return errAt(d.lex.line, "lists are nested more than %d deep", maxXMLDepth)
	}
	for {
		key, err := d.lex.token()
		switch {
		case err != nil:
			return err
		case key.end() && !inside, key.is("]") && inside:
			return nil
		case key.end():
			return errAt(key.line, "found the end of the file, expected ] that closes the list")
		case key.quoted || key.is("[") || key.is("]"):
			return errAt(key.line, "found %s, expected a key", quoted(key.text))
		}
		value, err := d.lex.token()
		if err == nil && (value.end() || value.is("]")) {
			err = errAt(value.line, "found no value of the key %s", quoted(key.text))
		}
		if err == nil {
			err = visit(key, value, depth)
		}
		if err != nil {
			return err
		}
	}
}

// pass skips a value.
func (d *gml) pass(value gmlToken, depth int) error {
	if !value.is("[") {
		return nil
	}
	return d.members(true, depth, func(_, value gmlToken, depth int) error { return d.pass(value, depth) })
}
