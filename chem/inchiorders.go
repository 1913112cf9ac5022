package chem

import "slices"

// inchiOrders chooses the orders of an InChI's bonds. An atom lacks bonds as far as its
// bonds and hydrogens are fewer than its valence. Each lack is a vertex; two of atoms
// that are bonded can be matched, which makes the bond's order one more, and a mobile
// hydrogen or charge is a vertex that is matched with a lack of an atom that may have
// it. A maximum matching leaves as few as can be.
type inchiOrders struct {
	*inchiReader
	matcher
	degree []int     // [atoms]
	lacks  [][]int32 // [atoms] the vertices of an atom, those that are not in use last
	used   []int     // [atoms] how many are
	owner  []int32   // [vertices] the atom, -1 for a mobile hydrogen or charge
	group  []int32   // [vertices] of a mobile one
	mobile []int32   // the vertices of those
	arcsOf [][]arc
	links  int32 // arcs so far, in pairs
	// late are the links that mobile hydrogens have to what should not have them, unless
	// nothing else is left.
	late    map[int32]bool
	release bool
}

// most lacks of an atom: carbon without a hydrogen at the end of a chain has three.
const mostLacks = 6

// assign sets orders, mobile hydrogens and charges.
func (r *inchiReader) assign() {
	o := &inchiOrders{inchiReader: r, late: make(map[int32]bool)}
	o.build()
	o.run()
	o.raise()
	o.write()
	r.place()
}

// inchiValences returns the valences that an atom may have, the least first.
func inchiValences(e Element) []int8 {
	switch e {
	case nitrogen:
		return []int8{3, 5}
	case chlorine, bromine, iodine:
		return []int8{1, 3, 5, 7}
	}
	return elements[e].valences
}

// lacking returns how many bonds an atom lacks to the least valence that it may have.
func (o *inchiOrders) lacking(v int) int {
	have := o.degree[v] + int(o.mol.Atoms[v].hydrogens)
	for _, valence := range inchiValences(o.mol.Atoms[v].Element) {
		if int(valence) >= have {
			return min(int(valence)-have, mostLacks)
		}
	}
	return 0
}

func (o *inchiOrders) build() {
	n := len(o.mol.Atoms)
	o.degree, o.lacks, o.used = make([]int, n), make([][]int32, n), make([]int, n)
	for _, b := range o.mol.Bonds {
		o.degree[b.From]++
		o.degree[b.To]++
	}
	o.charged()
	for g := range o.groups {
		for range o.groups[g].hydrogens + o.groups[g].charges {
			if len(o.mobile) == 4*mostInChI {
				break
			}
			o.mobile = append(o.mobile, o.vertex(-1, int32(g)))
		}
	}
	for v := range n {
		a := &o.mol.Atoms[v]
		o.used[v] = o.lacking(v)
		if a.Charge > 0 { // its valence is one more, which its bonds have
			o.used[v] = 0
		}
		spare := 0
		if list := inchiValences(a.Element); len(list) > 1 && int(list[len(list)-1]) > o.degree[v]+int(a.hydrogens)+o.used[v] {
			spare = int(list[len(list)-1]) - o.degree[v] - int(a.hydrogens) - o.used[v]
		} else if a.Element == oxygen || a.Element == boron {
			spare = 1
		}
		for range min(o.used[v]+spare, mostLacks) {
			o.lacks[v] = append(o.lacks[v], o.vertex(int32(v), -1))
		}
	}
	for _, b := range o.mol.Bonds {
		for _, x := range o.lacks[b.From] {
			for _, y := range o.lacks[b.To] {
				o.link(x, y, false)
			}
		}
	}
	for _, h := range o.mobile {
		for _, v := range o.preferred(o.groups[o.group[h]].atoms) {
			for _, y := range o.lacks[v] {
				o.link(h, y, o.mol.Atoms[v].Element != nitrogen)
			}
		}
	}
	o.begin(len(o.owner))
	o.start = []int32{0}
	for _, arcs := range o.arcsOf {
		o.arcs = append(o.arcs, arcs...)
		o.start = append(o.start, int32(len(o.arcs)))
	}
	for _, h := range o.mobile {
		o.add(h, true)
	}
	for v, list := range o.lacks {
		for _, x := range list[:o.used[v]] {
			o.add(x, true)
		}
	}
}

// charged gives the charges of components to atoms that have one bond too many, such as
// the nitrogen of ammonium or the boron of a borate.
func (o *inchiOrders) charged() {
	for i := range o.pieces {
		p := &o.pieces[i]
		for v := p.first; v < p.first+p.atoms && p.charge != 0; v++ {
			a := &o.mol.Atoms[v]
			valence, have := a.Element.valence(), o.degree[v]+int(a.hydrogens)
			late := a.Element == nitrogen || a.Element == phosphorus || a.Element == oxygen || a.Element == sulfur
			if p.charge > 0 && late && have == valence+1 {
				a.Charge, p.charge = 1, p.charge-1
			}
			if p.charge < 0 && (a.Element == boron || a.Element == 13) && have == valence+1 {
				a.Charge, p.charge = -1, p.charge+1
			}
		}
	}
}

// preferred sorts the atoms of a group: nitrogen at the end of a chain, other nitrogen,
// the rest.
func (o *inchiOrders) preferred(atoms []int32) []int32 {
	rank := func(v int32) int {
		switch {
		case o.mol.Atoms[v].Element == nitrogen:
			return o.degree[v]
		case o.mol.Atoms[v].Element == oxygen:
			return 10
		}
		return 9
	}
	sorted := slices.Clone(atoms)
	slices.SortStableFunc(sorted, func(u, v int32) int { return rank(u) - rank(v) })
	return sorted
}

