package dataset

import (
	"bytes"

	"github.com/greedgraph/greed/chem"
)

func mol2Format() format {
	return format{
		name:       "mol2",
		about:      "Tripos MOL2, one molecule or several a file",
		extensions: []string{"mol2"},
		sniff: func(head []byte) bool {
			return bytes.HasPrefix(head, []byte(chem.TriposMolecule)) || bytes.Contains(head, []byte("\n"+chem.TriposMolecule))
		},
		open: func(in *input, e *env) (decoder, error) {
			return &blocks{
				in: in, env: e, pieces: newPieces(in.r, e, true, splitMol2),
				parse: (*chem.BlockParser).Mol2, converter: e.converter(),
				// Comments may come before the first molecule.
				passes: func(text []byte) bool { return !bytes.Contains(text, []byte(chem.TriposMolecule)) },
			}, nil
		},
	}
}

// splitMol2 ends a record before a line that begins a molecule.
func splitMol2(data []byte) int {
	if i := bytes.Index(data, []byte("\n"+chem.TriposMolecule)); i >= 0 {
		return i + 1
	}
	return -1
}
