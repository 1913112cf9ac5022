// Package chem reads and writes molecules: SMILES, and MOL and SDF files in versions V2000
// and V3000. It turns a molecule into a [graph.Graph] whose nodes are the heavy atoms,
// labelled by element, and whose edges are the bonds, labelled by order: "1", "2", "3", "4",
// and "ar" for an aromatic bond.
//
// Aromaticity is perceived rather than taken from the input, so that the Kekulé form
// C1=CC=CC=C1 and the aromatic form c1ccccc1 give the same graph. The aromaticity model is
// RDKit's default (version 2026.09; The RDKit Book, "The RDKit Aromaticity Model"). So are
// the normalisation of nitro groups and the like, the valence model, and the rules by which
// explicit hydrogens are folded into their neighbours. What the graph cannot express, such as
// chirality, is dropped with a note; see [Notes].
//
// The atom * matches any atom and becomes [graph.Wildcard]. So do the bond ~ and, with a
// note, query atoms and bonds of MOL blocks.
//
// # Where RDKit differs
//
// RDKit rejects molecules with impossible valences; here they are read with [NoteValence].
// RDKit makes some bonds to metals dative, and so accepts more of them; here a bond is dative
// only if it is written so. RDKit keeps hydrogen atoms with a cis/trans mark. Which rings
// RDKit takes for aromatic in some bridged systems, such as a benzene ring whose positions 1 and 3
// share another neighbour, depends on the numbering of the atoms; here all rings of the same length
// that could replace one another are looked at. Patterns count the relevant rings of an atom: see
// [SMARTS]. Rings that are written as aromatic but are not, such as those with arsenic, may
// get the other of their two Kekulé forms. Wildcards with charges or hydrogens are treated as
// plain ones.
package chem
