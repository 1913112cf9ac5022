package chem

// Element is an atomic number, 1 to 118. The zero Element is the wildcard atom,
// written * in SMILES.
type Element uint8

// Any is the wildcard atom.
const Any Element = 0

// maxElement is the last named element.
const maxElement = 118

// Elements that the rules below refer to.
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

// FindElement returns the element with a symbol, such as "Cl", and whether there is one. "*"
// is the wildcard.
func FindElement(symbol string) (Element, bool) {
	for e := range elements {
		if elements[e].symbol == symbol {
			return Element(e), true
		}
	}
	return 0, false
}

// element is an element's entry in the valence model.
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

// early reports whether e is left of carbon in the periodic table, or a heavy member of a
// later group that behaves alike: a positive charge removes a bond, where for a later element
// it adds one.
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

// moreElectronegative compares by group, then by period, which is as precise as the
// aromaticity model requires.
func moreElectronegative(a, b Element) bool {
	oa, ob := elements[a].outer, elements[b].outer
	return oa > ob || oa == ob && a < b
}

// anyNumber is the list of valences of an element with any number of bonds.
var anyNumber = []int8{-1}

// elements is the valence model of RDKit 2026.09, as in its periodic table.
var elements = [maxElement + 1]element{
	0: {"*", 0, anyNumber},
	1: {"H", 1, []int8{1}}, {"He", 2, []int8{0}},
	3: {"Li", 1, []int8{1, -1}}, {"Be", 2, []int8{2}}, {"B", 3, []int8{3}}, {"C", 4, []int8{4}}, {"N", 5, []int8{3}},
	{"O", 6, []int8{2}},
	9: {"F", 7, []int8{1}}, {"Ne", 8, []int8{0}},
	11: {"Na", 1, []int8{1, -1}}, {"Mg", 2, []int8{2, -1}}, {"Al", 3, []int8{3}}, {"Si", 4, []int8{4}},
	{"P", 5, []int8{3, 5}}, {"S", 6, []int8{2, 4, 6}},
	17: {"Cl", 7, []int8{1}}, {"Ar", 8, []int8{0}},
	19: {"K", 1, []int8{1, -1}}, {"Ca", 2, []int8{2, -1}}, {"Sc", 3, anyNumber}, {"Ti", 4, anyNumber},
	{"V", 5, anyNumber}, {"Cr", 6, anyNumber},
	25: {"Mn", 7, anyNumber}, {"Fe", 8, anyNumber}, {"Co", 9, anyNumber}, {"Ni", 10, anyNumber}, {"Cu", 11, anyNumber},
	{"Zn", 2, anyNumber},
	31: {"Ga", 3, []int8{3}}, {"Ge", 4, []int8{4}}, {"As", 5, []int8{3, 5}}, {"Se", 6, []int8{2, 4, 6}},
	{"Br", 7, []int8{1}}, {"Kr", 8, []int8{0}},
	37: {"Rb", 1, []int8{1, -1}}, {"Sr", 2, []int8{2, -1}}, {"Y", 3, anyNumber}, {"Zr", 4, anyNumber},
	{"Nb", 5, anyNumber}, {"Mo", 6, anyNumber},
	43: {"Tc", 7, anyNumber}, {"Ru", 8, anyNumber}, {"Rh", 9, anyNumber}, {"Pd", 10, anyNumber}, {"Ag", 11, anyNumber},
	{"Cd", 2, anyNumber},
	49: {"In", 3, []int8{3}}, {"Sn", 4, []int8{2, 4}}, {"Sb", 5, []int8{3, 5}}, {"Te", 6, []int8{2, 4, 6}},
	{"I", 7, []int8{1, 3, 5}}, {"Xe", 8, []int8{0, 2, 4, 6}},
	55: {"Cs", 1, []int8{1}}, {"Ba", 2, []int8{2, -1}}, {"La", 3, anyNumber}, {"Ce", 4, anyNumber},
	{"Pr", 3, anyNumber}, {"Nd", 4, anyNumber},
	61: {"Pm", 5, anyNumber}, {"Sm", 6, anyNumber}, {"Eu", 7, anyNumber}, {"Gd", 8, anyNumber}, {"Tb", 9, anyNumber},
	{"Dy", 10, anyNumber},
	67: {"Ho", 11, anyNumber}, {"Er", 12, anyNumber}, {"Tm", 13, anyNumber}, {"Yb", 14, anyNumber},
	{"Lu", 15, anyNumber}, {"Hf", 4, anyNumber},
	73: {"Ta", 5, anyNumber}, {"W", 6, anyNumber}, {"Re", 7, anyNumber}, {"Os", 8, anyNumber}, {"Ir", 9, anyNumber},
	{"Pt", 10, anyNumber},
	79: {"Au", 11, anyNumber}, {"Hg", 2, anyNumber}, {"Tl", 3, anyNumber}, {"Pb", 4, []int8{2, 4}},
	{"Bi", 5, []int8{3, 5}}, {"Po", 6, []int8{2, 4, 6}},
	85: {"At", 7, []int8{1, 3, 5}}, {"Rn", 8, []int8{0}},
	87: {"Fr", 1, []int8{1}}, {"Ra", 2, []int8{2, -1}}, {"Ac", 3, anyNumber}, {"Th", 4, anyNumber},
	{"Pa", 3, anyNumber}, {"U", 4, anyNumber},
	93: {"Np", 5, anyNumber}, {"Pu", 6, anyNumber}, {"Am", 7, anyNumber}, {"Cm", 8, anyNumber}, {"Bk", 9, anyNumber},
	{"Cf", 10, anyNumber},
	99: {"Es", 11, anyNumber}, {"Fm", 12, anyNumber}, {"Md", 13, anyNumber}, {"No", 14, anyNumber},
	{"Lr", 15, anyNumber}, {"Rf", 2, anyNumber},
	105: {"Db", 2, anyNumber}, {"Sg", 2, anyNumber}, {"Bh", 2, anyNumber}, {"Hs", 2, anyNumber}, {"Mt", 2, anyNumber},
	{"Ds", 2, anyNumber},
	111: {"Rg", 2, anyNumber}, {"Cn", 2, anyNumber}, {"Nh", 2, anyNumber}, {"Fl", 2, anyNumber}, {"Mc", 2, anyNumber},
	{"Lv", 2, anyNumber},
	117: {"Ts", 2, anyNumber}, {"Og", 2, anyNumber},
}
