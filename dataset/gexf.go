package dataset

import "cmp"

func gexfFormat() format {
	return xmlFormat("gexf", "gexf", "GEXF of Gephi", func(f xmlFile) decoder { return &gexf{xmlFile: f} })
}

// gexf decodes GEXF 1.1 to 1.3 (gexf.net): a graph with declarations of attributes, nodes and edges. Nodes within
// nodes are nodes of the graph. Times are not read.
type gexf struct {
	xmlFile
	keys     map[string]gexfKey // of nodes and of edges, by class and id
	defaults map[string]uint32  // a chain for each class
	// edgeType is the type of edges that state none; directed and undirected count the others and these.
	edgeType             string
	directed, undirected int
	timed                bool
}

type gexfKey struct {
	name string
	kind kind
}

// gexfKinds maps the types of attributes other than text.
var gexfKinds = map[string]kind{
	"integer": integerKind, "long": integerKind, "short": integerKind, "byte": integerKind,
	"float": realKind, "double": realKind, "boolean": booleanKind,
}

func (d *gexf) next() (Record, error) {
	return d.nextGraph(d.graph, func(xmlTag) error { return d.x.skip() })
}

func (d *gexf) graph(tag xmlTag, raw *rawGraph) error {
	raw.id, raw.closed = tag.attribute("id"), true
	d.keys, d.defaults = make(map[string]gexfKey), make(map[string]uint32)
	d.edgeType = cmp.Or(tag.attribute("defaultedgetype"), "undirected")
	d.directed, d.undirected, d.timed = 0, 0, tag.attribute("mode") == "dynamic"
	line := d.x.line()
	if err := d.x.children(d.part); err != nil {
		return err
	}
	if d.directed > 0 && d.undirected > 0 {
		return errAt(line, "%d edges are directed and %d are not: all edges of a graph must agree", d.directed,
			d.undirected)
	}
	raw.directed = d.directed > 0 || d.undirected == 0 && d.edgeType != "undirected"
	if d.timed {
		d.env.notes.say("times of nodes, edges and attributes are not read: a graph has what is there at any time, " +
			"with its last attributes")
	}
	return nil
}

// part reads the attributes, nodes or edges of a graph, or what a node has of them.
func (d *gexf) part(tag xmlTag) error {
	switch tag.name {
	case "spells":
		d.timed = true
	case "attributes":
		class := tag.attribute("class")
		return d.x.children(func(tag xmlTag) error { return d.key(tag, class) })
	case "nodes", "edges":
		return d.x.children(func(tag xmlTag) error {
			switch tag.name {
			case "node":
				return d.node(tag, func() (uint32, error) { return d.attributes(tag, &d.raw.nodeAttrs, "node") })
			case "edge":
				return d.join(tag)
			}
			return d.x.skip()
		})
	}
	return d.x.skip()
}

// key reads the declaration of an attribute.
func (d *gexf) key(tag xmlTag, class string) error {
	id, err := d.x.needAttribute(tag, "id")
	if err != nil {
		return err
	}
	key := gexfKey{cmp.Or(tag.attribute("title"), id), gexfKinds[tag.attribute("type")]}
	if _, twice := d.keys[class+" "+id]; twice {
		return errAt(d.x.line(), "the attribute %s of a %s is declared twice", quoted(id), class)
	}
	d.keys[class+" "+id] = key
	return d.x.children(func(tag xmlTag) error {
		if tag.name != "default" {
			return d.x.skip()
		}
		value, err := d.x.content()
		attrs := &d.raw.nodeAttrs
		if class == "edge" {
			attrs = &d.raw.edgeAttrs
		}
		d.defaults[class] = attrs.add(d.defaults[class], key.name, value, key.kind)
		return err
	})
}

// join adds an edge, or both directions of one that is mutual.
func (d *gexf) join(tag xmlTag) error {
	before := len(d.raw.edges)
	err := d.edge(tag, edgeForm{"source", "target", "", ""}, func() (uint32, error) {
		return d.attributes(tag, &d.raw.edgeAttrs, "edge")
	})
	if err != nil {
		return err
	}
	switch kind := cmp.Or(tag.attribute("type"), d.edgeType); kind {
	case "undirected":
		d.undirected++
	case "directed":
		d.directed++
	case "mutual":
		d.directed++
		edge := d.raw.edges[before]
		return d.raw.join(edge.to, edge.from, int(edge.line), edge.attrs)
	default:
		return errAt(d.x.line(), `the type of an edge is %s, expected "directed", "undirected" or "mutual"`,
			quoted(kind))
	}
	return nil
}

// attributes reads the label and the attributes of a node or an edge to its end, and the nodes and edges within.
func (d *gexf) attributes(tag xmlTag, attrs *attrs, class string) (uint32, error) {
	chain := d.defaults[class]
	for _, name := range []string{"weight", "kind", "label"} {
		if value := tag.attribute(name); value != "" {
			kind := textKind
			if name == "weight" {
				kind = guessKind(value)
			}
			chain = attrs.add(chain, name, value, kind)
		}
	}
	d.timed = d.timed || tag.attribute("start") != "" || tag.attribute("timestamp") != ""
	err := d.x.children(func(tag xmlTag) error {
		if tag.name != "attvalues" {
			return d.part(tag)
		}
		return d.x.children(func(tag xmlTag) error {
			id := cmp.Or(tag.attribute("for"), tag.attribute("id"))
			key, declared := d.keys[class+" "+id]
			value := tag.attribute("value")
			switch {
			case !declared && d.env.declared():
				return errAt(d.x.line(), "the attribute %s of a %s is not declared", quoted(id), class)
			case !declared:
				d.env.notes.say("the attribute %s is not declared: its values are read as text", quoted(id))
				key = gexfKey{id, guessKind(value)}
			}
			chain = attrs.add(chain, key.name, value, key.kind)
			if err := d.raw.tick(); err != nil {
				return err
			}
			return d.x.skip()
		})
	})
	return chain, err
}
