package dataset

import (
	"iter"

	"github.com/greedgraph/greed/graph"
)

// Record is one graph of a collection and what the file says about it.
type Record struct {
	// ID is the id in the file, the SMILES name, or the name of the file
	// among those of a folder; else the position of the record in the
	// collection, from 0. The reader does not check that ids are unique.
	ID string
	// Name is the name or title of the graph, or empty.
	Name string
	// Graph is never nil. It may have no nodes, unless Options.Strict is set.
	Graph *graph.Graph
	// SMILES is that of the molecule whose atoms are the nodes, in order, or empty if the
	// graph is not a molecule. For a molecule from a MOL block package chem writes it;
	// otherwise it is that of the file.
	SMILES string
	// Block is the MOL block that the molecule was read from, up to M  END, with its
	// coordinates, if [Options.Blocks] is set and the graph is the whole molecule.
	Block string
	// NodeIDs holds the names that the file gives to the nodes, [n], or is
	// nil where they are 0, 1, 2, ... in order.
	NodeIDs []string
	// Attributes holds the other properties of the graph: class, columns of a
	// table, SDF properties. Values are strings unless the format types them.
	Attributes map[string]any
	// File and Line say where the record starts. Lines count from 1.
	File string
	Line int
}

// IsMolecule reports whether the graph is that of a molecule: whether the record has a
// SMILES.
func (r *Record) IsMolecule() bool { return r.SMILES != "" }

// Molecules reports whether there are records and all are molecules. Bundled models are
// for such collections, and pages draw them as molecules.
func Molecules(records iter.Seq[Record]) bool {
	any := false
	for r := range records {
		if !r.IsMolecule() {
			return false
		}
		any = true
	}
	return any
}

// Graphs returns the graphs of records.
func Graphs(records []Record) []*graph.Graph {
	graphs := make([]*graph.Graph, len(records))
	for i := range records {
		graphs[i] = records[i].Graph
	}
	return graphs
}

// IDs returns the ids of records.
func IDs(records []Record) []string {
	ids := make([]string, len(records))
	for i := range records {
		ids[i] = records[i].ID
	}
	return ids
}
