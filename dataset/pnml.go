package dataset

import (
	"cmp"
	"strings"
)

func pnmlFormat() format {
	return xmlFormat("pnml", "pnml", "PNML: a directed graph for every Petri net, of its places, transitions and arcs",
		func(f xmlFile) decoder {
			f.element = "net"
			return &pnml{xmlFile: f}
		})
}

// pnml decodes PNML (ISO/IEC 15909-2). The nodes of a net are its places and transitions on
// all pages, with the attributes type and name; without a name it is the type. Transitions that
// ProM or pm4py marks as invisible have no name, since what is written there is a number drawn
// at random. A reference stands for the node that it refers to. An arc's label is its
// inscription, unless that is 1, and its type, if it has one. Markings, other tool-specific data
// and the drawing are ignored.
type pnml struct {
	xmlFile
	references []reference
}

// reference is a name that stands for another.
type reference struct {
	name, of uint32
	line     int
}

func (d *pnml) next() (Record, error) {
	return d.nextGraph(d.net, func(xmlTag) error { return d.x.skip() })
}

func (d *pnml) net(tag xmlTag, raw *rawGraph) error {
	raw.directed, raw.edgeAttrs.usual = true, true
	raw.id = tag.attribute("id")
	d.references = d.references[:0]
	if err := d.page(raw, true); err != nil {
		return err
	}
	return d.resolve(raw)
}

// page reads the contents of a net or of a page.
func (d *pnml) page(raw *rawGraph, whole bool) error {
	return d.x.children(func(tag xmlTag) error {
		line := d.x.line()
		switch tag.name {
		case "page":
			return d.page(raw, false)
		case "name":
			text, err := d.label()
			if whole {
				raw.name = text
			}
			return err
		case "place", "transition":
			return d.node(tag, func() (uint32, error) {
				name, invisible := "", false
				err := d.x.children(func(tag xmlTag) (err error) {
					if tag.name != "name" {
						invisible = invisible || tag.name == "toolspecific" &&
							tag.attribute("activity") == "$invisible$"
						return d.x.skip()
					}
					name, err = d.label()
					return err
				})
				if invisible {
					name = ""
				}
				return typed(&raw.nodeAttrs, tag.name, name), err
			})
		case "referencePlace", "referenceTransition":
			id, of, err := d.x.ends(tag, "id", "ref")
			if err != nil {
				return err
			}
			d.references = add(d.references, reference{raw.mention(id), raw.mention(of), line})
			if err := raw.tick(); err != nil {
				return err
			}
		case "arc":
			return d.edge(tag, edgeForm{source: "source", target: "target"}, func() (chain uint32, err error) {
				err = d.x.children(func(tag xmlTag) error {
					switch tag.name {
					case "inscription":
						text, err := d.label()
						if text != "" && text != "1" {
							chain = raw.edgeAttrs.add(chain, "label", text, textKind)
						}
						return err
					case "type":
						if value := tag.attribute("value"); value != "" && value != "normal" {
							chain = raw.edgeAttrs.add(chain, "type", value, textKind)
						}
					}
					return d.x.skip()
				})
				return chain, err
			})
		}
		return d.x.skip()
	})
}

// label reads the text of a label up to its end tag; older files call it value.
func (d *pnml) label() (label string, err error) {
	err = d.x.children(func(tag xmlTag) error {
		if tag.name != "text" && tag.name != "value" {
			return d.x.skip()
		}
		text, err := d.x.content()
		label = unbroken(text)
		return err
	})
	return label, err
}

// typed returns the attributes type and name; without a name it is the type.
func typed(attrs *attrs, kind, name string) uint32 {
	return attrs.add(attrs.add(noAttrs, "type", kind, textKind), "name", cmp.Or(name, kind), textKind)
}

// unbroken returns a text as a single line; texts have line breaks for the drawing.
func unbroken(text string) string { return strings.Join(strings.Fields(text), " ") }

// resolve replaces references by the nodes that they refer to, perhaps through other
// references.
func (d *pnml) resolve(raw *rawGraph) error {
	next := make(map[uint32]reference, len(d.references))
	for _, r := range d.references {
		if _, twice := next[r.name]; twice || raw.at[r.name] != undeclared {
			return errAt(r.line, "node %s is given twice: every node needs an id of its own",
				quoted(raw.names.at(r.name)))
		}
		next[r.name] = r
	}
	for _, r := range d.references {
		var way []uint32
		end := r.name
		for raw.at[end] == undeclared {
			step, ok := next[end]
			if !ok || len(way) == len(next) {
				return errAt(r.line, "%s refers to %s, which is neither a place nor a transition",
					quoted(raw.names.at(r.name)), quoted(raw.names.at(r.of)))
			}
			way = add(way, end)
			end = step.of
		}
		for _, name := range way {
			raw.at[name] = raw.at[end]
		}
	}
	return nil
}
