package chem

// ringFinder splits the bonds of a molecule into blocks: two bonds are in one
// block if some ring contains both (the biconnected components; Tarjan, SIAM J.
// Comput. 1, 1972). A bond that is in no ring is in no block.
type ringFinder struct {
	of     []int32 // [bonds] block of a bond, -1 for none
	bonds  []int32 // bonds by block
	blocks []int32 // [blocks+1] offsets into bonds

	order []int32 // [atoms] 1 + time of the first visit, 0 before
	low   []int32 // [atoms] earliest atom reached from below
	path  []frame
	stack []int32 // bonds that wait for their block
}

// frame is an atom on the path of the search: where it was reached from, and the next of its
// arcs to follow.
type frame struct {
	atom, bond, next int32
}

// find computes the blocks.
func (f *ringFinder) find(start []int32, arcs []arc, bonds int) {
	n := len(start) - 1
	f.of = resize(f.of, bonds)
	for i := range f.of {
		f.of[i] = -1
	}
	f.order = resize(f.order, n)
	clear(f.order)
	f.low = resize(f.low, n)
	f.bonds = f.bonds[:0]
	f.blocks = append(f.blocks[:0], 0)
	f.stack = f.stack[:0]
	time := int32(0)
	for root := range int32(n) {
		if f.order[root] != 0 {
			continue
		}
		time++
		f.order[root], f.low[root] = time, time
		f.path = append(f.path[:0], frame{root, -1, start[root]})
		for len(f.path) > 0 {
			top := &f.path[len(f.path)-1]
			v := top.atom
			if top.next == start[v+1] {
				f.retreat()
				continue
			}
			a := arcs[top.next]
			top.next++
			switch {
			case a.bond == top.bond:
			case f.order[a.to] == 0:
				time++
				f.order[a.to], f.low[a.to] = time, time
				f.stack = append(f.stack, a.bond)
				f.path = append(f.path, frame{a.to, a.bond, start[a.to]})
			case f.order[a.to] < f.order[v]:
				f.stack = append(f.stack, a.bond)
				f.low[v] = min(f.low[v], f.order[a.to])
			}
		}
	}
}

// retreat leaves the last atom of the path and completes a block if one ends there.
func (f *ringFinder) retreat() {
	top := f.path[len(f.path)-1]
	f.path = f.path[:len(f.path)-1]
	if len(f.path) == 0 {
		return
	}
	parent := f.path[len(f.path)-1].atom
	f.low[parent] = min(f.low[parent], f.low[top.atom])
	if f.low[top.atom] < f.order[parent] {
		return
	}
	end := len(f.stack) - 1
	if f.stack[end] == top.bond { // a bridge
		f.stack = f.stack[:end]
		return
	}
	block := int32(len(f.blocks) - 1)
	for f.stack[end] != top.bond {
		end--
	}
	for _, b := range f.stack[end:] {
		f.of[b] = block
	}
	f.bonds = append(f.bonds, f.stack[end:]...)
	f.blocks = append(f.blocks, int32(len(f.bonds)))
	f.stack = f.stack[:end]
}

func (f *ringFinder) count() int { return len(f.blocks) - 1 }

// block returns the bonds of block i.
func (f *ringFinder) block(i int) []int32 { return f.bonds[f.blocks[i]:f.blocks[i+1]] }

// inRing reports whether a bond is part of a ring.
func (f *ringFinder) inRing(bond int32) bool { return f.of[bond] >= 0 }

// RingBonds reports for every bond whether it is part of a ring.
func (m *Molecule) RingBonds() []bool {
	w := workspace{m: m}
	w.link()
	w.rings.find(w.start, w.arcs, len(m.Bonds))
	in := make([]bool, len(m.Bonds))
	for i := range in {
		in[i] = w.rings.inRing(int32(i))
	}
	return in
}
