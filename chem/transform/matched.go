package transform

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/edit"
)

// Matcher finds matched molecular pairs: molecules that become each other if one fragment is exchanged, however large
// it is. As Hussain and Rea do (J. Chem. Inf. Model. 2010, 50, 339), it cuts every molecule by one to three of its
// single bonds outside rings, and looks up what stays. A fragment has at most so many atoms, and no more than what
// stays; it may be a hydrogen on one side. Stereochemistry is not compared.
type Matcher struct {
	most   int
	first  int // molecules of the first collection, -1 for one collection
	wholes []uint64
	ways   []way
	ends   []capping
}

// way is a way to cut a molecule.
type way struct {
	key  uint64 // of what stays
	mol  int32
	size int16 // atoms of the fragment
	cuts [3]cut
}

// capping is a way by one cut, with the molecule that has a hydrogen in place of the fragment.
type capping struct {
	whole uint64
	mol   int32
	size  int16
	cut   cut
}

// NewMatcher returns a matcher of fragments with at most so many atoms.
func NewMatcher(most int) *Matcher { return &Matcher{most: most, first: -1} }

// Others says that the molecules which follow are of another collection: pairs are of one molecule of each.
func (x *Matcher) Others() { x.first = len(x.wholes) }

// Add adds a molecule and reports whether it can be cut: those of more than 256 atoms are not.
func (x *Matcher) Add(mol *chem.Molecule) bool {
	number := int32(len(x.wholes))
	if len(mol.Atoms) > mostCut || len(mol.Atoms) == 0 {
		x.wholes = append(x.wholes, 0)
		return false
	}
	c := newCutter(mol)
	x.wholes = append(x.wholes, c.whole())
	c.cuts(x.most, func(key uint64, at [3]cut, size int, capped uint64) {
		x.ways = append(x.ways, way{key, number, int16(size), at})
		if capped != 0 {
			x.ends = append(x.ends, capping{capped, number, int16(size), at[0]})
		}
	})
	return true
}

// Match is a pair of molecules, by the order in which they were added, those of the second collection counted anew.
type Match struct {
	Query, Target int
	ways          [][2][3]cut // by which they match
	size          int         // atoms of both fragments
}

// mostAlike is how many ways to cut a pair are kept that are as good.
const mostAlike = 8

// Pairs returns all pairs in the order of their queries, then targets, each by the ways with the fewest atoms in both
// fragments and, of these, the fewest cuts. It stops and returns false if there are more than most (0: no limit), or if
// over says that time is over.
func (x *Matcher) Pairs(most int, over func() bool) (list []Match, all bool) {
	at := make(map[[2]int32]int)
	add := func(a, b int32, cuts [2][3]cut, size int) bool {
		if a > b {
			a, b, cuts[0], cuts[1] = b, a, cuts[1], cuts[0]
		}
		target := int(b)
		switch {
		case a == b:
			return true
		case x.first >= 0 && (int(a) >= x.first || int(b) < x.first):
			return true
		case x.first >= 0:
			target -= x.first
		}
		i, known := at[[2]int32{a, b}]
		if !known {
			if most > 0 && len(list) == most || len(list)%1024 == 0 && over() {
				return false
			}
			at[[2]int32{a, b}] = len(list)
			list = append(list, Match{int(a), target, [][2][3]cut{cuts}, size})
			return true
		}
		m := &list[i]
		switch order := cmp.Or(cmp.Compare(size, m.size), cmp.Compare(count(cuts), count(m.ways[0]))); {
		case order < 0:
			m.ways, m.size = [][2][3]cut{cuts}, size
		case order == 0 && len(m.ways) < mostAlike:
			m.ways = append(m.ways, cuts)
		}
		return true
	}
	none := [3]cut{noCut, noCut, noCut}
	wholes := make(map[uint64][]int32)
	for i, h := range x.wholes {
		if h == 0 {
			continue
		}
		for _, j := range wholes[h] {
			if !add(j, int32(i), [2][3]cut{none, none}, 0) {
				return list, false
			}
		}
		wholes[h] = append(wholes[h], int32(i))
	}
	for _, e := range x.ends {
		for _, j := range wholes[e.whole] {
			if !add(e.mol, j, [2][3]cut{{e.cut, noCut, noCut}, none}, int(e.size)) {
				return list, false
			}
		}
	}
	slices.SortFunc(x.ways, func(a, b way) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.mol, b.mol), slices.Compare(a.cuts[:], b.cuts[:]))
	})
	for i := 0; i < len(x.ways); {
		j := i + 1
		for j < len(x.ways) && x.ways[j].key == x.ways[i].key {
			j++
		}
		for k := i; k < j; k++ {
			for l := k + 1; l < j; l++ {
				a, b := &x.ways[k], &x.ways[l]
				if !add(a.mol, b.mol, [2][3]cut{a.cuts, b.cuts}, int(a.size)+int(b.size)) {
					return list, false
				}
			}
		}
		i = j
	}
	slices.SortFunc(list, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.Target, b.Target))
	})
	return list, true
}

