package space

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/varint"
)

// A file of a space holds what reading its text has found out, so that it opens without chemistry. docs/formats.md
// draws it.

// FileVersion is the version of files of spaces.
//
//	1  the first
//	2  parts have faces
const FileVersion = 2

// magic begins a file, before the version.
const magic = "greed space\n"

// Errors of reading files.
var (
	ErrFile    = errors.New("no file of a synthon space")
	ErrVersion = errors.New("a file of a synthon space of another version")
	ErrDamaged = errors.New("damaged")
)

// IsFile reports whether a path is a file that claims to hold a space.
func IsFile(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == magic
}

// encoder appends the contents of a file.
type encoder struct{ b []byte }

func (e *encoder) number(n int)  { e.b = binary.AppendUvarint(e.b, uint64(n)) }
func (e *encoder) text(s string) { e.b = varint.AppendText(e.b, s) }

func (e *encoder) numbers(list []int) {
	e.number(len(list))
	for _, n := range list {
		e.number(n)
	}
}

func (e *encoder) flags(list ...bool) {
	var b byte
	for i, set := range list {
		if set {
			b |= 1 << i
		}
	}
	e.b = append(e.b, b)
}

// Write writes the space as a file.
func (s *Space) Write(w io.Writer) error {
	e := &encoder{b: binary.AppendUvarint([]byte(magic), FileVersion)}
	e.text(s.tag)
	e.number(s.vocab.Nodes() - 1)
	for i := 1; i < s.vocab.Nodes(); i++ { // the first is the wildcard
		e.text(s.vocab.NodeText(graph.Label(i)))
	}
	e.number(s.vocab.Edges() - 1)
	for i := 1; i < s.vocab.Edges(); i++ {
		e.text(s.vocab.EdgeText(graph.Label(i)))
	}
	e.number(len(s.parts))
	for _, p := range s.parts {
		e.part(p)
	}
	e.number(len(s.Reactions))
	for i := range s.Reactions {
		e.reaction(&s.Reactions[i])
	}
	sum := sha256.Sum256(e.b)
	_, err := w.Write(append(e.b, sum[:]...))
	return err
}

func (e *encoder) part(p *part) {
	e.text(p.text)
	e.flags(p.opens, p.loose)
	e.number(p.face)
	e.number(p.graph.N())
	for _, l := range p.graph.Labels() {
		e.number(int(l))
	}
	e.number(p.graph.M())
	for edge := range p.graph.Edges() {
		e.number(edge.From)
		e.number(edge.To)
		e.number(int(edge.Label))
	}
	e.number(len(p.ports))
	for _, port := range p.ports {
		e.number(port.number)
		e.b = append(e.b, port.symbol)
		e.flags(port.open, port.folds)
		if port.folds {
			e.number(0)
			e.number(0)
			continue
		}
		e.number(int(port.beside + 1))
		e.number(int(port.label) + 1)
	}
}

func (e *encoder) reaction(r *Reaction) {
	e.text(r.ID)
	e.numbers(r.Open)
	e.number(len(r.Components))
	for _, c := range r.Components {
		e.number(c.Number)
		e.numbers(c.ports)
		e.number(len(c.Synthons))
		for _, x := range c.Synthons {
			e.text(x.ID)
			e.text(x.SMILES)
			e.number(x.Line)
			e.number(x.part.index)
		}
	}
	e.number(len(r.joins))
	for _, j := range r.joins {
		e.number(j.number)
		e.number(j.at[0])
		e.number(j.at[1])
		e.flags(j.loose)
	}
}
