package dataset

import (
	"fmt"
	"io"
	"strings"
)

// readLabels reads the file of node labels, if there is one. Nodes in it that
// have no edge become isolated nodes.
func (d *edgeList) readLabels() error {
	path := d.env.opt.LabelFile
	if path == "" {
		return nil
	}
	in, err := openFile(path)
	if err != nil {
		return err
	}
	defer in.close()
	labels := make(map[string]string)
	pieces := newPieces(in.r, d.env.opt.maxRecord(), true, splitLines)
	for {
		text, line, err := pieces.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, line, err)
		}
		fields := edgeFields(strings.TrimSpace(string(text)))
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			return fmt.Errorf("%s:%d: expected \"NODE LABEL\", found %d fields", path, line, len(fields))
		}
		if _, ok := labels[fields[0]]; ok {
			return fmt.Errorf("%s:%d: node %s is given twice", path, line, quoted(fields[0]))
		}
		labels[fields[0]] = fields[1]
		d.node(fields[0], 0)
	}
	for i := range d.raw.nodes {
		node := &d.raw.nodes[i]
		label, ok := labels[node.id]
		if !ok {
			return errAt(node.line, "node %s has no label in %s, which needs a line for every node", quoted(node.id), path)
		}
		node.attrs = []attr{labelAttr(label)}
	}
	return nil
}
