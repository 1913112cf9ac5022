package chem

import (
	"math"
	"slices"
)

// Molecule is a molecule as read: aromaticity is perceived, hydrogens that are only counted
// are implicit, and nitro groups and the like are in charge-separated form.
type Molecule struct {
	// Atoms are in the order of the input.
	Atoms []Atom
	// Bonds are in the order of the input. No two join the same atoms.
	Bonds []Bond
	// Notes says what was dropped or changed in reading.
	Notes Notes
	// Name is the header line of a MOL block, and empty for SMILES.
	Name string
	// Properties are the data items of an SDF record, in order.
	Properties []Property

	// kekule holds the order of every bond in the Kekulé form, with dative bonds, which lead
	// from the donor, [bonds]; or nil if it does not differ from Bonds.
	kekule []Order

	centres []centre // by atom
	slopes  []slope

	placed bool // a MOL block gives an atom another place than 0, 0, 0
}

// Placed reports whether a molecule comes from a MOL block that has coordinates.
func (m *Molecule) Placed() bool { return m.placed }

// Same reports whether two molecules are the same atom by atom, in this order, with their hydrogens, charges, isotopes
// and bonds. Stereochemistry is not compared.
func (m *Molecule) Same(o *Molecule) bool {
	if len(m.Atoms) != len(o.Atoms) || len(m.Bonds) != len(o.Bonds) || !slices.Equal(m.Hydrogens(), o.Hydrogens()) {
		return false
	}
	for v := range m.Atoms {
		a, b := &m.Atoms[v], &o.Atoms[v]
		if a.Element != b.Element || a.Charge != b.Charge || a.isotope != b.isotope {
			return false
		}
	}
	between := func(b Bond) [2]int32 { return [2]int32{min(b.From, b.To), max(b.From, b.To)} }
	orders := make(map[[2]int32]Order, len(m.Bonds))
	for _, b := range m.Bonds {
		orders[between(b)] = b.Order
	}
	for _, b := range o.Bonds {
		if order, ok := orders[between(b)]; !ok || order != b.Order {
			return false
		}
	}
	return true
}

// Atom is an atom of a [Molecule].
type Atom struct {
	Element Element
	// Charge is the formal charge, in units of the elementary charge.
	Charge int8
	// Aromatic reports whether the atom belongs to an aromatic ring.
	Aromatic bool
	// Number is the atom's number in a MOL block, usually from 1; atoms of a SMILES have
	// none.
	Number int32

	hydrogens uint8  // stated: in brackets, or once atoms of their own
	exact     bool   // no hydrogens beyond those stated
	lower     bool   // written as aromatic
	unpaired  uint8  // electrons, where the format states them
	isotope   uint16 // 0 for the natural mixture
	class     int32  // that is written; those read are dropped
}

// someIsotope is an isotope of which a file only says that it is not the most frequent one.
const someIsotope = math.MaxUint16

// Isotope returns the mass number, 0 for the natural mixture or an isotope of which only is known that it is not the
// most frequent one.
func (a *Atom) Isotope() int {
	if a.isotope == someIsotope {
		return 0
	}
	return int(a.isotope)
}

// Bond joins two different atoms of a [Molecule], numbered as in its Atoms.
type Bond struct {
	From, To int32
	Order    Order
}

// Order is the order of a bond.
type Order uint8

// The orders of bonds. AnyOrder, written ~, matches any of them.
const (
	AnyOrder Order = iota
	Single
	Double
	Triple
	Quadruple
	Aromatic
)

// Label returns the edge label of the order: "1" to "4", "ar", or "*" for
// [AnyOrder].
func (o Order) Label() string { return orderLabels[o] }

var orderLabels = [...]string{AnyOrder: "*", Single: "1", Double: "2", Triple: "3", Quadruple: "4", Aromatic: "ar"}

// Property is a data item of an SDF record. Value keeps its inner line ends.
type Property struct {
	Name, Value string
}

// Notes is a set of remarks on how a molecule was read.
type Notes uint32

// The notes; [Notes.Texts] has them in words.
const (
	NoteChirality Notes = 1 << iota
	NoteCisTrans
	NoteIsotope
	NoteClass // atom map numbers
	// NoteNormalised: a hypervalent form such as N(=O)=O was changed to the charge-separated
	// [N+](=O)[O-].
	NoteNormalised
	NoteDative
	NoteRadical // stated in a MOL block
	NoteRGroup
	// NoteValence: RDKit rejects such molecules.
	NoteValence
	NoteLargeRings // see [MaxRings]
	// NoteInferredCharge: charges were added to a graph without any, so that its atoms can
	// have their bonds.
	NoteInferredCharge
	// NoteReadsAromatic: a graph in Kekulé form reads back with aromatic bonds.
	NoteReadsAromatic
	// NoteQuery: a query atom (Q, X, L and others) or bond (5 to 7) of a MOL
	// block was read as the wildcard.
	NoteQuery
	NoteCapitals // such as CL for Cl
	NoteFeatures // of a MOL block
	// NoteUndescribed: the molecule became a graph with descriptors, and marks of its SMILES
	// give none.
	NoteUndescribed
	NoteAlias      // text that a MOL block has in place of an atom
	NoteHaptic     // a bond of a MOL block with several ends
	NoteUnread     // lines or sections of a MOL block that mean nothing here
	NoteConditions // on hydrogens, substituents, bonds in rings and the like, of a MOL block
	NoteWedges     // at one atom that contradict each other
)

var noteTexts = [...]string{
	"chirality dropped",
	"cis/trans marks dropped",
	"isotopes dropped",
	"atom classes dropped",
	"hypervalent groups written charge-separated",
	"dative, hydrogen or zero-order bonds read as single",
	"radical electrons dropped",
	"R groups read as any atom",
	"atoms with more bonds than their element allows",
	"ring system too large to perceive its aromaticity completely",
	"charges chosen to fit the bonds, because the graph states none",
	"rings of single and double bonds will read as aromatic",
	"query atoms and bonds read as any atom and any bond",
	"element symbols in capitals read in their usual spelling",
	"S-groups, attachment points, links and R-group logic dropped",
	"stereochemistry without R, S, E or Z is not compared",
	"aliases of atoms, such as Ph, dropped: the atom below counts",
	"haptic bonds (ENDPTS) read as a bond to their centre alone, which is any atom",
	"lines of the MOL block that are not understood dropped",
	"conditions on hydrogens, substituents, unsaturation and ring bonds dropped",
	"wedges that contradict each other at an atom dropped",
}

// Wider reports whether the graph is less particular than the file: what the file asks of atoms or bonds was
// dropped, or read as any atom and any bond.
func (n Notes) Wider() bool { return n&(NoteRGroup|NoteQuery|NoteFeatures|NoteConditions) != 0 }

// Asks reports whether the file asks of atoms or bonds what a graph cannot say: lists of elements, bonds of several
// orders, or conditions. [MolSMARTS] can.
func (n Notes) Asks() bool { return n&(NoteQuery|NoteConditions) != 0 }

// Texts returns the notes of the set in words, in a fixed order.
func (n Notes) Texts() []string {
	var texts []string
	for i, text := range noteTexts {
		if n&(1<<i) != 0 {
			texts = append(texts, text)
		}
	}
	return texts
}
