package chem

// perceiveAromaticity marks the aromatic rings of the molecule: it sets the order of their
// bonds to Aromatic and that of all others to w.order.
//
// A ring is aromatic if all its atoms can be and their electrons can add up to 4n+2; so are
// the outer bonds of two to six fused rings that together satisfy this (RDKit's default
// model).
func (w *workspace) perceiveAromaticity() {
	for i := range w.m.Bonds {
		w.m.Bonds[i].Order = w.order[i]
	}
	if w.rings.count() == 0 {
		return
	}
	w.donors = resize(w.donors, len(w.m.Atoms))
	clear(w.donors)
	w.fused.budget = maxSubsets
	for i := range w.rings.count() {
		w.perceiveBlock(w.rings.block(i))
	}
}

// perceiveBlock processes one block of ring bonds. No aromatic system spans several.
func (w *workspace) perceiveBlock(block []int32) {
	atoms := 0
	w.seen = resize(w.seen, len(w.m.Atoms))
	clear(w.seen)
	usable := 0 // bonds between atoms that can be aromatic
	for _, b := range block {
		u, v := w.m.Bonds[b].From, w.m.Bonds[b].To
		for _, x := range [2]int32{u, v} {
			if w.seen[x] == 0 {
				w.seen[x] = 1
				atoms++
				if w.donors[x] == unknown {
					w.donors[x] = w.donorOf(x)
				}
			}
		}
		if w.donors[u] != excluded && w.donors[v] != excluded {
			usable++
		}
	}
	switch {
	case usable < 3:
	case len(block) == atoms:
		if usable == len(block) {
			w.perceiveRing(block)
		}
	default:
		w.perceiveFused(block, atoms)
	}
}

// perceiveRing processes a block that is a single ring.
func (w *workspace) perceiveRing(block []int32) {
	least, most := 0, 0
	wildcards, named := 0, 0
	for _, b := range block {
		// Every atom of the ring is on two of its bonds, so each counts half.
		for _, v := range [2]int32{w.m.Bonds[b].From, w.m.Bonds[b].To} {
			if len(block) >= macrocycle && w.bridges(v) {
				return
			}
			l, m := w.donors[v].electrons()
			least += l
			most += m
			if w.donors[v] == oneOrTwo {
				wildcards++
			}
			if w.m.Atoms[v].Element != Any {
				named++
			}
		}
	}
	if named > 0 && wildcards/2 <= 1 && huckel(least/2, most/2) {
		for _, b := range block {
			w.mark(b)
		}
	}
}

// huckel reports whether a number of electrons in the range is 4n+2. As in RDKit's model, a
// range that ends below 6 must end at 2.
func huckel(least, most int) bool {
	if most < 6 {
		return most == 2
	}
	for e := least; e <= most; e++ {
		if e%4 == 2 {
			return true
		}
	}
	return false
}

// mark makes a bond and its atoms aromatic. A triple bond keeps its order.
func (w *workspace) mark(bond int32) {
	b := &w.m.Bonds[bond]
	w.m.Atoms[b.From].Aromatic = true
	w.m.Atoms[b.To].Aromatic = true
	if b.Order == Single || b.Order == Double {
		b.Order = Aromatic
	}
}
