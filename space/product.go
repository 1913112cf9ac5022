package space

import (
	"strings"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/graph"
)

// Maker makes products. It is not safe for concurrent use.
type Maker struct {
	parser    chem.Parser
	converter *chem.Converter
	writer    chem.SMILESWriter
	text      strings.Builder
}

// NewMaker returns a maker of products with labels of a vocabulary.
func NewMaker(v *graph.Vocabulary) *Maker {
	return &Maker{converter: chem.NewConverter(v, chem.Options{})}
}

// Text returns a SMILES of the product of one synthon for each component. Its pieces are those of the synthons, in
// their order, and ring bonds join them, so it keeps their stereochemistry.
func (m *Maker) Text(synthons []*Synthon) string {
	m.text.Reset()
	for i, s := range synthons {
		if i > 0 {
			m.text.WriteByte('.')
		}
		text := s.part.text
		for _, p := range s.part.ports {
			if p.symbol == 0 && !p.open && meets(synthons, i, p.number) {
				text = strings.Replace(text, ringText(p.number, "-"), ringText(p.number, ""), 1)
			}
		}
		m.text.WriteString(text)
	}
	return m.text.String()
}

// meets reports whether an attachment point of synthon i meets one whose atom is aromatic in the product alone.
func meets(synthons []*Synthon, i, number int) bool {
	for j, s := range synthons {
		if j != i && s.part.opens {
			if p := s.part.port(number); p >= 0 && s.part.ports[p].open {
				return true
			}
		}
	}
	return false
}

func ringText(number int, symbol string) string {
	return symbol + "%9" + string(rune('0'+number))
}

// SMILES returns the canonical SMILES of a product or, where that would lose what its synthons state of
// stereochemistry, [Maker.Text].
func (m *Maker) SMILES(synthons []*Synthon) (string, error) {
	mol, err := m.Molecule(synthons)
	if err != nil {
		return "", err
	}
	if text, _, err := m.writer.Canonical(mol); err == nil && mol.Notes&(chem.NoteChirality|chem.NoteCisTrans) == 0 {
		return text, nil
	}
	return m.Text(synthons), nil
}

// Molecule returns the product of one synthon for each component. It is valid until the next call.
func (m *Maker) Molecule(synthons []*Synthon) (*chem.Molecule, error) {
	return m.parser.Parse(m.Text(synthons))
}

// Graph returns the graph of a product: its atoms and bonds as of any molecule that is read.
func (m *Maker) Graph(synthons []*Synthon) (*graph.Graph, error) {
	mol, err := m.Molecule(synthons)
	if err != nil {
		return nil, err
	}
	return m.converter.Graph(mol)
}
