package chem

import "slices"

// Occurrence is where a pattern, or nearly the pattern, is in a molecule.
type Occurrence struct {
	// Atoms are those of the molecule, for each of the pattern, -1 where there is none.
	Atoms []int
	// Cost counts the atoms and bonds of the pattern that are missing there, or are others: its subgraph edit distance
	// with unit costs by these atoms. Those of each piece of the pattern that are there are connected by its bonds.
	Cost int
}

// mostOccurrences limits how many occurrences of a pattern are looked at in a molecule.
const mostOccurrences = 1 << 16

// Classes returns the class of each atom of the pattern, 0 for none: 2 of [*:2].
func (s *SMARTS) Classes() []int {
	classes := make([]int, len(s.atoms))
	for i := range s.atoms {
		classes[i] = s.atoms[i].class
	}
	return classes
}

// Bonds returns the pairs of atoms of the pattern that are bonded, the earlier one first.
func (s *SMARTS) Bonds() [][2]int {
	list := make([][2]int, len(s.bonds))
	for i, b := range s.bonds {
		list[i] = [2]int{b.from, b.to}
	}
	return list
}

// Without returns the pattern without atoms of at most one bond each, whose bonds go with them.
func (s *SMARTS) Without(gone []bool) *SMARTS {
	out := &SMARTS{text: s.text, recursive: s.recursive}
	number := make([]int, len(s.atoms))
	for i := range s.atoms {
		if number[i] = len(out.atoms); !gone[i] {
			a := s.atoms[i]
			a.back = nil
			out.atoms = append(out.atoms, a)
		}
	}
	for _, b := range s.bonds {
		if gone[b.from] || gone[b.to] {
			continue
		}
		b.from, b.to = number[b.from], number[b.to]
		out.atoms[b.to].back = append(out.atoms[b.to].back, len(out.bonds))
		out.bonds = append(out.bonds, b)
	}
	return out
}

// Occurrences calls yield with the occurrences of the pattern in a molecule that cost least, if they cost at most
// radius, until it returns false. What is yielded is overwritten by the next. The error wraps [ErrSMARTSLimit] if
// there are too many to look at, or ways to them.
func (x *SMARTSMatcher) Occurrences(m *Molecule, radius int, yield func(*Occurrence) bool) error {
	if err := x.of.perceive(m); err != nil {
		return err
	}
	x.steps, x.err = 0, nil
	for i := range x.known {
		x.known[i] = resize(x.known[i], len(m.Atoms))
		clear(x.known[i])
	}
	later := make([]bool, len(x.s.atoms))
	for _, b := range x.s.bonds {
		later[b.from] = true
	}
	for cost := 0; cost <= radius; cost++ {
		o := &occurrences{x: x, most: cost, later: later, yield: yield, used: make([]bool, len(m.Atoms)),
			out: Occurrence{make([]int, len(x.s.atoms)), cost}}
		o.next(0, 0)
		if x.err != nil || o.found > 0 {
			return x.err
		}
	}
	return nil
}

// occurrences enumerates the occurrences of one cost.
type occurrences struct {
	x     *SMARTSMatcher
	most  int
	later []bool // [atoms of the pattern] has a bond to a later one
	used  []bool // [atoms of the molecule]
	out   Occurrence
	found int
	done  bool
	yield func(*Occurrence) bool
}

