package dataset

import (
	"fmt"
	"io"
	"strings"
)

// readLabels reads the file of node labels, if there is one. Nodes in it that have no edge
// become isolated nodes.
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
	pieces := newPieces(in.r, d.env, true, splitLines)
	for {
		text, line, err := pieces.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, line, err)
		}
		fields := edgeFields(nil, strings.TrimSpace(string(text)))
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			return fmt.Errorf("%s:%d: expected \"NODE LABEL\", found %d fields", path, line, len(fields))
		}
		number := d.raw.mention(fields[0])
		if d.raw.at[number] == undeclared {
			if err := d.raw.addNode(number, 0, noAttrs); err != nil {
				return err
			}
		}
		node := &d.raw.nodes[d.raw.at[number]]
		if node.attrs != noAttrs {
			return fmt.Errorf("%s:%d: node %s is given twice", path, line, quoted(fields[0]))
		}
		node.attrs = d.raw.nodeAttrs.add(noAttrs, "label", fields[1], guessKind(fields[1]))
	}
	for v, node := range d.raw.nodes {
		if node.attrs == noAttrs {
			return errAt(int(node.line), "node %s has no label in %s, which needs a line for every node", quoted(d.raw.nodeName(uint32(v))), path)
		}
	}
	return nil
}
