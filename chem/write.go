package chem

import (
	"cmp"
	"container/heap"
	"slices"
	"strconv"
)

// smilesWriter writes a graph as SMILES, its atoms in depth-first order from the
// first of each piece.
type smilesWriter struct {
	d     *drawn
	forms []form
	text  []byte
	order []int32 // atoms as written
	done  []bool  // [atoms] is written

	tree   []int32   // [atoms] bond that leads to an atom, -1 for none
	closes [][]int32 // [atoms] ring bonds, at both their atoms
	ring   []bool    // [bonds] is a ring bond
	digits []int32   // [bonds] number of an open ring bond, 0 for none
	slopes map[[2]int32]byte
	freed  ringNumbers // ring numbers that were closed
	used   int32       // the greatest ring number so far
}

// write returns the text and the order of the atoms in it.
func (d *drawn) write(forms []form) (text []byte, order []int32) {
	w := &smilesWriter{d: d, forms: forms, ring: make([]bool, len(d.bonds)), digits: make([]int32, len(d.bonds))}
	n := int32(len(d.atoms))
	w.tree = make([]int32, n)
	w.closes = make([][]int32, n)
	w.done = make([]bool, n)
	if len(d.slopes) > 0 {
		w.slopes = make(map[[2]int32]byte, len(d.slopes))
	}
	for _, s := range d.slopes {
		w.slopes[[2]int32{s.at, s.other}] = '\\'
		if s.above {
			w.slopes[[2]int32{s.at, s.other}] = '/'
		}
	}
	roots := w.span()
	for i, v := range roots {
		if i > 0 {
			w.text = append(w.text, '.')
		}
		w.piece(v)
	}
	return w.text, w.order
}

// span chooses the tree of bonds that are written without ring numbers, and
// returns its roots.
func (w *smilesWriter) span() (roots []int32) {
	const unseen = -2
	for v := range w.tree {
		w.tree[v] = unseen
	}
	next := slices.Clone(w.d.start)
	var path []int32
	for root := range int32(len(w.tree)) {
		if w.tree[root] != unseen {
			continue
		}
		roots = append(roots, root)
		w.tree[root] = -1
		path = append(path[:0], root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if next[v] == w.d.start[v+1] {
				path = path[:len(path)-1]
				continue
			}
			a := w.d.arcs[next[v]]
			next[v]++
			switch {
			case w.tree[a.to] == unseen:
				w.tree[a.to] = a.bond
				path = append(path, a.to)
			case w.tree[v] != a.bond && w.tree[a.to] != a.bond && !w.ring[a.bond]:
				w.ring[a.bond] = true
				w.closes[v] = append(w.closes[v], a.bond)
				w.closes[a.to] = append(w.closes[a.to], a.bond)
			}
		}
	}
	return roots
}

// chirality returns the mark of an atom, given the order of its neighbours in the text.
func (w *smilesWriter) chirality(v, parent int32) string {
	i, ok := slices.BinarySearchFunc(w.d.centres, v, func(c centre, v int32) int { return cmp.Compare(c.atom, v) })
	if !ok {
		return ""
	}
	written := centre{atom: v}
	if parent >= 0 {
		written.around = append(written.around, parent)
	}
	if w.d.hydrogens(v, w.forms[v]) == 1 {
		written.around = append(written.around, noAtom)
	}
	for _, b := range w.closes[v] {
		written.around = append(written.around, w.d.bonds[b].From+w.d.bonds[b].To-v)
	}
	for _, a := range w.d.at(v) {
		if a.to != parent && w.tree[a.to] == a.bond {
			written.around = append(written.around, a.to)
		}
	}
	switch same, ok := w.d.centres[i].sameTurn(&written); {
	case !ok:
		return ""
	case same:
		return "@"
	}
	return "@@"
}

// slope returns the mark of a bond on the way from an atom to a neighbour or, with [noAtom], to a hydrogen; 0 for none.
func (w *smilesWriter) slope(from, to int32) byte {
	if mark, ok := w.slopes[[2]int32{from, to}]; ok {
		return mark
	}
	switch w.slopes[[2]int32{to, from}] {
	case '/':
		return '\\'
	case '\\':
		return '/'
	}
	return 0
}

// piece writes the tree below a root. The stack holds what is still to be
// written, last first.
func (w *smilesWriter) piece(root int32) {
	type step struct {
		atom, bond int32
		text       byte // instead of an atom, if not 0
	}
	stack := []step{{root, -1, 0}}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.text != 0 {
			w.text = append(w.text, s.text)
			continue
		}
		if s.bond >= 0 {
			w.bond(s.bond, s.atom)
		}
		parent := int32(-1)
		if s.bond >= 0 {
			parent = w.d.bonds[s.bond].From + w.d.bonds[s.bond].To - s.atom
		}
		w.atom(s.atom, parent)
		last := true // the last branch goes without parentheses
		for _, a := range slices.Backward(w.d.at(s.atom)) {
			if a.bond == s.bond || w.tree[a.to] != a.bond {
				continue
			}
			if last {
				stack = append(stack, step{a.to, a.bond, 0})
				last = false
				continue
			}
			stack = append(stack, step{text: ')'}, step{a.to, a.bond, 0}, step{text: '('})
		}
	}
}

