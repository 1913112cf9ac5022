package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

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

// indexElement is the root element of an index.
const indexElement = "GraphCollection"

func cxlFormat() format {
	return format{
		name:       "cxl",
		named:      true,
		about:      "the XML index of a GXL collection, as in the IAM Graph Database, or a folder with one",
		extensions: []string{"cxl"},
		sniff:      func(head []byte) bool { return rootElement(head) == indexElement },
		open: func(in *input, e *env) (decoder, error) {
			c := newCollection(e)
			c.use(in)
			return c, nil
		},
		sniffFolder: func(dir string, names []string) bool { return len(indexes(dir, names)) > 0 },
		openFolder:  openIndexes,
	}
}

// indexes returns the files that are indexes, recognised by their extension or, as in GEDLIB,
// by the extension .xml and the root element of an index.
func indexes(dir string, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		switch strings.ToLower(filepath.Ext(name)) {
		case ".cxl":
			return false
		case ".xml":
			in, err := openFile(filepath.Join(dir, name))
			if err != nil {
				return true
			}
			defer in.close()
			return rootElement(in.head) != indexElement
		}
		return true
	})
}

// openIndexes reads all indexes of a folder, and each file once: train, valid and test
// together are the collection.
func openIndexes(dir string, names []string, e *env) (decoder, error) {
	list := indexes(dir, names)
	if len(list) > 1 {
		e.notes.say("the folder has %d indexes, which are read one after the other: %s", len(list),
			strings.Join(list, ", "))
	}
	c := newCollection(e)
	for _, name := range list {
		c.indexes = append(c.indexes, filepath.Join(dir, name))
	}
	return c, nil
}

func newCollection(e *env) *collection {
	c := &collection{env: e, seen: make(map[string]bool)}
	c.follow = c.advance
	return c
}

// collection decodes the graphs that indexes list, in the order of the lists:
//
//	<GraphCollection><aids><print file="1.gxl" class="a"/>...
//
// GEDLIB has <graph file="1.gxl" class="a"/> there.
type collection struct {
	env     *env
	indexes []string // still to be opened
	seen    map[string]bool
	x       *xmlScan // the open index, or nil
	dir     string   // that its file names are relative to
	series           // of graph files
	class   string
}

func (c *collection) use(in *input) {
	c.x = newXMLScan(in, c.env)
	c.dir = filepath.Dir(in.path)
}

func (c *collection) close() error {
	if err := c.series.close(); err != nil || c.x == nil {
		return err
	}
	return c.x.in.close()
}

func (c *collection) next() (Record, error) {
	rec, err := c.series.next()
	if err == nil {
		rec = c.classify(rec)
	}
	return rec, err
}

// classify adds what the index says about a graph. A graph without its own id is named after
// its file.
func (c *collection) classify(rec Record) Record {
	file := strings.TrimSuffix(filepath.Base(rec.File), filepath.Ext(rec.File))
	rec.Name = cmp.Or(rec.Name, file)
	if rec.ID == "" {
		rec.ID = file
	}
	if c.class != "" {
		if rec.Attributes == nil {
			rec.Attributes = make(map[string]any)
		}
		rec.Attributes["class"] = c.class
	}
	return rec
}

// advance reads the indexes up to the next graph file and opens it.
func (c *collection) advance() (decoder, error) {
	for {
		if c.x == nil {
			if len(c.indexes) == 0 {
				return nil, io.EOF
			}
			in, err := openFile(c.indexes[0])
			c.indexes = c.indexes[1:]
			if err != nil {
				return nil, err
			}
			c.use(in)
		}
		c.x.mark()
		what, tag, _, err := c.x.token()
		if err == io.EOF {
			in := c.x.in
			c.x = nil
			if err := in.close(); err != nil {
				return nil, err
			}
			continue
		}
		if err == nil && (what != xmlStart || tag.name != "print" && tag.name != "graph") {
			continue
		}
		var file string
		if err == nil {
			file, err = c.x.needAttribute(tag, "file")
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", c.x.in.name, c.x.line(), err)
		}
		if c.seen[file] {
			c.env.notes.count(1, "graph is listed again in an index; the repetition was left out",
				"graphs are listed again in an index; the repetitions were left out")
			continue
		}
		c.seen[file] = true
		c.class = tag.attribute("class")
		return c.openGraph(file)
	}
}

func (c *collection) openGraph(file string) (decoder, error) {
	line := c.x.line()
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return nil, fmt.Errorf("%s:%d: found file %s, expected a name inside the folder of the index", c.x.in.name,
			line, quoted(file))
	}
	in, err := c.find(filepath.FromSlash(file))
	if err != nil {
		return nil, c.env.bad(c.x.in.name, line, file, nil, fmt.Errorf("the index lists this graph file: %w", err))
	}
	return &gxl{newXMLFile(in, c.env)}, nil
}

// find opens a file that the index lists: in the data folder that the user names, beside the
// index, or in a folder called data beside it.
func (c *collection) find(file string) (in *input, err error) {
	for _, dir := range []string{c.env.opt.DataDir, c.dir, filepath.Join(c.dir, "data")} {
		if dir == "" {
			continue
		}
		var missing error
		if in, missing = openListed(filepath.Join(dir, file)); !errors.Is(missing, fs.ErrNotExist) {
			return in, missing
		}
		if err == nil {
			err = missing
		}
	}
	return nil, advise(err, "%v names the folder of the files", Setting{Option: "data_dir"})
}
