package dataset

import (
	"errors"
	"io"
)

// xmlFile is what XML decoders share: the walk from graph to graph, and how a graph, even one
// read in part, becomes a record or a bad record.
type xmlFile struct {
	env  *env
	x    *xmlScan
	raw  rawGraph
	over bool
	// element is the name of the elements that are graphs.
	element string
}

func newXMLFile(in *input, e *env) xmlFile {
	return xmlFile{env: e, x: newXMLScan(in, e), element: "graph"}
}

// xmlFormat returns the format of files with the given root element. Their nodes have names.
func xmlFormat(name, root, about string, open func(xmlFile) decoder) format {
	return format{
		name: name, named: true, about: about, extensions: []string{name},
		sniff: func(head []byte) bool { return rootElement(head) == root },
		open:  func(in *input, e *env) (decoder, error) { return open(newXMLFile(in, e)), nil },
	}
}

func (f *xmlFile) close() error { return f.x.in.close() }

// nextGraph passes the next graph below the root element to graph, which fills the rawGraph
// and must read the element to its end. Other elements go to other, which must do so, too.
// Malformed XML ends the file; after other errors in a graph, reading continues with the next
// one.
func (f *xmlFile) nextGraph(graph func(xmlTag, *rawGraph) error, other func(xmlTag) error) (Record, error) {
	for !f.over {
		f.x.mark()
		what, tag, _, err := f.x.token()
		if err == io.EOF {
			break
		}
		f.raw.reset(f.env, f.x.line())
		if err != nil {
			return f.bad(err)
		}
		if what != xmlStart || f.x.depth == 1 {
			continue
		}
		depth := f.x.depth
		if tag.name != f.element {
			err = other(tag)
		} else {
			err = graph(tag, &f.raw)
		}
		if err != nil {
			var at *lineError
			if end := f.x.leave(depth); end != nil && (!errors.As(end, &at) || errors.Is(end, ErrRecordTooLarge)) {
				err = end
			}
			return f.bad(err)
		}
		if tag.name != f.element {
			continue
		}
		rec, err := f.env.build(&f.raw)
		if err != nil {
			return f.bad(err)
		}
		rec.File = f.x.in.name
		return rec, nil
	}
	return Record{}, io.EOF
}

// node adds the node of an element. read takes its attributes up to the end of the element, which may hold more
// nodes: they follow it.
func (f *xmlFile) node(tag xmlTag, read func() (chain uint32, err error)) error {
	id, err := f.x.needAttribute(tag, "id")
	if err != nil {
		return err
	}
	v := len(f.raw.nodes)
	if err := f.raw.declare(id, f.x.line(), noAttrs); err != nil {
		return err
	}
	chain, err := read()
	f.raw.nodes[v].attrs = chain
	return err
}

// edgeForm names the attributes for an edge's ends and, in formats that have it, the one that
// repeats what an attribute of the graph says about directions.
type edgeForm struct{ source, target, directed, ofGraph string }

// edge adds the edge of an element, as node does a node.
func (f *xmlFile) edge(tag xmlTag, form edgeForm, read func() (chain uint32, err error)) error {
	line := f.x.line()
	from, to, err := f.x.ends(tag, form.source, form.target)
	if err != nil {
		return err
	}
	if own := tag.attribute(form.directed); own != "" && (own == "true") != f.raw.directed {
		return errAt(line, "edge %s-%s has %s=%s, contrary to the %s of its graph: all edges of a graph must agree",
			shorten(from), shorten(to), form.directed, quoted(own), form.ofGraph)
	}
	chain, err := read()
	if err != nil {
		return err
	}
	return f.raw.connect(from, to, line, chain)
}

// bad returns a bad record, or the error if it is one of the stream.
func (f *xmlFile) bad(err error) (Record, error) {
	f.over = f.x.broken
	var at *lineError
	if !errors.As(err, &at) {
		return Record{}, err
	}
	text := f.x.sinceMark()
	if f.over {
		text = f.x.src.held
	}
	return Record{}, f.env.bad(f.x.in.name, f.raw.line, f.raw.id, text, at)
}
