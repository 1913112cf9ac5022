package dataset

import (
	"errors"
	"fmt"
	"slices"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/graph"
)

// env is what the decoders of one Reader share: options, labels and notes.
type env struct {
	opt                    Options
	vocab                  *graph.Vocabulary
	nodes                  labelCache
	edges                  labelCache
	nodeChoice, edgeChoice choice
	notes                  notes
	molecules              map[chem.Notes]int // how many had which notes
}

func newEnv(opt Options) *env {
	vocab := opt.Vocabulary
	if vocab == nil {
		vocab = graph.NewVocabulary()
	}
	return &env{
		opt:        opt,
		vocab:      vocab,
		nodes:      labelCache{add: vocab.Node},
		edges:      labelCache{add: vocab.Edge},
		nodeChoice: choice{kind: "node", option: opt.NodeLabel},
		edgeChoice: choice{kind: "edge", option: opt.EdgeLabel},
	}
}

// bad makes the report of a record that starts at line and cannot be read.
func (e *env) bad(file string, line int, id string, text []byte, err error) error {
	var at *lineError
	if errors.As(err, &at) {
		line = at.line
		err = at.err
	}
	return &BadRecord{File: file, Line: line, ID: id, Err: err, Text: append([]byte(nil), text...)}
}

// notes are the choices and counts that [Reader.Notes] tells.
type notes struct {
	said   []string
	counts []count
}

type count struct {
	format string
	n      int
}

// maxNotes bounds the texts that are kept, which could be one for each file of a
// folder.
const maxNotes = 50

// say notes a text once.
func (n *notes) say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if slices.Contains(n.said, text) {
		return
	}
	if len(n.said) == maxNotes {
		n.count("%d remarks more are not shown", 1)
		return
	}
	n.said = append(n.said, text)
}

// count adds by to a count, whose format has one %d.
func (n *notes) count(format string, by int) {
	if by == 0 {
		return
	}
	for i := range n.counts {
		if n.counts[i].format == format {
			n.counts[i].n += by
			return
		}
	}
	n.counts = append(n.counts, count{format, by})
}

func (n *notes) list() []string {
	out := append([]string(nil), n.said...)
	for _, c := range n.counts {
		out = append(out, fmt.Sprintf(c.format, c.n))
	}
	return out
}
