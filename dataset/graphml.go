package dataset

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
)

func graphMLFormat() format {
	return format{
		name:       "graphml",
		about:      "GraphML",
		extensions: []string{"graphml"},
		sniff:      func(head []byte) bool { return rootElement(head) == "graphml" },
		open: func(in *input, e *env) (decoder, error) {
			return &graphML{xmlFile: xmlFile{env: e, x: newXMLScan(in, e.opt.maxRecord())}}, nil
		},
		write: func(w io.Writer) encoder { return &graphMLEncoder{w: w} },
	}
}

// graphML decodes GraphML (graphml.graphdrawing.org, specification 1.0): keys,
// then any number of graphs. Hyperedges and nested graphs are errors.
type graphML struct {
	xmlFile
	keys []graphMLKey
}

type graphMLKey struct {
	id, name   string
	domain     string // node, edge, graph or all
	kind       kind
	value      string // the default
	hasDefault bool
	yed        bool // the value is an element of yEd that holds a label
}

func (d *graphML) next() (Record, error) {
	return d.nextGraph(d.graph, func(tag xml.StartElement) error {
		if tag.Name.Local == "key" {
			return d.key(tag)
		}
		return d.x.skip()
	})
}

// key reads the declaration of an attribute.
func (d *graphML) key(tag xml.StartElement) error {
	id, err := d.x.needAttribute(tag, "id")
	if err != nil {
		return err
	}
	k := graphMLKey{id: id, name: attribute(tag, "attr.name"), domain: attribute(tag, "for"), kind: graphMLKind(attribute(tag, "attr.type"))}
	if yed := attribute(tag, "yfiles.type"); yed == "nodegraphics" || yed == "edgegraphics" {
		k.yed, k.name = true, "label"
	}
	if k.name == "" {
		k.name = id
	}
	if k.domain == "" {
		k.domain = "all"
	}
	err = d.x.children(func(child xml.StartElement) error {
		if child.Name.Local != "default" || k.yed {
			return d.x.skip()
		}
		k.hasDefault = true
		k.value, err = d.x.text(nil)
		return err
	})
	if len(d.keys) == maxXMLAttrs {
		return errAt(d.x.line(), "found more than %d keys", maxXMLAttrs)
	}
	d.keys = append(d.keys, k)
	return err
}

func graphMLKind(name string) kind {
	switch name {
	case "boolean":
		return booleanKind
	case "int", "long":
		return integerKind
	case "float", "double":
		return realKind
	}
	return textKind
}

func (d *graphML) graph(tag xml.StartElement, raw *rawGraph) error {
	raw.id = attribute(tag, "id")
	switch edgeDefault := attribute(tag, "edgedefault"); edgeDefault {
	case "directed":
		raw.directed = true
	case "undirected":
	default:
		return errAt(d.x.line(), `edgedefault is %s, expected "directed" or "undirected"`, quoted(edgeDefault))
	}
	err := d.x.children(func(tag xml.StartElement) error {
		switch tag.Name.Local {
		case "node":
			return d.node(tag, raw)
		case "edge":
			return d.edge(tag, raw)
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
	return err
}

func (d *graphML) node(tag xml.StartElement, raw *rawGraph) error {
	id, err := d.x.needAttribute(tag, "id")
	if err != nil {
		return err
	}
	line := d.x.line()
	attrs, err := d.attributes("node")
	raw.nodes = append(raw.nodes, rawNode{id, line, attrs})
	return err
}

func (d *graphML) edge(tag xml.StartElement, raw *rawGraph) error {
	line := d.x.line()
	source, err := d.x.needAttribute(tag, "source")
	if err != nil {
		return err
	}
	target, err := d.x.needAttribute(tag, "target")
	if err != nil {
		return err
	}
	if own := attribute(tag, "directed"); own != "" && (own == "true") != raw.directed {
		return errAt(line, "edge %s-%s has directed=%s, against the edgedefault of its graph: all edges of a graph must agree",
			shorten(source), shorten(target), quoted(own))
	}
	attrs, err := d.attributes("edge")
	raw.edges = append(raw.edges, rawEdge{source, target, line, attrs})
	return err
}

// attributes reads the data of a node or an edge to its end tag and adds the
// defaults of the keys that it leaves out.
func (d *graphML) attributes(domain string) ([]attr, error) {
	var attrs []attr
	err := d.x.children(func(tag xml.StartElement) error {
		switch tag.Name.Local {
		case "data":
			key, value, err := d.data(tag, domain)
			if err != nil {
				return err
			}
			if _, ok := findAttr(attrs, key.name); !ok {
				attrs = append(attrs, attr{key.name, value, key.kind})
			}
			return nil
		case "graph":
			return errAt(d.x.line(), "found a graph inside a %s: nested graphs cannot be read", domain)
		}
		return d.x.skip()
	})
	for _, key := range d.keys {
		if !key.hasDefault || key.domain != domain && key.domain != "all" {
			continue
		}
		if _, ok := findAttr(attrs, key.name); !ok {
			attrs = append(attrs, attr{key.name, key.value, key.kind})
		}
	}
	return attrs, err
}

// data reads one datum.
func (d *graphML) data(tag xml.StartElement, domain string) (graphMLKey, string, error) {
	id, err := d.x.needAttribute(tag, "key")
	if err != nil {
		return graphMLKey{}, "", err
	}
	i := slices.IndexFunc(d.keys, func(k graphMLKey) bool { return k.id == id })
	if i < 0 {
		return graphMLKey{}, "", errAt(d.x.line(), "data has the key %s, which no <key> before the graph declares for a %s", quoted(id), domain)
	}
	key := d.keys[i]
	if !key.yed {
		value, err := d.x.text(nil)
		if key.kind != textKind {
			value = strings.TrimSpace(value)
		}
		return key, value, err
	}
	value, err := d.yedLabel()
	return key, value, err
}

// yedLabel returns the first label in the drawing that yEd keeps of a node or
// an edge.
func (d *graphML) yedLabel() (string, error) {
	label := ""
	var search func(tag xml.StartElement) error
	search = func(tag xml.StartElement) error {
		if name := tag.Name.Local; label != "" || name != "NodeLabel" && name != "EdgeLabel" {
			return d.x.children(search)
		}
		text, err := d.x.text(nil)
		label = strings.TrimSpace(text)
		return err
	}
	err := d.x.children(search)
	return label, err
}
