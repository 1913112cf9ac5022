package dataset

import (
	"encoding/xml"
	"strings"
)

func gxlFormat() format {
	return format{
		name:       "gxl",
		about:      "GXL, one graph or several a file",
		extensions: []string{"gxl"},
		sniff:      func(head []byte) bool { return rootElement(head) == "gxl" },
		open: func(in *input, e *env) (decoder, error) {
			return &gxl{xmlFile{env: e, x: newXMLScan(in, e.opt.maxRecord())}}, nil
		},
	}
}

// gxl decodes GXL 1.0 (gupro.de/GXL), as in the IAM Graph Database. The types
// of nodes and edges, nested graphs, relations and compound attribute values
// are passed over.
type gxl struct{ xmlFile }

func (d *gxl) next() (Record, error) {
	return d.nextGraph(d.graph, func(xml.StartElement) error { return d.x.skip() })
}

func (d *gxl) graph(tag xml.StartElement, raw *rawGraph) error {
	raw.id = attribute(tag, "id")
	// The GXL document type makes directed the default.
	switch mode := attribute(tag, "edgemode"); mode {
	case "directed", "defaultdirected", "":
		raw.directed = true
	case "undirected", "defaultundirected":
	default:
		return errAt(d.x.line(), `edgemode is %s, expected "directed" or "undirected"`, quoted(mode))
	}
	return d.x.children(func(tag xml.StartElement) error {
		line := d.x.line()
		switch tag.Name.Local {
		case "node":
			id, err := d.x.needAttribute(tag, "id")
			if err != nil {
				return err
			}
			attrs, err := d.attributes()
			raw.nodes = append(raw.nodes, rawNode{id, line, attrs})
			return err
		case "edge":
			return d.edge(tag, raw, line)
		case "attr":
			a, err := d.attr(tag)
			if err == nil {
				raw.setText(a.name, a.value)
			}
			return err
		}
		return d.x.skip()
	})
}

func (d *gxl) edge(tag xml.StartElement, raw *rawGraph, line int) error {
	from, err := d.x.needAttribute(tag, "from")
	if err != nil {
		return err
	}
	to, err := d.x.needAttribute(tag, "to")
	if err != nil {
		return err
	}
	if own := attribute(tag, "isdirected"); own != "" && (own == "true") != raw.directed {
		return errAt(line, "edge %s-%s has isdirected=%s, against the edgemode of its graph: all edges of a graph must agree",
			shorten(from), shorten(to), quoted(own))
	}
	attrs, err := d.attributes()
	raw.edges = append(raw.edges, rawEdge{from, to, line, attrs})
	return err
}

// attributes reads the attributes of a node or an edge to its end tag.
func (d *gxl) attributes() ([]attr, error) {
	var attrs []attr
	err := d.x.children(func(tag xml.StartElement) error {
		if tag.Name.Local != "attr" {
			return d.x.skip()
		}
		a, err := d.attr(tag)
		if err == nil && len(attrs) == maxXMLAttrs {
			err = errAt(d.x.line(), "found more than %d attributes of one thing", maxXMLAttrs)
		}
		attrs = append(attrs, a)
		return err
	})
	return attrs, err
}

// attr reads <attr name="N"><TYPE>VALUE</TYPE></attr>. The IAM database has blanks
// around values, and calls some texts numbers.
func (d *gxl) attr(tag xml.StartElement) (attr, error) {
	name, err := d.x.needAttribute(tag, "name")
	if err != nil {
		return attr{}, err
	}
	a := attr{name: name, kind: otherKind}
	err = d.x.children(func(tag xml.StartElement) error {
		switch strings.ToLower(tag.Name.Local) {
		case "string", "enum":
			a.kind = textKind
		case "int", "integer":
			a.kind = integerKind
		case "float", "double":
			a.kind = realKind
		case "bool", "boolean":
			a.kind = booleanKind
		default:
			return d.x.skip()
		}
		text, err := d.x.text(nil)
		a.value = strings.TrimSpace(text)
		if (a.kind == integerKind || a.kind == realKind) && guessKind(a.value) == textKind {
			a.kind = textKind
		}
		return err
	})
	return a, err
}

// setText takes an attribute of the whole graph.
func (g *rawGraph) setText(key, value string) {
	switch key {
	case nameMember:
		g.name = value
	case smilesMember:
		g.smiles = value
	default:
		g.setMeta(key, value)
	}
}
