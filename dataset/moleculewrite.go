package dataset

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/graph"
)

// smilesEncoder writes a molecule per line: its SMILES, a tab, its id.
type smilesEncoder struct {
	w io.Writer
	speller
}

func (s *smilesEncoder) finish() error { return nil }

func (s *smilesEncoder) remarks() []Note { return s.notes.list() }

func (s *smilesEncoder) encode(rec Record) error {
	if strings.ContainsAny(rec.ID, "\t\r\n") || strings.TrimSpace(rec.ID) != rec.ID {
		return fmt.Errorf("a line of SMILES cannot hold the id %s: it has tabs, line ends or blanks around it",
			quoted(rec.ID))
	}
	m, err := s.molecule(&rec)
	if err != nil {
		return err
	}
	_, err = io.WriteString(s.w, m.SMILES+"\t"+rec.ID+"\n")
	return err
}

// speller returns the molecules of records, and counts what it had to add.
type speller struct {
	parser chem.Parser
	notes  moleculeNotes
}

// molecule returns the molecule of the record's SMILES, with its charges and hydrogens, if
// its graph is the record's; otherwise a molecule made from the graph. It is valid until the
// next call.
func (s *speller) molecule(rec *Record) (chem.Spelling, error) {
	if m, ok := s.own(rec.SMILES, rec.Graph); ok {
		return chem.Spelling{SMILES: rec.SMILES, Molecule: m}, nil
	}
	m, err := chem.Spell(rec.Graph)
	if err != nil {
		return m, err
	}
	s.notes.add(m.Notes)
	return m, nil
}

// own returns the molecule of a SMILES that came with a graph, and whether the graph is still
// that of the molecule.
func (s *speller) own(text string, g *graph.Graph) (*chem.Molecule, bool) {
	if text == "" || g.Directed() {
		return nil, false
	}
	m, err := s.parser.Parse(text)
	if err != nil {
		return nil, false
	}
	// The labels may include any subset of what can be compared besides elements.
	for set := range 32 {
		opt := chem.Options{Charge: set&1 > 0, Isotope: set&2 > 0, Hydrogens: set&4 > 0, Stereo: set&8 > 0,
			Tautomers: set&16 > 0}
		if h, err := m.Graph(g.Vocabulary(), opt); err == nil && same(g, h) {
			return m, true
		}
	}
	return nil, false
}

// same reports whether two graphs are equal, including their numbering.
func same(g, h *graph.Graph) bool {
	if !slices.Equal(g.Labels(), h.Labels()) || g.M() != h.M() {
		return false
	}
	for v := range g.N() {
		if !slices.Equal(g.Out(v), h.Out(v)) {
			return false
		}
	}
	return true
}

// sdfEncoder writes SDF records. The id becomes the name of the molecule, Record.Attributes
// its properties. A molecule with a MOL block is written as it was; others have their SMILES in an item.
type sdfEncoder struct {
	w   io.Writer
	buf []byte
	speller
	laidOut int
}

func (s *sdfEncoder) remarks() []Note {
	list := s.notes.list()
	if s.laidOut > 0 {
		list = append(list, Remark(
			"molecules without coordinates are drawn anew; the item SMILES has what they were read from"))
	}
	return list
}

func (s *sdfEncoder) finish() error { return nil }

func (s *sdfEncoder) encode(rec Record) error {
	if strings.TrimSpace(rec.ID) != rec.ID {
		return errors.New("the name of a MOL block cannot have blanks around it, as this id has")
	}
	var properties []chem.Property
	for _, key := range slices.Sorted(maps.Keys(rec.Attributes)) {
		properties = append(properties, chem.Property{Name: key, Value: AttributeText(rec.Attributes[key])})
	}
	if rec.Block != "" && !strings.ContainsAny(rec.ID, "\r\n") {
		_, rest, _ := strings.Cut(rec.Block, "\n")
		var err error
		if s.buf, err = chem.AppendProperties(append(s.buf[:0], rec.ID+"\n"+rest...), properties); err == nil {
			_, err = s.w.Write(s.buf)
		}
		return err
	}
	// A MOL block may have no atoms, and then there is no SMILES.
	m := chem.Spelling{Molecule: new(chem.Molecule)}
	if g := rec.Graph; g.N() > 0 || g.Directed() {
		var err error
		if m, err = s.molecule(&rec); err != nil {
			return err
		}
	}
	if _, taken := rec.Attributes[smilesItem]; m.SMILES != "" && !taken {
		properties = append([]chem.Property{{Name: smilesItem, Value: m.SMILES}}, properties...)
	}
	var err error
	if s.buf, err = m.Molecule.AppendSDF(s.buf[:0], rec.ID, properties); err != nil {
		return err
	}
	s.laidOut++
	_, err = s.w.Write(s.buf)
	return err
}
