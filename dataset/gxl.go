package dataset

import "strings"

func gxlFormat() format {
	return xmlFormat("gxl", "gxl", "GXL, one or more graphs per file", func(f xmlFile) decoder { return &gxl{f} })
}

// gxl decodes GXL 1.0 (gupro.de/GXL), as in the IAM Graph Database. It ignores the
// types of nodes and edges, nested graphs, relations and compound attribute values.
type gxl struct{ xmlFile }

func (d *gxl) next() (Record, error) {
	return d.nextGraph(d.graph, func(xmlTag) error { return d.x.skip() })
}

func (d *gxl) graph(tag xmlTag, raw *rawGraph) error {
	raw.id = tag.attribute("id")
	// The GXL document type defaults to directed.
	switch mode := tag.attribute("edgemode"); mode {
	case "directed", "defaultdirected", "":
		raw.directed = true
	case "undirected", "defaultundirected":
	default:
		return errAt(d.x.line(), `edgemode is %s, expected "directed" or "undirected"`, quoted(mode))
	}
	return d.x.children(func(tag xmlTag) error {
		switch tag.name {
		case "node":
			return d.node(tag, func() (uint32, error) { return d.attributes(raw, &raw.nodeAttrs) })
		case "edge":
			form := edgeForm{"from", "to", "isdirected", "edgemode"}
			return d.edge(tag, form, func() (uint32, error) { return d.attributes(raw, &raw.edgeAttrs) })
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

// attributes reads the attributes of a node or edge up to its end tag.
func (d *gxl) attributes(raw *rawGraph, attrs *attrs) (chain uint32, err error) {
	err = d.x.children(func(tag xmlTag) error {
		if tag.name != "attr" {
			return d.x.skip()
		}
		a, err := d.attr(tag)
		if err != nil {
			return err
		}
		chain = attrs.add(chain, a.name, a.value, a.kind)
		return raw.tick()
	})
	return chain, err
}

type gxlAttr struct {
	name, value string
	kind        kind
}

// gxlKinds maps the elements that hold values to their kinds.
var gxlKinds = map[string]kind{
	"string": textKind, "enum": textKind, "int": integerKind, "integer": integerKind,
	"float": realKind, "double": realKind, "bool": booleanKind, "boolean": booleanKind,
}

// attr reads <attr name="N"><TYPE>VALUE</TYPE></attr>. The IAM database pads values with
// blanks and declares some texts as numbers.
func (d *gxl) attr(tag xmlTag) (a gxlAttr, err error) {
	if a.name, err = d.x.needAttribute(tag, "name"); err != nil {
		return a, err
	}
	a.kind = otherKind
	err = d.x.children(func(tag xmlTag) error {
		kind, ok := gxlKinds[strings.ToLower(tag.name)]
		if !ok {
			return d.x.skip()
		}
		a.kind = kind
		text, err := d.x.content()
		a.value = strings.TrimSpace(text)
		if (a.kind == integerKind || a.kind == realKind) && guessKind(a.value) == textKind {
			a.kind = textKind
		}
		return err
	})
	return a, err
}
