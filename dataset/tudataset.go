package dataset

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func tuFormat() format {
	return format{
		name:        "tudataset",
		about:       "folder of the TUDataset collection: DS_A.txt, DS_graph_indicator.txt, ...",
		sniffFolder: func(_ string, names []string) bool { return tuName(names) != "" },
		openFolder:  openTU,
	}
}

const (
	tuEdges     = "_A.txt"
	tuSparse    = "_A_sparse.txt" // an older name of the same file
	tuIndicator = "_graph_indicator.txt"
)

// tuName returns the name of the dataset DS whose files are among names, compressed or not,
// or "".
func tuName(names []string) string {
	for _, name := range names {
		ds, ok := strings.CutSuffix(withoutCompression(name), tuEdges)
		if !ok {
			ds, ok = strings.CutSuffix(withoutCompression(name), tuSparse)
		}
		if ok && slices.ContainsFunc(names, func(n string) bool { return withoutCompression(n) == ds+tuIndicator }) {
			return ds
		}
	}
	return ""
}

// tu decodes a folder of TUDataset (chrsmrrs.github.io/datasets, "file format"). Nodes and
// graphs are numbered from 1 over the whole collection. The files are read in parallel, one
// graph at a time, which requires that they are in the order of the graphs.
type tu struct {
	env   *env
	ds    string
	files []*tuFile
	// The files by role; all but the first two may be nil.
	edges, indicator                *tuFile
	nodeLabels, edgeLabels, classes *tuFile
	nodeAttributes, edgeAttributes  *tuFile
	firstNode                       int // of the next graph
	graph                           int // the number of the last one
	raw                             rawGraph
	over                            bool
	numbered                        []string // attribute0, attribute1, ...
}

func openTU(dir string, names []string, e *env) (decoder, error) {
	d := &tu{env: e, ds: tuName(names), firstNode: 1}
	for _, role := range []struct {
		file   **tuFile
		suffix string
	}{
		{&d.edges, tuSparse}, {&d.edges, tuEdges}, {&d.indicator, tuIndicator}, {&d.classes, "_graph_labels.txt"},
		{&d.nodeLabels, "_node_labels.txt"}, {&d.edgeLabels, "_edge_labels.txt"},
		{&d.nodeAttributes, "_node_attributes.txt"}, {&d.edgeAttributes, "_edge_attributes.txt"},
	} {
		i := slices.IndexFunc(names, func(n string) bool { return withoutCompression(n) == d.ds+role.suffix })
		if i < 0 || *role.file != nil {
			continue
		}
		in, err := openListed(filepath.Join(dir, names[i]))
		if err != nil {
			return nil, errors.Join(err, d.close())
		}
		*role.file = &tuFile{in: in, pieces: newLines(in.r, e, splitLines)}
		d.files = append(d.files, *role.file)
	}
	if !e.opt.Directed {
		e.notes.say("edges are read as undirected; %v keeps their direction", Setting{"directed", "true"})
	}
	return d, nil
}

func (d *tu) close() error {
	var errs []error
	for _, f := range d.files {
		errs = append(errs, f.in.close())
	}
	return errors.Join(errs...)
}

// next reads a graph. After an error in a graph as a whole, such as a duplicate edge, the
// files are still in step; other errors end the collection.
func (d *tu) next() (Record, error) {
	if d.over {
		return Record{}, io.EOF
	}
	raw := &d.raw
	raw.reset(d.env, 0)
	raw.directed, raw.first = d.env.opt.Directed, d.firstNode
	if err := d.read(raw); err != nil {
		d.over = true
		if _, ok := err.(*lineError); ok {
			err = d.env.bad("", raw.line, raw.id, nil, err)
		}
		return Record{}, err
	}
	if !raw.directed {
		raw.dropMirrored()
	}
	rec, err := d.env.build(raw)
	if err != nil {
		return Record{}, d.env.bad(d.edges.in.name, raw.line, raw.id, nil, err)
	}
	rec.File = d.indicator.in.name
	return rec, nil
}

// read collects the nodes and then the edges of the next graph.
func (d *tu) read(raw *rawGraph) error {
	empty, err := d.isEmpty()
	if err == nil && !empty {
		err = d.readNodes(raw)
	}
	if err != nil {
		return err
	}
	if empty {
		d.graph++
		raw.id, raw.line = strconv.Itoa(d.graph), d.classes.line
	}
	class, err := d.classes.value()
	if err != nil {
		return err
	}
	if class != "" {
		raw.setAttribute("class", class)
	}
	if err := d.readEdges(raw); err != nil {
		return err
	}
	d.firstNode += len(raw.nodes)
	return nil
}

