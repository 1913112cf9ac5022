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

// smilesEncoder writes a molecule a line: its SMILES, a tab, its id.
type smilesEncoder struct {
	w      io.Writer
	parser chem.Parser
}

func (s *smilesEncoder) finish() error { return nil }

func (s *smilesEncoder) encode(rec Record) error {
	if strings.ContainsAny(rec.ID, "\t\r\n") || strings.TrimSpace(rec.ID) != rec.ID {
		return fmt.Errorf("a line of SMILES cannot hold the id %s: it has tabs, line ends or blanks around it", quoted(rec.ID))
	}
	text := rec.SMILES
	if !s.means(text, rec.Graph) {
		var err error
		if text, err = chem.WriteSMILES(rec.Graph); err != nil {
			return err
		}
	}
	_, err := io.WriteString(s.w, text+"\t"+rec.ID+"\n")
	return err
}

// means tells whether a SMILES that came with a graph reads as that graph. It
// does not if only a fragment of the molecule was kept, or the graph changed.
func (s *smilesEncoder) means(text string, g *graph.Graph) bool {
	if text == "" || g.Directed() {
		return false
	}
	m, err := s.parser.Parse(text)
	if err != nil {
		return false
	}
	for _, charge := range []bool{false, true} {
		if h, err := m.Graph(g.Vocabulary(), chem.Options{Charge: charge}); err == nil && same(g, h) {
			return true
		}
	}
	return false
}

// same tells whether two graphs are equal, number by number.
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

// sdfEncoder writes SDF records: the id is the name of the molecule, Record.Meta
// its properties.
type sdfEncoder struct {
	w   io.Writer
	buf []byte
}

func (s *sdfEncoder) finish() error { return nil }

func (s *sdfEncoder) encode(rec Record) error {
	if strings.TrimSpace(rec.ID) != rec.ID {
		return errors.New("the name of a MOL block cannot have blanks around it, as this id has")
	}
	var properties []chem.Property
	for _, key := range slices.Sorted(maps.Keys(rec.Meta)) {
		properties = append(properties, chem.Property{Name: key, Value: fmt.Sprint(rec.Meta[key])})
	}
	var err error
	if s.buf, err = chem.AppendSDF(s.buf[:0], rec.Graph, rec.ID, properties); err != nil {
		return err
	}
	_, err = s.w.Write(s.buf)
	return err
}