func (o *inchiOrders) vertex(owner, group int32) int32 {
	o.owner, o.group, o.arcsOf = append(o.owner, owner), append(o.group, group), append(o.arcsOf, nil)
	return int32(len(o.owner) - 1)
}

func (o *inchiOrders) link(x, y int32, late bool) {
	o.arcsOf[x] = append(o.arcsOf[x], arc{y, o.links})
	o.arcsOf[y] = append(o.arcsOf[y], arc{x, o.links})
	if late {
		o.late[o.links] = true
	}
	o.links++
}

// run matches as many as can be, mobile hydrogens with nitrogen first.
func (o *inchiOrders) run() {
	allowed := func(link int32) bool { return o.release || !o.late[link] }
	o.match(o.start, o.arcs, allowed)
	o.release = true
	o.match(o.start, o.arcs, allowed)
}

// open returns the vertices in use that have no mate.
func (o *inchiOrders) open() (list []int32) {
	for x := range int32(len(o.owner)) {
		if o.in[x] && o.mate[x] < 0 {
			list = append(list, x)
		}
	}
	return list
}

// raise lets atoms have larger valences where that leaves fewer lacks: a sulfur or a
// nitrogen by two, and what can bear a charge that the component has, by one.
func (o *inchiOrders) raise() {
	if len(o.open()) == 0 {
		return
	}
	for i := range o.pieces {
		p := &o.pieces[i]
		for v := p.first; v < p.first+p.atoms; v++ {
			if p.charge > 0 && o.mol.Atoms[v].Charge == 0 && (o.mol.Atoms[v].Element == nitrogen || o.mol.Atoms[v].Element == oxygen) && o.try(v, 1) {
				o.mol.Atoms[v].Charge, p.charge = 1, p.charge-1
			}
		}
		for v := p.first; v < p.first+p.atoms; v++ {
			if list := inchiValences(o.mol.Atoms[v].Element); len(list) > 1 && o.mol.Atoms[v].Charge == 0 {
				for o.try(v, 2) {
				}
			}
		}
		for v := p.first; v < p.first+p.atoms && p.charge < 0; v++ {
			if slices.ContainsFunc(o.lacks[v][:o.used[v]], func(x int32) bool { return o.mate[x] < 0 }) && o.mol.Atoms[v].Charge == 0 {
				o.mol.Atoms[v].Charge, p.charge = -1, p.charge+1
			}
		}
	}
}

// try takes more lacks of an atom into use, if all of them find a mate.
func (o *inchiOrders) try(v, more int) bool {
	have := o.used[v]
	if have+more > len(o.lacks[v]) {
		return false
	}
	before := slices.Clone(o.mate)
	for i, x := range o.lacks[v][have : have+more] {
		o.add(x, true)
		if o.augment(x, false) {
			continue
		}
		copy(o.mate, before)
		for _, y := range o.lacks[v][have : have+i+1] {
			o.in[y] = false
		}
		return false
	}
	o.used[v] += more
	return true
}

// write turns the matching into orders and hydrogens. A mobile hydrogen that found no
// lack goes to the first atom of its group.
func (o *inchiOrders) write() {
	extra := make(map[[2]int32]int)
	for x, y := range o.mate {
		if u := o.owner[x]; y >= 0 && u >= 0 && o.owner[y] >= 0 && u < o.owner[y] {
			extra[[2]int32{u, o.owner[y]}]++
		}
	}
	for i := range o.mol.Bonds {
		b := &o.mol.Bonds[i]
		b.Order = min(Single+Order(extra[[2]int32{min(b.From, b.To), max(b.From, b.To)}]), Quadruple)
	}
	left := make([]int, len(o.groups)) // charges to be placed
	for g := range o.groups {
		left[g] = o.groups[g].charges
	}
	for _, h := range slices.Backward(o.mobile) {
		g := o.group[h]
		v := o.groups[g].atoms[0]
		if o.mate[h] >= 0 {
			v = o.owner[o.mate[h]]
		}
		if a := &o.mol.Atoms[v]; left[g] > 0 {
			left[g]--
			a.Charge--
		} else {
			a.hydrogens++
		}
	}
	if len(o.mobile) > 0 {
		o.mol.Notes |= NoteMobile
	}
}

// place adds the protons that the whole has more than its formula to nitrogen, or takes
// those that it has less from oxygen, and gives the charges that are left of components
// to their first atoms that have none: metals and halides.
func (r *inchiReader) place() {
	for i := range r.pieces {
		p := &r.pieces[i]
		if p.charge != 0 {
			r.mol.Atoms[p.first].Charge += int8(min(max(p.charge, -100), 100))
		}
	}
	atoms := r.mol.Atoms
	find := func(fits func(*Atom) bool, order ...Element) *Atom {
		for _, e := range order {
			for v := range atoms {
				if atoms[v].Element == e && fits(&atoms[v]) {
					return &atoms[v]
				}
			}
		}
		return nil
	}
	if r.protons != 0 {
		r.mol.Notes |= NoteMobile
	}
	for ; r.protons > 0; r.protons-- {
		if a := find(func(a *Atom) bool { return a.Charge == 0 }, nitrogen, phosphorus, sulfur, oxygen, carbon); a != nil {
			a.hydrogens, a.Charge = a.hydrogens+1, 1
		}
	}
	for ; r.protons < 0; r.protons++ {
		if a := find(func(a *Atom) bool { return a.Charge == 0 && a.hydrogens > 0 }, oxygen, sulfur, fluorine, chlorine, bromine, iodine, nitrogen, carbon); a != nil {
			a.hydrogens, a.Charge = a.hydrogens-1, -1
		}
	}
}
