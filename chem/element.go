package chem

// Element is an atomic number, 1 to 118. The zero Element is the wildcard atom,
// written * in SMILES.
type Element uint8

// Any is the wildcard atom.
const Any Element = 0

// maxElement is the last element that has a name.
const maxElement = 118

// Elements that the rules of chemistry below mention by name.
const (
	hydrogen   Element = 1
	helium     Element = 2
	boron      Element = 5
	carbon     Element = 6
	nitrogen   Element = 7
	oxygen     Element = 8
	fluorine   Element = 9
	silicon    Element = 14
	phosphorus Element = 15
	sulfur     Element = 16
	chlorine   Element = 17
	argon      Element = 18
	arsenic    Element = 33
	selenium   Element = 34
	bromine    Element = 35
	tellurium  Element = 52
	iodine     Element = 53
)

// Symbol returns the element's symbol, "*" for the wildcard.
func (e Element) Symbol() string { return elements[e].symbol }

// FindElement returns the element that has a symbol, written as usual ("Cl"),
// and whether there is one. "*" is the wildcard.
func FindElement(symbol string) (Element, bool) {
	for e := range elements {
		if elements[e].symbol == symbol {
			return Element(e), true
		}
	}
	return 0, false
}

// element describes what the valence model knows of an element.
type element struct {
	symbol string
	// outer counts the electrons of the outer shell.
	outer int8
	// valences lists the allowed valences of the neutral atom, the default
	// first; -1 allows any.
	valences []int8
}

func (e Element) valence() int { return int(elements[e].valences[0]) }

// anyValence reports whether an atom may have any number of bonds.
func (e *element) anyValence() bool { return e.valences[len(e.valences)-1] < 0 }

// early reports whether e is left of carbon in the periodic table, or a heavy
// member of a later group that behaves so: a positive charge then takes away a
// bond where that of a later element adds one.
func (e Element) early() bool {
	if e > maxElement {
		return false
	}
	switch {
	case e >= 3 && e <= 5, e >= 11 && e <= 13, e >= 19 && e <= 22, e >= 30 && e <= 32,
		e >= 37 && e <= 41, e >= 48 && e <= 51, e >= 55 && e <= 61, e >= 72 && e <= 73,
		e >= 80 && e <= 83, e >= 87 && e <= 93, e >= 104:
		return true
	}
	return false
}

// moreElectronegative compares by the group, then by the period: rough, and
// what the aromaticity model asks for.
func moreElectronegative(a, b Element) bool {
	oa, ob := elements[a].outer, elements[b].outer
	return oa > ob || oa == ob && a < b
}

