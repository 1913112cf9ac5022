// Package chem reads and writes molecules: SMILES, and MOL and SDF files in
// versions V2000 and V3000. It turns a molecule into a [graph.Graph] whose nodes
// are the heavy atoms, labelled by element, and whose edges are the bonds,
// labelled by order: "1", "2", "3", "4", and "ar" for an aromatic bond.
//
// Aromaticity is perceived and not taken from the input, so that the Kekulé form
// C1=CC=CC=C1 and the aromatic form c1ccccc1 are one graph. The model is the
// default one of RDKit 2022.09 (The RDKit Book, "The RDKit Aromaticity Model"),
// as are the clean-up of nitro groups and their like, the model of valences, and
// which explicit hydrogens are folded into their neighbours. What the graph
// cannot say, such as chirality, is dropped with a note; see [Notes].
//
// The atom * matches any atom: it becomes [graph.Wildcard]. So does the bond ~.
package chem
