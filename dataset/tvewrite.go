package dataset

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/graph"
)

// tveEncoder writes t/v/e text, which holds ids, labels and edges but no other part of a
// record.
type tveEncoder struct {
	w   io.Writer
	buf []byte
}

func (t *tveEncoder) finish() error { return nil }

func (t *tveEncoder) encode(rec Record) error {
	g := rec.Graph
	if g.Directed() {
		return errors.New("t/v/e text holds undirected graphs only: write json, graphml or dot")
	}
	if g.N() == 0 && rec.ID == "-1" {
		return fmt.Errorf("%w: in t/v/e text a graph without nodes and with the id -1 marks the end", ErrNoNodes)
	}
	if id := asciiFields(rec.ID); strings.Join(id, " ") != rec.ID || rec.ID == "" || strings.HasPrefix(rec.ID, "#") {
		return fmt.Errorf("t/v/e text cannot hold the id %s: it is empty, starts with # or has blanks that would be "+
			"lost", quoted(rec.ID))
	}
	buf := append(t.buf[:0], "t # "...)
	buf = append(buf, rec.ID...)
	buf = append(buf, '\n')
	for v, l := range g.Labels() {
		text := g.LabelText(v)
		if err := checkTVELabel(l, text); err != nil {
			return fmt.Errorf("node %d: %w", v, err)
		}
		buf = strconv.AppendInt(append(buf, "v "...), int64(v), 10)
		buf = append(append(append(buf, ' '), text...), '\n')
	}
	for e := range g.Edges() {
		text := g.Vocabulary().EdgeText(e.Label)
		if err := checkTVELabel(e.Label, text); err != nil {
			return fmt.Errorf("edge %d-%d: %w", e.From, e.To, err)
		}
		buf = strconv.AppendInt(append(buf, "e "...), int64(e.From), 10)
		buf = strconv.AppendInt(append(buf, ' '), int64(e.To), 10)
		buf = append(append(append(buf, ' '), text...), '\n')
	}
	t.buf = buf
	_, err := t.w.Write(buf)
	return err
}

func checkTVELabel(l graph.Label, text string) error {
	switch {
	case l == graph.Wildcard:
		return errors.New("t/v/e text has no wildcard: write json or smiles")
	case text == "":
		return errors.New("t/v/e text cannot hold an empty label: write json, graphml or dot")
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' }):
		return fmt.Errorf("t/v/e text cannot hold the label %s, which has blanks: write json, graphml or dot",
			quoted(text))
	}
	return nil
}