// elements holds the valence model of RDKit 2026.09, as its periodic table
// reports it.
var elements = [maxElement + 1]element{
	0:   {"*", 0, []int8{-1}},
	1:   {"H", 1, []int8{1}},
	2:   {"He", 2, []int8{0}},
	3:   {"Li", 1, []int8{1, -1}},
	4:   {"Be", 2, []int8{2}},
	5:   {"B", 3, []int8{3}},
	6:   {"C", 4, []int8{4}},
	7:   {"N", 5, []int8{3}},
	8:   {"O", 6, []int8{2}},
	9:   {"F", 7, []int8{1}},
	10:  {"Ne", 8, []int8{0}},
	11:  {"Na", 1, []int8{1, -1}},
	12:  {"Mg", 2, []int8{2, -1}},
	13:  {"Al", 3, []int8{3}},
	14:  {"Si", 4, []int8{4}},
	15:  {"P", 5, []int8{3, 5}},
	16:  {"S", 6, []int8{2, 4, 6}},
	17:  {"Cl", 7, []int8{1}},
	18:  {"Ar", 8, []int8{0}},
	19:  {"K", 1, []int8{1, -1}},
	20:  {"Ca", 2, []int8{2, -1}},
	21:  {"Sc", 3, []int8{-1}},
	22:  {"Ti", 4, []int8{-1}},
	23:  {"V", 5, []int8{-1}},
	24:  {"Cr", 6, []int8{-1}},
	25:  {"Mn", 7, []int8{-1}},
	26:  {"Fe", 8, []int8{-1}},
	27:  {"Co", 9, []int8{-1}},
	28:  {"Ni", 10, []int8{-1}},
	29:  {"Cu", 11, []int8{-1}},
	30:  {"Zn", 2, []int8{-1}},
	31:  {"Ga", 3, []int8{3}},
	32:  {"Ge", 4, []int8{4}},
	33:  {"As", 5, []int8{3, 5}},
	34:  {"Se", 6, []int8{2, 4, 6}},
	35:  {"Br", 7, []int8{1}},
	36:  {"Kr", 8, []int8{0}},
	37:  {"Rb", 1, []int8{1, -1}},
	38:  {"Sr", 2, []int8{2, -1}},
	39:  {"Y", 3, []int8{-1}},
	40:  {"Zr", 4, []int8{-1}},
	41:  {"Nb", 5, []int8{-1}},
	42:  {"Mo", 6, []int8{-1}},
	43:  {"Tc", 7, []int8{-1}},
	44:  {"Ru", 8, []int8{-1}},
	45:  {"Rh", 9, []int8{-1}},
	46:  {"Pd", 10, []int8{-1}},
	47:  {"Ag", 11, []int8{-1}},
	48:  {"Cd", 2, []int8{-1}},
	49:  {"In", 3, []int8{3}},
	50:  {"Sn", 4, []int8{2, 4}},
	51:  {"Sb", 5, []int8{3, 5}},
	52:  {"Te", 6, []int8{2, 4, 6}},
	53:  {"I", 7, []int8{1, 3, 5}},
	54:  {"Xe", 8, []int8{0, 2, 4, 6}},
	55:  {"Cs", 1, []int8{1}},
	56:  {"Ba", 2, []int8{2, -1}},
	57:  {"La", 3, []int8{-1}},
	58:  {"Ce", 4, []int8{-1}},
	59:  {"Pr", 3, []int8{-1}},
	60:  {"Nd", 4, []int8{-1}},
	61:  {"Pm", 5, []int8{-1}},
	62:  {"Sm", 6, []int8{-1}},
	63:  {"Eu", 7, []int8{-1}},
	64:  {"Gd", 8, []int8{-1}},
	65:  {"Tb", 9, []int8{-1}},
	66:  {"Dy", 10, []int8{-1}},
	67:  {"Ho", 11, []int8{-1}},
	68:  {"Er", 12, []int8{-1}},
	69:  {"Tm", 13, []int8{-1}},
	70:  {"Yb", 14, []int8{-1}},
	71:  {"Lu", 15, []int8{-1}},
	72:  {"Hf", 4, []int8{-1}},
	73:  {"Ta", 5, []int8{-1}},
	74:  {"W", 6, []int8{-1}},
	75:  {"Re", 7, []int8{-1}},
	76:  {"Os", 8, []int8{-1}},
	77:  {"Ir", 9, []int8{-1}},
	78:  {"Pt", 10, []int8{-1}},
	79:  {"Au", 11, []int8{-1}},
	80:  {"Hg", 2, []int8{-1}},
	81:  {"Tl", 3, []int8{-1}},
	82:  {"Pb", 4, []int8{2, 4}},
	83:  {"Bi", 5, []int8{3, 5}},
	84:  {"Po", 6, []int8{2, 4, 6}},
	85:  {"At", 7, []int8{1, 3, 5}},
	86:  {"Rn", 8, []int8{0}},
	87:  {"Fr", 1, []int8{1}},
	88:  {"Ra", 2, []int8{2, -1}},
	89:  {"Ac", 3, []int8{-1}},
	90:  {"Th", 4, []int8{-1}},
	91:  {"Pa", 3, []int8{-1}},
	92:  {"U", 4, []int8{-1}},
	93:  {"Np", 5, []int8{-1}},
	94:  {"Pu", 6, []int8{-1}},
	95:  {"Am", 7, []int8{-1}},
	96:  {"Cm", 8, []int8{-1}},
	97:  {"Bk", 9, []int8{-1}},
	98:  {"Cf", 10, []int8{-1}},
	99:  {"Es", 11, []int8{-1}},
	100: {"Fm", 12, []int8{-1}},
	101: {"Md", 13, []int8{-1}},
	102: {"No", 14, []int8{-1}},
	103: {"Lr", 15, []int8{-1}},
	104: {"Rf", 2, []int8{-1}},
	105: {"Db", 2, []int8{-1}},
	106: {"Sg", 2, []int8{-1}},
	107: {"Bh", 2, []int8{-1}},
	108: {"Hs", 2, []int8{-1}},
	109: {"Mt", 2, []int8{-1}},
	110: {"Ds", 2, []int8{-1}},
	111: {"Rg", 2, []int8{-1}},
	112: {"Cn", 2, []int8{-1}},
	113: {"Nh", 2, []int8{-1}},
	114: {"Fl", 2, []int8{-1}},
	115: {"Mc", 2, []int8{-1}},
	116: {"Lv", 2, []int8{-1}},
	117: {"Ts", 2, []int8{-1}},
	118: {"Og", 2, []int8{-1}},
}
