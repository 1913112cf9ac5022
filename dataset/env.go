package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/graph"
)

// env is shared by the decoders of a Reader: options, whose rules have been checked, labels
// and notes.
type env struct {
	opt                    Options
	vocab                  *graph.Vocabulary
	nodes                  labelCache
	edges                  labelCache
	nodeChoice, edgeChoice choice
	notes                  notes
	raw                    rawGraph // reused by formats of texts
	kept                   *graph.Builder
	plain                  []uint32 // labels of nodes and edges, reused by buildPlain
	molecules              moleculeNotes
	unread                 Unread // of any record
	molecular              bool   // a file has molecules
	kekule                 bool   // a graph is a molecule with bonds 1 and 2 in turn
	// unlisted is the number of nodes that may still be declared by their count alone, beyond
	// one per byte of their record. Such nodes use memory but no bytes of the file.
	unlisted int
}

// mostUnlisted is the budget of unlisted nodes for all files opened together.
const mostUnlisted = 1 << 14

// declare reports whether a record of size bytes may declare n nodes by their count, and
// subtracts them from the budget.
func (e *env) declare(n, size int) bool {
	beyond := max(0, n-size)
	if n < 0 || beyond > e.unlisted {
		return false
	}
	e.unlisted -= beyond
	return true
}

func newEnv(opt Options) *env {
	vocab := opt.Vocabulary
	if vocab == nil {
		vocab = graph.NewVocabulary()
	}
	return &env{
		opt:        opt,
		vocab:      vocab,
		nodes:      labelCache{add: stripper(adder(vocab.Node, opt.NodeLabel), opt.StripNames)},
		edges:      labelCache{add: adder(vocab.Edge, opt.EdgeLabel)},
		nodeChoice: choice{kind: "node", option: opt.NodeLabel, optional: opt.NodeChosen, parts: opt.NodeParts},
		edgeChoice: choice{kind: "edge", option: opt.EdgeLabel, optional: opt.EdgeChosen, parts: opt.EdgeParts},
		unlisted:   mostUnlisted,
	}
}

// ctxErr returns the context's error, or nil.
func (e *env) ctxErr() error {
	if e.opt.Context == nil {
		return nil
	}
	return e.opt.Context.Err()
}

// declared reports whether nodes and keys must be declared.
func (e *env) declared() bool { return e.opt.Strict || e.opt.Declared }

// bad returns the error of a record that starts at line and cannot be read. If the context
// has ended, it returns that error.
func (e *env) bad(file string, line int, id string, text []byte, err error) error {
	if stop := e.ctxErr(); stop != nil {
		return stop
	}
	if at, ok := errors.AsType[*lineError](err); ok {
		file, line, err = cmp.Or(at.file, file), at.line, at.err
	}
	return &BadRecord{File: file, Line: line, ID: id, Err: err, Text: append([]byte(nil), text...)}
}

// piece returns the next piece of a file and the line at which it starts. An oversized piece
// and one with a lone CR are bad records.
func (e *env) piece(in *input, p *pieces) (text []byte, line int, err error) {
	text, line, err = p.next()
	if at, ok := err.(*lineError); ok {
		err = e.bad(in.name, at.line, "", text, err)
	}
	return text, line, err
}

// notes are the choices and counts that [Reader.Notes] returns.
type notes struct {
	said   []Note
	counts []count
}

type count struct {
	n         int
	one, many string // what follows the number
}

// maxNotes is the greatest number of notes kept. There could be one for each file of a
// folder.
const maxNotes = 50

// say adds a note as [Remark] makes it, unless it is there.
func (n *notes) say(format string, args ...any) {
	note := Remark(format, args...)
	if slices.ContainsFunc(n.said, func(said Note) bool { return said.Text == note.Text }) {
		return
	}
	if len(n.said) == maxNotes {
		n.count(1, "further note is not shown", "further notes are not shown")
		return
	}
	n.said = append(n.said, note)
}

// count adds to the counter of something, which notes name after its number.
func (n *notes) count(by int, one, many string) {
	if by == 0 {
		return
	}
	i := slices.IndexFunc(n.counts, func(c count) bool { return c.many == many })
	if i < 0 {
		i = len(n.counts)
		n.counts = append(n.counts, count{0, one, many})
	}
	n.counts[i].n += by
}

func (n *notes) list() []Note {
	out := slices.Clone(n.said)
	for _, c := range n.counts {
		if c.n == 1 {
			c.many = c.one
		}
		out = append(out, Remark("%d %s", c.n, c.many))
	}
	return out
}

// adder returns a function that numbers labels by the vocabulary, or all alike if the user
// wants no labels.
func adder(add func(string) graph.Label, option string) func(string) graph.Label {
	if option != NoLabel {
		return add
	}
	return func(string) graph.Label { return add(Unlabelled) }
}

// stripper returns an adder of labels from which matches of an expression are removed.
func stripper(add func(string) graph.Label, expression string) func(string) graph.Label {
	if expression == "" {
		return add
	}
	strip := regexp.MustCompile(expression) // checked by Rules.Check
	return func(text string) graph.Label {
		if text = strip.ReplaceAllLiteralString(text, ""); text == "" {
			text = Unlabelled
		}
		return add(text)
	}
}

// moleculeNotes counts the molecules with each note of package chem.
type moleculeNotes map[chem.Notes]int

// add counts one molecule.
func (n *moleculeNotes) add(notes chem.Notes) {
	if notes == 0 {
		return
	}
	if *n == nil {
		*n = make(moleculeNotes)
	}
	(*n)[notes]++
}

// remark counts what was dropped from or changed in the molecule of a record, unless it is compared, and says in the
// record what does not count.
func (e *env) remark(rec *Record, m *chem.Molecule) {
	notes := m.Notes
	if e.opt.Isotope {
		notes &^= chem.NoteIsotope
	}
	if e.opt.Stereo && m.Configured() {
		notes &^= chem.NoteChirality | chem.NoteCisTrans
	}
	e.molecules.add(notes)
	rec.Unread.Conditions = rec.Unread.Conditions || notes.Wider()
	rec.Unread.Asks = rec.Unread.Asks || notes.Asks()
	e.unread = e.unread.Or(rec.Unread)
}

// list says how many molecules each note applies to.
func (n moleculeNotes) list() []Note {
	var list []Note
	for bit := chem.Notes(1); bit != 0; bit <<= 1 {
		of := 0
		for set, count := range n {
			if set&bit != 0 {
				of += count
			}
		}
		for _, text := range bit.Texts() {
			if of > 0 {
				list = append(list, Remark("%s: %s", plural(of, "molecule"), text))
			}
		}
	}
	return list
}

// plural returns a number with the noun that it counts.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
