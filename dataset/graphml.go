package dataset

import (
	"cmp"
	"io"
	"strings"
)

func graphMLFormat() format {
	f := xmlFormat("graphml", "graphml", "GraphML", func(f xmlFile) decoder {
		return &graphML{xmlFile: f, keys: make(map[string]graphMLKey), named: make(map[string]string)}
	})
	f.write = func(w io.Writer) encoder { return &graphMLEncoder{w: w} }
	return f
}

// graphML decodes GraphML (graphml.graphdrawing.org, specification 1.0): keys, then any
// number of graphs. Hyperedges are errors. The nodes and edges of a graph within a node, as yEd writes groups, are
// those of the graph around it.
type graphML struct {
	xmlFile
	keys     map[string]graphMLKey // by their ids
	named    map[string]string     // their ids, by domain and name
	defaults []graphMLKey          // those with a default, in their order
	// The defaults of the current graph, as chains.
	nodeDefaults, edgeDefaults uint32
}

type graphMLKey struct {
	name       string
	domain     string // node, edge, graph or all
	kind       kind
	value      string // the default
	hasDefault bool
	yed        bool // the value is an element of yEd that holds a label
}

// graphMLKinds maps the types other than string.
var graphMLKinds = map[string]kind{"boolean": booleanKind, "int": integerKind, "long": integerKind, "float": realKind,
	"double": realKind}

func (d *graphML) next() (Record, error) {
	return d.nextGraph(d.graph, func(tag xmlTag) error {
		if tag.name == "key" {
			return d.key(tag)
		}
		return d.x.skip()
	})
}

// key reads the declaration of an attribute.
func (d *graphML) key(tag xmlTag) error {
	id, err := d.x.needAttribute(tag, "id")
	if err != nil {
		return err
	}
	k := graphMLKey{name: tag.attribute("attr.name"), domain: tag.attribute("for"),
		kind: graphMLKinds[tag.attribute("attr.type")]}
	if yed := tag.attribute("yfiles.type"); yed == "nodegraphics" || yed == "edgegraphics" {
		k.yed, k.name = true, "label"
	}
	k.name, k.domain = cmp.Or(k.name, id), cmp.Or(k.domain, "all")
	err = d.x.children(func(child xmlTag) error {
		if child.name != "default" || k.yed {
			return d.x.skip()
		}
		k.hasDefault = true
		k.value, err = d.x.content()
		return err
	})
	if _, ok := d.keys[id]; ok {
		return errAt(d.x.line(), "the key %s is given twice", quoted(id))
	}
	if other, ok := d.sameName(k); ok && !k.yed {
		return errAt(d.x.line(), "the keys %s and %s have the same attr.name, %s: rename one, or their values "+
			"cannot be told apart", quoted(other), quoted(id), quoted(k.name))
	}
	if !k.yed {
		d.named[k.domain+" "+k.name] = id
	}
	d.keys[id] = k
	if k.hasDefault {
		d.defaults = append(d.defaults, k)
	}
	return err
}

// sameName returns the key that gives the same elements an attribute of the same name, if there is one.
func (d *graphML) sameName(k graphMLKey) (id string, ok bool) {
	domains := []string{k.domain, "all"}
	if k.domain == "all" {
		domains = append(domains, "node", "edge", "graph")
	}
	for _, domain := range domains {
		if id, ok = d.named[domain+" "+k.name]; ok {
			return id, true
		}
	}
	return "", false
}

func (d *graphML) graph(tag xmlTag, raw *rawGraph) error {
	raw.id = tag.attribute("id")
	var err error
	if raw.directed, err = d.direction(tag); err != nil {
		return err
	}
	d.nodeDefaults, d.edgeDefaults = noAttrs, noAttrs
	for _, k := range d.defaults {
		if k.domain == "node" || k.domain == "all" {
			d.nodeDefaults = raw.nodeAttrs.add(d.nodeDefaults, k.name, k.value, k.kind)
		}
		if k.domain == "edge" || k.domain == "all" {
			d.edgeDefaults = raw.edgeAttrs.add(d.edgeDefaults, k.name, k.value, k.kind)
		}
	}
	return d.elements(raw)
}