func count(cuts [2][3]cut) (n int) {
	for _, c := range cuts[0] {
		if c != noCut {
			n++
		}
	}
	return n
}

// Map returns the node map by which two molecules match: it keeps what stays, atom by atom, and exchanges the fragment.
// Of several, it is the one whose fragments come first as text. It returns nil if what stays only seemed to be the
// same.
func (x *Match) Map(q, t *Molecule) edit.NodeMap {
	var maps []edit.NodeMap
	var w chem.SMILESWriter
	for _, way := range x.ways {
		maps = append(maps, lay(&w, q, t, way)...)
	}
	if len(maps) == 0 {
		return nil
	}
	best := maps[0]
	var least []string
	for i, m := range maps {
		if len(maps) == 1 {
			break
		}
		list, err := Between(q, t, m)
		if err != nil {
			continue
		}
		var texts []string
		for _, t := range list {
			texts = append(texts, inOrder(t.From, t.To)...)
		}
		if i == 0 || slices.Compare(texts, least) < 0 {
			best, least = m, texts
		}
	}
	return best
}

// part is atoms of a molecule in the order of their canonical SMILES.
type part struct {
	text  string
	atoms []int
}

// written returns a part of a molecule; at is the first atom if it was cut.
func (m *Molecule) written(w *chem.SMILESWriter, atoms []int, cut, capped bool) (part, bool) {
	at, kind := -1, byte('p')
	if cut {
		at = 0
	}
	if capped {
		kind = 'c'
	}
	p, err := m.once(kind, atoms, []int{at}, func() (string, []int32, error) {
		return w.Canonical(m.mol.Part(atoms, at, capped))
	})
	return p, err == nil
}

// start returns the atom at which what a cut leaves begins.
func (m *Molecule) start(c cut) int {
	if b := m.mol.Bonds[c/2]; c%2 == 0 {
		return int(b.From)
	} else {
		return int(b.To)
	}
}

// parts returns what stays of a molecule: what each cut leaves, and what is not connected with it.
func (m *Molecule) parts(w *chem.SMILESWriter, cuts [3]cut) (cutOff []part, rest part, ok bool) {
	for _, c := range cuts {
		if c == noCut {
			continue
		}
		p, ok := m.written(w, m.reach(m.start(c), int(c/2)), true, false)
		if !ok {
			return nil, rest, false
		}
		cutOff = append(cutOff, p)
	}
	others := m.unconnected(cuts[0])
	if rest, ok = m.written(w, others, false, false); !ok && len(others) > 0 {
		return nil, rest, false
	}
	return cutOff, rest, true
}

// unconnected returns the atoms that are not connected with a cut: all if there is none.
func (m *Molecule) unconnected(c cut) (atoms []int) {
	connected := make([]bool, len(m.near))
	if c != noCut {
		for _, v := range m.reach(m.start(c), -1) {
			connected[v] = true
		}
	}
	for v, is := range connected {
		if !is {
			atoms = append(atoms, v)
		}
	}
	return atoms
}

// lay returns the node maps that lay what stays of q on what stays of t.
func lay(w *chem.SMILESWriter, q, t *Molecule, way [2][3]cut) (maps []edit.NodeMap) {
	if (way[0][0] == noCut) != (way[1][0] == noCut) { // the whole of one molecule is what stays of the other
		mine, ok := q.whole(w, way[0][0])
		others, also := t.whole(w, way[1][0])
		if !ok || !also || mine.text != others.text {
			return nil
		}
		return []edit.NodeMap{q.laid([]part{mine}, []part{others})}
	}
	mine, rest, ok := q.parts(w, way[0])
	others, left, also := t.parts(w, way[1])
	if !ok || !also || rest.text != left.text || len(mine) != len(others) {
		return nil
	}
	order := make([]int, len(others))
	for i := range order {
		order[i] = i
	}
	for more := true; more; more = permute(order) {
		turned := []part{left}
		same := true
		for i, k := range order {
			same = same && mine[i].text == others[k].text
			turned = append(turned, others[k])
		}
		if same {
			maps = append(maps, q.laid(append([]part{rest}, mine...), turned))
		}
	}
	return maps
}

// whole returns a molecule with a hydrogen in place of what a cut takes off, if there is one.
func (m *Molecule) whole(w *chem.SMILESWriter, c cut) (part, bool) {
	if c == noCut {
		return m.written(w, m.unconnected(noCut), false, false)
	}
	return m.written(w, slices.Concat(m.reach(m.start(c), int(c/2)), m.unconnected(c)), true, true)
}

func (m *Molecule) laid(mine, others []part) edit.NodeMap {
	out := make(edit.NodeMap, len(m.near))
	for v := range out {
		out[v] = edit.Deleted
	}
	for i := range mine {
		for k, v := range mine[i].atoms {
			out[v] = others[i].atoms[k]
		}
	}
	return out
}