// next places atom i of the pattern and those that follow, of which so much is spent.
func (o *occurrences) next(i, spent int) {
	x := o.x
	if i == len(x.s.atoms) {
		if spent < o.most || spent > 0 && !o.connected() { // the first was looked for before, and is not there
			return
		}
		if o.found++; o.found > mostOccurrences {
			x.err = ErrSMARTSLimit
			return
		}
		o.done = !o.yield(&o.out)
		return
	}
	a := &x.s.atoms[i]
	place := func(v int) {
		if x.steps++; x.steps > mostSteps {
			x.err = ErrSMARTSLimit
			return
		}
		if o.used[v] {
			return
		}
		cost := spent
		for _, b := range a.back {
			if !o.bonded(b, v) {
				cost++
			}
		}
		if cost > o.most {
			return
		}
		if !x.atom(&a.test, v) {
			if cost++; cost > o.most {
				return
			}
		}
		o.used[v], o.out.Atoms[i] = true, v
		o.next(i+1, cost)
		o.used[v] = false
	}
	if left := o.most - spent; left < len(a.back) || len(a.back) > 0 && !o.later[i] {
		// At least one bond is there, of the first so many; and of all, if no later one connects the atom.
		var near []int
		for _, b := range a.back[:min(left+1, len(a.back))] {
			if from := o.out.Atoms[x.s.bonds[b].from]; from >= 0 {
				for _, arc := range x.of.work.at(int32(from)) {
					if !slices.Contains(near, int(arc.to)) {
						near = append(near, int(arc.to))
					}
				}
			}
		}
		for _, v := range near {
			if place(v); o.done || x.err != nil {
				return
			}
		}
	} else {
		for v := range x.of.atoms {
			if place(v); o.done || x.err != nil {
				return
			}
		}
	}
	if cost := spent + 1 + len(a.back); cost <= o.most {
		o.out.Atoms[i] = -1
		o.next(i+1, cost)
	}
}

// connected reports whether the atoms that are there are connected wherever the pattern is.
func (o *occurrences) connected() bool {
	s := o.x.s
	whole, there := make([]int, len(s.atoms)), make([]int, len(s.atoms)) // the least atom that one is connected to
	for i := range whole {
		whole[i], there[i] = i, i
	}
	find := func(of []int, i int) int {
		for of[i] != i {
			i = of[i]
		}
		return i
	}
	join := func(of []int, i, j int) {
		i, j = find(of, i), find(of, j)
		of[max(i, j)] = min(i, j)
	}
	for _, b := range s.bonds {
		join(whole, b.from, b.to)
		u, v := o.out.Atoms[b.from], o.out.Atoms[b.to]
		if u >= 0 && v >= 0 && slices.ContainsFunc(o.x.of.work.at(int32(u)),
			func(a arc) bool { return int(a.to) == v }) {
			join(there, b.from, b.to)
		}
	}
	root := make(map[int]int) // of what is there, by the piece of the pattern
	for i, v := range o.out.Atoms {
		if v < 0 {
			continue
		}
		piece := find(whole, i)
		if known, ok := root[piece]; ok && known != find(there, i) {
			return false
		}
		root[piece] = find(there, i)
	}
	return true
}

// bonded reports whether atom v has the bond b of the pattern to an earlier atom.
func (o *occurrences) bonded(b, v int) bool {
	from := o.out.Atoms[o.x.s.bonds[b].from]
	if from < 0 {
		return false
	}
	for _, arc := range o.x.of.work.at(int32(v)) {
		if int(arc.to) == from {
			return o.x.bond(&o.x.s.bonds[b].test, arc.bond, from)
		}
	}
	return false
}

// Difference is an atom or a bond of a pattern that an occurrence does not have as such.
type Difference struct {
	Atom int    // of the pattern, -1 if it is a bond
	Bond [2]int // atoms of the pattern
	// Missing says that it is not there at all.
	Missing bool
}

// Differences returns what an occurrence, the last one that was yielded, differs by from the pattern.
func (x *SMARTSMatcher) Differences(o *Occurrence) []Difference {
	look := &occurrences{x: x, out: *o}
	var list []Difference
	for i, v := range o.Atoms {
		switch {
		case v < 0:
			list = append(list, Difference{Atom: i, Missing: true})
		case !x.atom(&x.s.atoms[i].test, v):
			list = append(list, Difference{Atom: i})
		}
	}
	for b, bond := range x.s.bonds {
		to := o.Atoms[bond.to]
		if to >= 0 && look.bonded(b, to) {
			continue
		}
		from := o.Atoms[bond.from]
		there := to >= 0 && from >= 0 && slices.ContainsFunc(x.of.work.at(int32(to)),
			func(a arc) bool { return int(a.to) == from })
		list = append(list, Difference{Atom: -1, Bond: [2]int{bond.from, bond.to}, Missing: !there})
	}
	return list
}

// Multiple reports whether a bond of the pattern, by its number in [SMARTS.Bonds], must be double, triple or quadruple.
func (s *SMARTS) Multiple(bond int) bool {
	return demanded(&s.bonds[bond].test, testOrder) > int(Single) &&
		demanded(&s.bonds[bond].test, testOrder) != int(Aromatic)
}
