package chem

import (
	"errors"
	"fmt"
	"strings"
)

// maxV2000 is the greatest number of atoms or bonds of a V2000 block.
const maxV2000 = 999

// AppendMol appends m to dst as a MOL block with the given name: V2000, or V3000
// if it has more than 999 atoms or bonds, or what V2000 has no number for, such as
// dative bonds. Atoms are in their order, with charges, hydrogens and isotopes, and
// with places in the plane, a bond being 1.5 long; bonds have Kekulé orders. Wedges
// say the configurations of centres, the places those of double bonds; a double
// bond that may be E or Z is crossed if neither is stated. [ParseMol] reads the
// block as m again, but for the bonds ~ among the rings that a SMILES writes as
// aromatic, and configurations that no drawing has, as of allenes. After the atoms
// of m come hydrogens that are the only ones at their end of a double bond with a
// configuration. The name must be a single line.
func (m *Molecule) AppendMol(dst []byte, name string) ([]byte, error) {
	if strings.ContainsAny(name, "\r\n") {
		return dst, fmt.Errorf("chem: the name %q has several lines", name)
	}
	d := m.depict()
	orders := d.orders
	plain := len(d.Atoms) <= maxV2000 && len(d.Bonds) <= maxV2000 // what V2000 can say
	for i, o := range orders {
		if o == Quadruple {
			b := d.Bonds[i]
			return dst, fmt.Errorf("chem: atoms %d and %d have a quadruple bond, which MOL blocks cannot hold: %w",
				b.From+1, b.To+1, ErrNotWritable)
		}
		plain = plain && o != dative
	}
	total := d.totalValences(orders)
	for _, valence := range total {
		plain = plain && valence < noValence
	}
	// The program, a date that is always the same, and that places are in the plane.
	dst = append(dst, name+"\n  greed             2D\n\n"...)
	if plain {
		return d.appendV2000(dst, total), nil
	}
	return d.appendV3000(dst, total), nil
}

// noValence is the code of V2000 for a valence of 0.
const noValence = 15

// bondLength is the length of bonds in MOL blocks.
const bondLength = 1.5

// AppendSDF appends m as a record of an SDF file: a MOL block as of
// [Molecule.AppendMol] and data items. A name of an item must be a single line
// without < and >, a value must not have blank lines.
func (m *Molecule) AppendSDF(dst []byte, name string, properties []Property) ([]byte, error) {
	dst, err := m.AppendMol(dst, name)
	if err != nil {
		return dst, err
	}
	return AppendProperties(dst, properties)
}

// AppendProperties appends the data items of an SDF record and the line that ends it.
func AppendProperties(dst []byte, properties []Property) ([]byte, error) {
	for _, p := range properties {
		if p.Name == "" || strings.ContainsAny(p.Name, "<>\r\n") {
			return dst, fmt.Errorf("chem: the property name %q is not a line without < and >", p.Name)
		}
		if err := checkValue(p.Value); err != nil {
			return dst, fmt.Errorf("chem: property %s: %w", p.Name, err)
		}
		dst = fmt.Appendf(dst, ">  <%s>\n%s\n\n", p.Name, p.Value)
	}
	return append(dst, "$$$$\n"...), nil
}

func checkValue(value string) error {
	for line := range strings.SplitSeq(value, "\n") {
		switch {
		case strings.TrimSpace(line) == "" && value != "":
			return errors.New("the value has a blank line")
		case strings.HasPrefix(line, "$$$$"):
			return errors.New("the value has a line that ends records")
		}
	}
	return nil
}

// kekuleOrders returns the orders of the bonds with aromatic rings as single and
// double bonds, and with dative ones.
func (m *Molecule) kekuleOrders() []Order {
	orders := make([]Order, len(m.Bonds))
	for i, b := range m.Bonds {
		orders[i] = b.Order
		if m.kekule != nil && (b.Order == Aromatic || m.kekule[i] == dative) {
			orders[i] = m.kekule[i]
		}
	}
	return orders
}

// usedValences returns what the bonds of every atom take, given Kekulé orders.
func (m *Molecule) usedValences(orders []Order) []int {
	used := make([]int, len(m.Atoms))
	for i, b := range m.Bonds {
		used[b.From] += halves(orders[i])
		used[b.To] += halves(orders[i])
	}
	for v := range used {
		used[v] /= 2
	}
	return used
}

