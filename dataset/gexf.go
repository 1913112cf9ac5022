package dataset

import (
	"encoding/xml"
	"slices"
	"strings"
)

func gexfFormat() format {
	return format{
		name:       "gexf",
		about:      "GEXF of Gephi, versions 1.1 to 1.3",
		extensions: []string{"gexf"},
		sniff:      func(head []byte) bool { return rootElement(head) == "gexf" },
		open: func(in *input, e *env) (decoder, error) {
			return &gexf{xmlFile: xmlFile{env: e, x: newXMLScan(in, e.opt.maxRecord())}}, nil
		},
	}
}

// gexf decodes GEXF (gexf.net) of any version, without regard to its name space.
// What changes over time, nested nodes and drawing hints are passed over.
type gexf struct {
	xmlFile
	declared []gexfAttribute
}

type gexfAttribute struct {
	graphMLKey
	class string
}

// maxXMLAttrs bounds the attributes of a node or an edge, and how many may be
// declared, which keeps the time in proportion to the length of the file.
const maxXMLAttrs = 256

func (d *gexf) next() (Record, error) {
	return d.nextGraph(d.graph, func(xml.StartElement) error { return d.x.skip() })
}

func (d *gexf) graph(tag xml.StartElement, raw *rawGraph) error {
	raw.id = attribute(tag, "id")
	switch t := attribute(tag, "defaultedgetype"); t {
	case "directed":
		raw.directed = true
	case "undirected", "": // the default of the schema
	default:
		return errAt(d.x.line(), `defaultedgetype is %s, expected "directed" or "undirected"`, quoted(t))
	}
	d.declared = nil
	return d.x.children(func(tag xml.StartElement) error {
		switch tag.Name.Local {
		case "attributes":
			return d.declare(attribute(tag, "class"))
		case "nodes":
			return d.x.children(func(tag xml.StartElement) error { return d.node(tag, raw) })
		case "edges":
			return d.x.children(func(tag xml.StartElement) error { return d.edge(tag, raw) })
		}
		return d.x.skip()
	})
}

// declare reads the declarations of the attributes of one class, node or edge.
func (d *gexf) declare(class string) error {
	return d.x.children(func(tag xml.StartElement) error {
		if tag.Name.Local != "attribute" {
			return d.x.skip()
		}
		id, err := d.x.needAttribute(tag, "id")
		if err != nil {
			return err
		}
		a := gexfAttribute{class: class}
		a.id, a.name, a.kind = id, attribute(tag, "title"), gexfKind(attribute(tag, "type"))
		if a.name == "" {
			a.name = id
		}
		err = d.x.children(func(tag xml.StartElement) (err error) {
			if tag.Name.Local != "default" {
				return d.x.skip()
			}
			a.hasDefault = true
			a.value, err = d.x.text(nil)
			return err
		})
		if len(d.declared) == maxXMLAttrs {
			return errAt(d.x.line(), "found more than %d attributes", maxXMLAttrs)
		}
		d.declared = append(d.declared, a)
		return err
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

func (d *gexf) node(tag xml.StartElement, raw *rawGraph) error {
	if tag.Name.Local != "node" {
		return d.x.skip()
	}
	line := d.x.line()
	id, err := d.x.needAttribute(tag, "id")
	if err != nil {
		return err
	}
	attrs, err := d.attributes(tag, "node")
	if a, ok := findAttr(attrs, "label"); ok && a.value == id {
		attrs = slices.DeleteFunc(attrs, func(a attr) bool { return a.name == "label" }) // a name, as NetworkX writes it
	}
	raw.nodes = append(raw.nodes, rawNode{id, line, attrs})
	return err
}

func (d *gexf) edge(tag xml.StartElement, raw *rawGraph) error {
	if tag.Name.Local != "edge" {
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
	if own := attribute(tag, "type"); own != "" && (own == "directed") != raw.directed {
		return errAt(line, "edge %s-%s has type %s, against the defaultedgetype of its graph: all edges of a graph must agree",
			shorten(source), shorten(target), quoted(own))
	}
	attrs, err := d.attributes(tag, "edge")
	raw.edges = append(raw.edges, rawEdge{source, target, line, attrs})
	return err
}

// attributes reads the values of a node or an edge to its end tag, after those
// in the tag itself: label, weight (an edge's, a number), and since version 1.3
// kind.
func (d *gexf) attributes(tag xml.StartElement, class string) ([]attr, error) {
	var attrs []attr
	for _, a := range tag.Attr {
		switch a.Name.Local {
		case "label", "kind":
			attrs = append(attrs, attr{a.Name.Local, a.Value, textKind})
		case "weight":
			attrs = append(attrs, attr{a.Name.Local, a.Value, realKind})
		}
	}
	err := d.x.children(func(tag xml.StartElement) error {
		if tag.Name.Local != "attvalues" {
			return d.x.skip()
		}
		return d.x.children(func(tag xml.StartElement) error {
			if tag.Name.Local == "attvalue" {
				a, err := d.value(tag, class)
				if err != nil {
					return err
				}
				if _, ok := findAttr(attrs, a.name); !ok {
					attrs = append(attrs, a)
				}
			}
			return d.x.skip()
		})
	})
	for _, a := range d.declared {
		if _, ok := findAttr(attrs, a.name); !ok && a.hasDefault && a.class == class {
			attrs = append(attrs, attr{a.name, a.value, a.kind})
		}
	}
	return attrs, err
}

// value reads an attvalue, which names its attribute by for or, in version 1.1,
// id.
func (d *gexf) value(tag xml.StartElement, class string) (attr, error) {
	id := attribute(tag, "for")
	if id == "" {
		id = attribute(tag, "id")
	}
	i := slices.IndexFunc(d.declared, func(a gexfAttribute) bool { return a.id == id && a.class == class })
	if i < 0 {
		return attr{}, errAt(d.x.line(), "attvalue is for %s, which no <attribute> of class %s declares", quoted(id), class)
	}
	return attr{d.declared[i].name, attribute(tag, "value"), d.declared[i].kind}, nil
}