// bond writes the symbol of a bond on the way to an atom, if it needs one.
func (w *smilesWriter) bond(bond, to int32) {
	b := w.d.bonds[bond]
	switch b.Order {
	case AnyOrder:
		w.text = append(w.text, '~')
	case dative:
		if b.To == to {
			w.text = append(w.text, "->"...)
		} else {
			w.text = append(w.text, "<-"...)
		}
	case Single:
		if mark := w.slope(b.From+b.To-to, to); mark != 0 && !(w.forms[b.From].lower && w.forms[b.To].lower) {
			w.text = append(w.text, mark)
		} else if w.forms[b.From].lower && w.forms[b.To].lower {
			w.text = append(w.text, '-')
		}
	case Double:
		w.text = append(w.text, '=')
	case Triple:
		w.text = append(w.text, '#')
	case Quadruple:
		w.text = append(w.text, '$')
	case Aromatic:
		// Lower case at one end says enough if the other is a wildcard.
		mark := w.slope(b.From+b.To-to, to)
		from, to := w.forms[b.From].lower, w.forms[b.To].lower
		fromAny, toAny := w.d.atoms[b.From].Element == Any, w.d.atoms[b.To].Element == Any
		switch {
		case !from && !fromAny || !to && !toAny || fromAny && toAny:
			w.text = append(w.text, ':')
		case mark != 0 && from && to:
			w.text = append(w.text, mark)
		}
	}
}

// atom writes an atom, its ring bonds and a hydrogen that has a mark.
func (w *smilesWriter) atom(v, parent int32) {
	w.order = append(w.order, v)
	w.done[v] = true
	f, e := w.forms[v], w.d.atoms[v].Element
	symbol := e.Symbol()
	sided := w.slope(v, noAtom)
	if h := w.d.hydrogens(v, f); sided == 0 || h == 0 {
		sided = 0
	} else if f.stated {
		w.forms[v].hydrogens--
		defer func() { w.forms[v].hydrogens++ }()
		f = w.forms[v]
	}
	if f.lower && e != Any {
		symbol = string(symbol[0]+'a'-'A') + symbol[1:]
	}
	if w.d.bare(v, f) {
		w.text = append(w.text, symbol...)
	} else {
		w.bracket(v, symbol, w.chirality(v, parent))
	}
	for _, b := range w.closes[v] {
		if number := w.digits[b]; number > 0 {
			w.ringNumber(int(number))
			continue
		}
		number := w.free()
		w.digits[b] = number
		w.bond(b, w.d.bonds[b].From+w.d.bonds[b].To-v)
		w.ringNumber(int(number))
	}
	for _, b := range w.closes[v] {
		if e := w.d.bonds[b]; w.done[e.From] && w.done[e.To] {
			heap.Push(&w.freed, w.digits[b])
		}
	}
	if sided != 0 {
		w.text = append(w.text, '(', sided, '[', 'H', ']', ')')
	}
}

func (w *smilesWriter) bracket(v int32, symbol, chirality string) {
	f := w.forms[v]
	w.text = append(w.text, '[')
	switch isotope := w.d.atoms[v].isotope; {
	case isotope != 0 && isotope != someIsotope:
		w.text = strconv.AppendUint(w.text, uint64(isotope), 10)
	case w.d.atoms[v].Element == hydrogen && w.folds(v):
		w.text = append(w.text, '1') // an isotope keeps the atom
	}
	w.text = append(append(w.text, symbol...), chirality...)
	if h := w.d.hydrogens(v, f); h > 0 {
		w.text = append(w.text, 'H')
		if h > 1 {
			w.text = strconv.AppendInt(w.text, int64(h), 10)
		}
	}
	if f.charge != 0 {
		sign, size := byte('+'), int64(f.charge)
		if size < 0 {
			sign, size = '-', -size
		}
		w.text = append(w.text, sign)
		if size > 1 {
			w.text = strconv.AppendInt(w.text, size, 10)
		}
	}
	if class := w.d.atoms[v].class; class > 0 {
		w.text = strconv.AppendInt(append(w.text, ':'), int64(class), 10)
	}
	w.text = append(w.text, ']')
}

// folds reports whether the hydrogen atom v would be folded into its neighbour.
func (w *smilesWriter) folds(v int32) bool {
	arcs := w.d.at(v)
	if len(arcs) != 1 {
		return false
	}
	e := w.d.atoms[arcs[0].to].Element
	return e != hydrogen && e != Any
}

// free takes the least ring number that is not in use.
func (w *smilesWriter) free() int32 {
	if len(w.freed) == 0 {
		w.used++
		return w.used
	}
	return heap.Pop(&w.freed).(int32)
}

// ringNumbers is a heap with the least first.
type ringNumbers []int32

func (r ringNumbers) Len() int           { return len(r) }
func (r ringNumbers) Less(i, j int) bool { return r[i] < r[j] }
func (r ringNumbers) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ringNumbers) Push(x any)        { *r = append(*r, x.(int32)) }
func (r *ringNumbers) Pop() any {
	last := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return last
}

func (w *smilesWriter) ringNumber(number int) {
	switch {
	case number > 99:
		w.text = append(w.text, "%("...)
		w.text = strconv.AppendInt(w.text, int64(number), 10)
		w.text = append(w.text, ')')
	case number > 9:
		w.text = append(w.text, '%')
		w.text = strconv.AppendInt(w.text, int64(number), 10)
	default:
		w.text = append(w.text, byte('0'+number))
	}
}
