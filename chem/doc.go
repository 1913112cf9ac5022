// Package chem reads and writes molecules: SMILES, and MOL and SDF files in
// versions V2000 and V3000. It turns a molecule into a [graph.Graph] whose nodes
// are the heavy atoms, labelled by element, and whose edges are the bonds,
// labelled by order: "1", "2", "3", "4", and "ar" for an aromatic bond.
//
// Aromaticity is perceived and not taken from the input, so that the Kekulé form
// C1=CC=CC=C1 and the aromatic form c1ccccc1 are one graph. The model is the
// default one of RDKit 2026.09 (The RDKit Book, "The RDKit Aromaticity Model"),
// as are the clean-up of nitro groups and their like, the model of valences, and
// which explicit hydrogens are folded into their neighbours. What the graph
// cannot express, such as chirality, is dropped with a note; see [Notes].
//
// The atom * matches any atom: it becomes [graph.Wildcard]. So do the bond ~, and
// with a note the query atoms and bonds of MOL blocks.
//
// # Where RDKit differs
//
// RDKit refuses molecules with impossible valences; here they are read, with
// [NoteValence]. RDKit makes some bonds to metals dative and so accepts more of them;
// here a bond is dative only if it is written so. RDKit keeps hydrogen atoms that bear a cis/trans mark. Which rings
// it finds in some bridged systems, such as a benzene ring whose positions 1 and
// 3 share one more neighbour, depends on the numbering of the atoms; here all
// rings of one length are found. Rings written as aromatic that are not, such as
// those with arsenic, may end up in the other of their two Kekulé forms. And
// wildcards with charges or hydrogens of their own are treated as plain ones.
package chem