// isEmpty reports whether the next graph has no nodes. The file of classes has a line for
// such a graph, but the indicator skips its number. Without classes, empty graphs cannot be
// distinguished from unused numbers.
func (d *tu) isEmpty() (bool, error) {
	if d.classes == nil {
		return false, nil
	}
	row, err := d.indicator.peek()
	if err == io.EOF {
		_, err = d.classes.peek()
		return err == nil, err
	}
	if err != nil {
		return false, err
	}
	graph, err := strconv.Atoi(row)
	if err != nil || graph <= d.graph+1 {
		return false, nil // readNodes reports what is wrong
	}
	_, err = d.classes.peek()
	return err == nil, err
}

func (d *tu) readNodes(raw *rawGraph) error {
	size := 0
	for {
		row, err := d.indicator.peek()
		if err == io.EOF && len(raw.nodes) > 0 {
			return nil
		}
		if err != nil {
			return err
		}
		graph, err := strconv.Atoi(row)
		if err != nil {
			return d.indicator.fail("expected the number of a graph, found %s", quoted(row))
		}
		if len(raw.nodes) == 0 {
			if graph <= d.graph {
				return d.indicator.fail("found graph %d after graph %d: the nodes of a graph must follow each "+
					"other, in the order of the graphs", graph, d.graph)
			}
			d.graph = graph
			raw.id, raw.line = row, d.indicator.line
		} else if graph != d.graph {
			return nil
		}
		d.indicator.take()
		chain, n, err := d.attributes(&raw.nodeAttrs, d.nodeLabels, d.nodeAttributes, size+len(row)+1)
		if err != nil {
			return err
		}
		size = n
		if err := raw.number(d.indicator.line, chain); err != nil {
			return d.indicator.own(err)
		}
	}
}

// attributes reads the label and the attributes of a node or edge. It adds the bytes read to
// size and rejects a graph over the limit.
func (d *tu) attributes(attrs *attrs, labels, more *tuFile, size int) (chain uint32, total int, err error) {
	label, err := labels.value()
	if err != nil {
		return chain, 0, err
	}
	if label != "" {
		chain = attrs.add(chain, "label", label, integerKind)
	}
	values, err := more.value()
	if err != nil {
		return chain, 0, err
	}
	if size += len(label) + len(values); size > d.env.opt.maxRecord() {
		return chain, 0, d.indicator.fail("%w", tooLarge(d.env.opt.maxRecord()))
	}
	for i := 0; values != ""; i++ {
		if i == maxTUAttrs {
			return chain, 0, more.fail("found more than %d attributes", maxTUAttrs)
		}
		if i == len(d.numbered) {
			d.numbered = append(d.numbered, fmt.Sprintf("attribute%d", i))
		}
		value, rest, _ := strings.Cut(values, ",")
		values = rest
		chain = attrs.add(chain, d.numbered[i], strings.TrimSpace(value), realKind)
	}
	return chain, size, nil
}

// maxTUAttrs is the greatest number of attributes of a node or edge: each has a name here
// that is longer than its value in the file.
const maxTUAttrs = 1 << 12

func (d *tu) readEdges(raw *rawGraph) error {
	last := d.firstNode + len(raw.nodes) - 1
	size := 0
	for {
		row, err := d.edges.peek()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		from, to, ok := tuPair(row)
		if !ok {
			return d.edges.fail("expected \"NODE, NODE\" with nodes numbered from 1, found %s", quoted(row))
		}
		if from > last && to > last {
			return d.checkEnd(max(from, to))
		}
		if min(from, to) < d.firstNode || max(from, to) > last {
			return d.edges.fail("edge %d-%d is not inside graph %s, which has the nodes %d to %d: edges must join "+
				"nodes of one graph and be in the order of the graphs", from, to, raw.id, d.firstNode, last)
		}
		d.edges.take()
		chain, n, err := d.attributes(&raw.edgeAttrs, d.edgeLabels, d.edgeAttributes, size+len(row)+1)
		if err != nil {
			return err
		}
		size = n
		if err := raw.join(uint32(from-d.firstNode), uint32(to-d.firstNode), d.edges.line, chain); err != nil {
			return d.edges.own(err)
		}
	}
}

// checkEnd rejects an edge to a node beyond the last graph.
func (d *tu) checkEnd(node int) error {
	if _, err := d.indicator.peek(); err == io.EOF {
		return d.edges.fail("node %d does not exist: %s has %d lines", node, d.indicator.in.name, d.indicator.line)
	}
	return nil
}

func tuPair(row string) (from, to int, ok bool) {
	a, b, found := strings.Cut(row, ",")
	if !found {
		return 0, 0, false
	}
	from, err1 := strconv.Atoi(strings.TrimSpace(a))
	to, err2 := strconv.Atoi(strings.TrimSpace(b))
	return from, to, err1 == nil && err2 == nil && from > 0 && to > 0
}
