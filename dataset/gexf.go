package dataset

import "strings"

func gexfFormat() format {
	return format{
		name:       "gexf",
		named:      true,
		about:      "GEXF of Gephi, versions 1.1 to 1.3",
		extensions: []string{"gexf"},
		sniff:      func(head []byte) bool { return rootElement(head) == "gexf" },
		open: func(in *input, e *env) (decoder, error) {
			return &gexf{xmlFile: newXMLFile(in, e)}, nil
		},
	}
}

// gexf decodes GEXF (gexf.net) of any version and name space. It ignores changes over
// time, nested nodes and drawing hints.
type gexf struct {
	xmlFile
	nodes, edges gexfClass
}

// gexfClass holds the declarations of the attributes of nodes, or of edges.
type gexfClass struct {
	declared map[string]graphMLKey // by their ids
	defaults uint32                // the chain of the defaults
}

func (d *gexf) next() (Record, error) {
	return d.nextGraph(d.graph, func(xmlTag) error { return d.x.skip() })
}

func (d *gexf) graph(tag xmlTag, raw *rawGraph) error {
	raw.id = tag.attribute("id")
	switch t := tag.attribute("defaultedgetype"); t {
	case "directed":
		raw.directed = true
	case "undirected", "": // the default of the schema
	default:
		return errAt(d.x.line(), `defaultedgetype is %s, expected "directed" or "undirected"`, quoted(t))
	}
	d.nodes, d.edges = gexfClass{}, gexfClass{}
	return d.x.children(func(tag xmlTag) error {
		switch tag.name {
		case "attributes":
			switch tag.attribute("class") {
			case "node":
				return d.declare(&d.nodes, &raw.nodeAttrs)
			case "edge":
				return d.declare(&d.edges, &raw.edgeAttrs)
			}
			return d.x.skip()
		case "nodes":
			return d.x.children(func(tag xmlTag) error { return d.node(tag, raw) })
		case "edges":
			return d.x.children(func(tag xmlTag) error { return d.edge(tag, raw) })
		}
		return d.x.skip()
	})
}

// declare reads the declarations of the attributes of one class, node or edge.
func (d *gexf) declare(class *gexfClass, attrs *attrs) error {
	return d.x.children(func(tag xmlTag) error {
		if tag.name != "attribute" {
			return d.x.skip()
		}
		id, err := d.x.needAttribute(tag, "id")
		if err != nil {
			return err
		}
		if _, ok := class.declared[id]; ok {
			return errAt(d.x.line(), "the attribute %s is declared twice", quoted(id))
		}
		k := graphMLKey{id: id, name: tag.attribute("title"), kind: gexfKind(tag.attribute("type"))}
		if k.name == "" {
			k.name = id
		}
		if class.declared == nil {
			class.declared = make(map[string]graphMLKey)
		}
		class.declared[id] = k
		return d.x.children(func(tag xmlTag) error {
			if tag.name != "default" {
				return d.x.skip()
			}
			value, err := d.x.content()
			class.defaults = attrs.add(class.defaults, k.name, value, k.kind)
			return err
		})
	})
}

func gexfKind(name string) kind {
	switch name {
	case "boolean":
		return booleanKind
	case "integer", "long", "short", "byte":
		return integerKind
	case "float", "double":
		return realKind
	}
	if strings.HasPrefix(name, "list") {
		return otherKind
	}
	return textKind
}

func (d *gexf) node(tag xmlTag, raw *rawGraph) error {
	if tag.name != "node" {
		return d.x.skip()
	}
	line := d.x.line()
	id, err := d.x.needAttribute(tag, "id")
	if err != nil {
		return err
	}
	chain, err := d.attributes(tag, &d.nodes, raw, &raw.nodeAttrs, id)
	if err != nil {
		return err
	}
	return raw.declare(id, line, chain)
}

func (d *gexf) edge(tag xmlTag, raw *rawGraph) error {
	if tag.name != "edge" {
		return d.x.skip()
	}
	line := d.x.line()
	source, err := d.x.needAttribute(tag, "source")
	if err != nil {
		return err
	}
	target, err := d.x.needAttribute(tag, "target")
	if err != nil {
		return err
	}
	if own := tag.attribute("type"); own != "" && (own == "directed") != raw.directed {
		return errAt(line, "edge %s-%s has type %s, against the defaultedgetype of its graph: all edges of a graph must agree",
			shorten(source), shorten(target), quoted(own))
	}
	chain, err := d.attributes(tag, &d.edges, raw, &raw.edgeAttrs, "")
	if err != nil {
		return err
	}
	return raw.connect(source, target, line, chain)
}

// attributes reads the values of a node or an edge to its end tag and returns their
// chain. Later entries win: first come the defaults, then the elements inside, then the
// attributes of the tag itself: label, weight (a number, of edges) and, since version
// 1.3, kind. A label that repeats the id of its node is a name, as NetworkX writes it,
// and no attribute.
func (d *gexf) attributes(tag xmlTag, class *gexfClass, raw *rawGraph, attrs *attrs, id string) (uint32, error) {
	chain := class.defaults
	err := d.x.children(func(tag xmlTag) error {
		if tag.name != "attvalues" {
			return d.x.skip()
		}
		return d.x.children(func(tag xmlTag) error {
			if tag.name == "attvalue" {
				k, err := d.value(tag, class)
				if err != nil {
					return err
				}
				if value := tag.attribute("value"); k.name != "label" || value != id || id == "" {
					chain = attrs.add(chain, k.name, value, k.kind)
				}
				if err := raw.tick(); err != nil {
					return err
				}
			}
			return d.x.skip()
		})
	})
	for _, a := range tag.attrs {
		switch a.Name.Local {
		case "label", "kind":
			if a.Name.Local == "label" && a.Value == id && id != "" {
				continue
			}
			chain = attrs.add(chain, a.Name.Local, a.Value, textKind)
		case "weight":
			chain = attrs.add(chain, a.Name.Local, a.Value, realKind)
		}
	}
	return chain, err
}

// value returns the attribute that an attvalue names, by for or, in version 1.1, id. An
// attribute that is not declared is named by its id.
func (d *gexf) value(tag xmlTag, class *gexfClass) (graphMLKey, error) {
	id := tag.attribute("for")
	if id == "" {
		id = tag.attribute("id")
	}
	k, ok := class.declared[id]
	if ok {
		return k, nil
	}
	if d.env.declared() {
		return k, errAt(d.x.line(), "attvalue is for %s, which no <attribute> of its class declares", quoted(id))
	}
	d.env.notes.say("the attribute %s is not declared: its values are read as text", quoted(id))
	return graphMLKey{name: id, kind: guessKind(tag.attribute("value"))}, nil
}
