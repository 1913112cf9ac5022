package greed

import (
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
)

// Show returns how a graph was read, its nodes by their numbers. A molecule that was read from a MOL block has a
// SMILES if one reads back as the graph.
func Show(rec *Record) (*Parsed, error) {
	link, err := dataset.NumberedNodeLink(*rec)
	if err != nil {
		return nil, err
	}
	p := &Parsed{&link, rec.SMILES, rec.Name, rec.Graph.N(), rec.Graph.M(), rec.Notes}
	if p.SMILES == "" && rec.Block != "" {
		p.SMILES, _ = chem.WriteSMILES(rec.Graph)
	}
	return p, nil
}