// hydrogensOf returns how many hydrogens atom v has, given what its bonds take.
func (m *Molecule) hydrogensOf(v, used int) int {
	a := &m.Atoms[v]
	h := int(a.hydrogens)
	if a.exact || a.Element == Any || a.Element.valence() < 0 {
		return h
	}
	return h + roomLeft(a, used+h+int(a.unpaired))
}

// totalValences returns, for every atom whose hydrogens do not follow from its
// bonds and charge, its total valence, and -1 for the others.
func (m *Molecule) totalValences(orders []Order) []int {
	total := m.usedValences(orders)
	for v, used := range total {
		a := &m.Atoms[v]
		h := m.hydrogensOf(v, used)
		if a.Element == Any || a.Element.valence() < 0 && h == 0 || a.Element.valence() >= 0 && h == roomLeft(a, used) {
			total[v] = -1
			continue
		}
		total[v] += h
	}
	for i, o := range orders {
		if to := m.Bonds[i].To; o == dative && total[to] >= 0 {
			total[to]++
		}
	}
	return total
}

// kindOf returns the number that MOL blocks have for an order.
func kindOf(o Order) int {
	switch o {
	case AnyOrder:
		return 8
	case Aromatic:
		return 4
	case dative:
		return 9
	}
	return int(o)
}

func (d *depiction) appendV2000(dst []byte, total []int) []byte {
	dst = fmt.Appendf(dst, "%3d%3d  0  0%3d  0  0  0  0  0999 V2000\n", len(d.Atoms), len(d.Bonds), d.chiral())
	for v := range d.Atoms {
		valence := max(total[v], 0)
		if total[v] == 0 {
			valence = noValence
		}
		p := d.at[v].times(bondLength)
		dst = fmt.Appendf(dst, "%10.4f%10.4f    0.0000 %-3s 0  0  0  0  0%3d  0  0  0  0  0  0\n",
			p.x, p.y, d.Atoms[v].Element.Symbol(), valence)
	}
	codes := [...]int{plain: 0, up: 1, down: 6, either: 3}
	for i, b := range d.Bonds {
		dst = fmt.Appendf(dst, "%3d%3d%3d%3d\n", b.From+1, b.To+1, kindOf(d.orders[i]), codes[d.marks[i]])
	}
	for v := range d.Atoms {
		if c := d.Atoms[v].Charge; c != 0 {
			dst = fmt.Appendf(dst, "M  CHG  1 %3d %3d\n", v+1, c)
		}
		if isotope := d.Atoms[v].isotope; isotope != 0 && isotope < 1000 { // three columns
			dst = fmt.Appendf(dst, "M  ISO  1 %3d %3d\n", v+1, isotope)
		}
	}
	return append(dst, "M  END\n"...)
}

// chiral is the flag of MOL blocks for a molecule whose centres are as they are drawn, and not only relative to each
// other.
func (d *depiction) chiral() int {
	if len(d.centres) > 0 {
		return 1
	}
	return 0
}

func (d *depiction) appendV3000(dst []byte, total []int) []byte {
	dst = append(dst, "  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n"...)
	dst = fmt.Appendf(dst, "M  V30 COUNTS %d %d 0 0 %d\nM  V30 BEGIN ATOM\n", len(d.Atoms), len(d.Bonds), d.chiral())
	for v := range d.Atoms {
		a, p := &d.Atoms[v], d.at[v].times(bondLength)
		dst = fmt.Appendf(dst, "M  V30 %d %s %.4f %.4f 0 0", v+1, a.Element.Symbol(), p.x, p.y)
		if a.Charge != 0 {
			dst = fmt.Appendf(dst, " CHG=%d", a.Charge)
		}
		if a.isotope != 0 && a.isotope != someIsotope {
			dst = fmt.Appendf(dst, " MASS=%d", a.isotope)
		}
		switch {
		case total[v] == 0:
			dst = append(dst, " VAL=-1"...)
		case total[v] > 0:
			dst = fmt.Appendf(dst, " VAL=%d", total[v])
		}
		dst = append(dst, '\n')
	}
	dst = append(dst, "M  V30 END ATOM\nM  V30 BEGIN BOND\n"...)
	codes := [...]string{plain: "", up: " CFG=1", down: " CFG=3", either: " CFG=2"}
	for i, b := range d.Bonds {
		dst = fmt.Appendf(dst, "M  V30 %d %d %d %d%s\n", i+1, kindOf(d.orders[i]), b.From+1, b.To+1, codes[d.marks[i]])
	}
	return append(dst, "M  V30 END BOND\nM  V30 END CTAB\nM  END\n"...)
}