// direction reads what a graph says of the direction of its edges.
func (d *graphML) direction(tag xmlTag) (directed bool, err error) {
	switch edgeDefault := tag.attribute("edgedefault"); edgeDefault {
	case "directed":
		return true, nil
	case "undirected":
		return false, nil
	default:
		return false, errAt(d.x.line(), `edgedefault is %s, expected "directed" or "undirected"`, quoted(edgeDefault))
	}
}

// elements reads what a graph has, to its end.
func (d *graphML) elements(raw *rawGraph) error {
	return d.x.children(func(tag xmlTag) error {
		switch tag.name {
		case "node":
			return d.node(tag, func() (uint32, error) {
				return d.attributes(raw, &raw.nodeAttrs, d.nodeDefaults,
					"node")
			})
		case "edge":
			form := edgeForm{"source", "target", "directed", "edgedefault"}
			return d.edge(tag, form, func() (uint32, error) {
				return d.attributes(raw, &raw.edgeAttrs, d.edgeDefaults,
					"edge")
			})
		case "hyperedge":
			return errAt(d.x.line(), "found a hyperedge: graphs here have edges between two nodes only")
		case "data":
			key, value, err := d.data(tag, "graph")
			if err == nil {
				raw.setText(key.name, value)
			}
			return err
		}
		return d.x.skip()
	})
}

// attributes reads the data of a node or edge up to its end tag and returns them as a chain
// on top of the defaults.
func (d *graphML) attributes(raw *rawGraph, attrs *attrs, chain uint32, domain string) (uint32, error) {
	err := d.x.children(func(tag xmlTag) error {
		switch tag.name {
		case "data":
			key, value, err := d.data(tag, domain)
			if err != nil {
				return err
			}
			chain = attrs.add(chain, key.name, value, key.kind)
			return raw.tick()
		case "graph":
			switch directed, err := d.direction(tag); {
			case err != nil:
				return err
			case domain != "node":
				return errAt(d.x.line(), "found a graph inside an edge, which has no place for one")
			case directed != raw.directed:
				return errAt(d.x.line(), "a graph inside a node is directed and the one around it is not, or the "+
					"other way round")
			}
			return d.elements(raw)
		}
		return d.x.skip()
	})
	return chain, err
}

// data reads a data element. If its key is undeclared, it becomes text under the name of the
// key, as in other programs.
func (d *graphML) data(tag xmlTag, domain string) (graphMLKey, string, error) {
	id, err := d.x.needAttribute(tag, "key")
	if err != nil {
		return graphMLKey{}, "", err
	}
	key, ok := d.keys[id]
	switch {
	case key.yed:
		if _, ok := d.sameName(key); ok {
			key.name = "drawn " + key.name
		}
		value, err := d.yedLabel()
		return key, value, err
	case !ok && d.env.declared():
		return graphMLKey{}, "", errAt(d.x.line(), "data has the key %s, which no <key> before the graph declares "+
			"for a %s", quoted(id), domain)
	case !ok:
		d.env.notes.say("the key %s is not declared: its values are read as text", quoted(id))
		key.name = id
	}
	value, err := d.x.content()
	if !ok {
		key.kind = guessKind(strings.TrimSpace(value))
	}
	if key.kind != textKind {
		value = strings.TrimSpace(value)
	}
	return key, value, err
}

// yedLabel returns the first label in the drawing that yEd stores with a node or edge.
func (d *graphML) yedLabel() (string, error) {
	label := ""
	var search func(tag xmlTag) error
	search = func(tag xmlTag) error {
		if name := tag.name; label != "" || name != "NodeLabel" && name != "EdgeLabel" {
			return d.x.children(search)
		}
		text, err := d.x.content()
		label = strings.TrimSpace(text)
		return err
	}
	err := d.x.children(search)
	return label, err
}
