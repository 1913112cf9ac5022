package mces

import (
	"slices"

	"github.com/greedgraph/greed/edit"
)

// local finds the connected map with most edges among those that need be one to one only within each block of a and,
// at each node of a, on its neighbours. Every common subgraph is such a map, so its size bounds theirs; and as two
// blocks are far from each other in a only if they are so in b, unless a ring of b leads back, it mostly is one.
//
// What is left of a behind a block has nothing to do with what is before it. So dynamic programming finds the largest:
// for each block, node of it and image of that node, and for each set of neighbours of the image that the block
// takes, the most edges of the block and of all behind it.
type local struct {
	s          *growth
	a, b       *web
	blocks     []block
	at         [][]int32 // [nodes of a] their blocks
	row        []int32   // [nodes of a] the first row of the tables; one more for each block of the node, and one
	neighbours [][]int32 // [nodes of b]
	place      []int32   // [nodes of b + 1] the first column of rest: one for each set of neighbours
	ruledOut   []int32   // [nodes of a][nodes of b] how often; the labels differ: once
	taken      [][]taking
	best       []int32 // see rest; −1: not known
	work       int     // steps left
}

// taking is a way to map a block and what is behind it: the set of neighbours that it takes of the image of the node
// before it, and how many edges are kept.
type taking struct{ set, size int32 }

// The most neighbours of a node, independent rings of a block, numbers in a table and nodes that local works with.
const (
	localNeighbours = 8
	localRings      = 3
	localTable      = 1 << 21
	localNodes      = 1 << 12
)

// localWork limits the steps, of some 100 ns: blocks of many rings that look alike have too many maps.
const localWork = 1 << 20

// newLocal returns nil if the graphs are none for local.
func newLocal(s *growth, a, b *web) *local {
	l := &local{s: s, a: a, b: b, work: localWork}
	if max(len(a.arcs), len(b.arcs)) > localNodes || len(a.arcs)*len(b.arcs) > localTable {
		return nil
	}
	l.blocks, l.at = a.blocks()
	for i := range l.blocks {
		if l.blocks[i].rank() > localRings {
			return nil
		}
	}
	l.place = make([]int32, 1, len(b.arcs)+1)
	for _, arcs := range b.arcs {
		var list []int32
		for _, x := range arcs {
			if len(list) == 0 || list[len(list)-1] != x.to {
				list = append(list, x.to)
			}
		}
		if len(list) > localNeighbours {
			return nil
		}
		l.neighbours = append(l.neighbours, list)
		l.place = append(l.place, l.place[len(l.place)-1]+1<<len(list))
	}
	l.row = make([]int32, 1, len(a.arcs)+1)
	for v := range a.arcs {
		l.row = append(l.row, l.row[v]+int32(len(l.at[v]))+1)
	}
	rows := int(l.row[len(a.arcs)])
	if rows*int(l.place[len(b.arcs)]) > localTable {
		return nil
	}
	l.ruledOut = make([]int32, len(a.arcs)*len(b.arcs))
	for v, p := range a.label {
		for x, q := range b.label {
			if p != q {
				l.ruledOut[v*len(b.label)+x] = 1
			}
		}
	}
	l.taken = make([][]taking, rows*len(b.arcs))
	l.best = make([]int32, rows*int(l.place[len(b.arcs)]))
	return l
}

// clear forgets the tables, as other images are ruled out.
func (l *local) clear() {
	clear(l.taken)
	for i := range l.best {
		l.best[i] = -1
	}
	l.work -= len(l.best) / 64
}

func (l *local) may(v, x int32) bool { return l.ruledOut[int(v)*len(l.b.arcs)+int(x)] == 0 }

// ended reports whether the time or the work is at its end; then what the tables say is nothing.
func (l *local) ended() bool { return l.work < 0 || l.s.clock.Ended() }

// rest returns the most edges of the blocks of v but the one with number k among them, and of all behind these, if v
// is mapped to x, some of whose neighbours are taken.
func (l *local) rest(v, k, x, set int32) int32 {
	at := int(l.row[v]+k)*int(l.place[len(l.b.arcs)]) + int(l.place[x]+set)
	if l.best[at] < 0 {
		l.best[at], _ = l.share(v, k, x, set, 0, nil)
	}
	return l.best[at]
}

// share returns the most edges of the blocks of v from number i on, and appends to dst, unless nil, what each takes.
func (l *local) share(v, k, x, set, i int32, dst []taking) (int32, []taking) {
	if i == int32(len(l.at[v])) {
		return 0, dst
	}
	best, takes := l.share(v, k, x, set, i+1, appended(dst, taking{}))
	if i == k {
		return best, takes
	}
	for _, t := range l.takings(v, i, x) {
		if t.set&set != 0 {
			continue
		}
		if size, list := l.share(v, k, x, set|t.set, i+1, appended(dst, t)); size+t.size > best {
			best, takes = size+t.size, list
		}
	}
	return best, takes
}

// appended returns a new list, or nil of nil.
func appended(dst []taking, t taking) []taking {
	if dst == nil {
		return nil
	}
	return append(slices.Clip(dst), t)
}

// takings returns the ways to map block number k of v, and what is behind it, if v is mapped to x.
func (l *local) takings(v, k, x int32) []taking {
	at := int(l.row[v]+k)*len(l.b.arcs) + int(x)
	if l.taken[at] == nil {
		list := []taking{}
		l.walk(v, k, x, func(w *walk) bool {
			if t := w.taking(l); t.set != 0 {
				list = gather(list, t)
			}
			return l.ended()
		})
		l.taken[at] = list
	}
	return l.taken[at]
}

// gather adds a taking unless another takes no more and keeps as much.
func gather(list []taking, t taking) []taking {
	for _, o := range list {
		if o.set&^t.set == 0 && o.size >= t.size {
			return list
		}
	}
	list = slices.DeleteFunc(list, func(o taking) bool { return t.set&^o.set == 0 && t.size >= o.size })
	return append(list, t)
}

// walk is a map of a part of a block.
type walk struct {
	*block
	number int32   // of the block
	image  []int32 // [nodes]
	placed []int32 // places of the mapped nodes, the one before the block first
	out    [][]bool
	size   int32
	done   func(*walk) bool
	over   bool
}

// walk calls done with every connected map of block number k of v, if v is mapped to x, until done reports true.
func (l *local) walk(v, k, x int32, done func(*walk) bool) {
	number := l.at[v][k]
	b := &l.blocks[number]
	w := &walk{block: b, number: number, out: make([][]bool, len(b.nodes)), done: done}
	w.image = slices.Repeat([]int32{edit.Deleted}, len(b.nodes))
	for i := range w.out {
		w.out[i] = make([]bool, len(b.nodes))
	}
	root := int32(slices.Index(b.nodes, v))
	w.image[root], w.placed = x, append(w.placed, root)
	w.extend(l)
}

// extend maps the other ends of edges at mapped nodes in all ways; edges that were tried are out.
func (w *walk) extend(l *local) {
	if w.over = w.over || w.done(w); w.over {
		return
	}
	var tried [][2]int32
	for _, i := range w.placed {
		for _, e := range w.bonds[i] {
			if w.image[e.to] >= 0 || w.out[i][e.to] {
				continue
			}
			for _, y := range l.neighbours[w.image[i]] {
				l.work--
				if l.s.clock.Spend(50); w.over {
					return
				}
				if !l.may(w.nodes[e.to], y) || slices.Contains(w.image, y) {
					continue
				}
				if gain, ok := w.gain(l, i, e.to, y); ok {
					w.put(e.to, y, gain)
					w.extend(l)
					w.remove(e.to, gain)
				}
			}
			w.out[i][e.to], w.out[e.to][i] = true, true
			tried = append(tried, [2]int32{i, e.to})
		}
	}
	for _, e := range tried {
		w.out[e[0]][e[1]], w.out[e[1]][e[0]] = false, false
	}
}

func (w *walk) put(j, y, gain int32) {
	w.image[j], w.placed, w.size = y, append(w.placed, j), w.size+gain
}

func (w *walk) remove(j, gain int32) {
	w.image[j], w.placed, w.size = edit.Deleted, w.placed[:len(w.placed)-1], w.size-gain
}

// gain returns how many edges are kept if node j is mapped to y, and whether the map is in this branch: one between i
// and j is kept, and none that is out.
func (w *walk) gain(l *local, i, j, y int32) (gain int32, ok bool) {
	for _, e := range w.bonds[j] {
		x := w.image[e.to]
		if x < 0 {
			continue
		}
		n := int32(0)
		for _, b := range l.b.to(y, x) {
			if b.to != x {
				break
			}
			if slices.Contains(e.halves, b.half) {
				n++
			}
		}
		if n > 0 && w.out[j][e.to] {
			return 0, false
		}
		ok = ok || n > 0 && e.to == i
		gain += n
	}
	return gain, ok
}

// taking returns what the map takes of the image of the first node, and the most edges that it and all behind it keep.
func (w *walk) taking(l *local) taking {
	t := taking{w.set(l, w.placed[0]), w.size}
	for _, i := range w.placed[1:] {
		t.size += l.rest(w.nodes[i], l.number(w.nodes[i], w.number), w.image[i], w.set(l, i))
	}
	return t
}

// number returns the number of a block among those of v.
func (l *local) number(v, block int32) int32 { return int32(slices.Index(l.at[v], block)) }

// set returns which neighbours of its image the map takes at node i.
func (w *walk) set(l *local, i int32) (set int32) {
	for k, y := range l.neighbours[w.image[i]] {
		if slices.Contains(w.image, y) {
			set |= 1 << k
		}
	}
	return set
}

// trace puts into image a map that attains rest.
func (l *local) trace(v, k, x, set int32, image []int32) {
	image[v] = x
	_, takes := l.share(v, k, x, set, 0, make([]taking, 0, len(l.at[v])))
	for i, t := range takes {
		if t.set == 0 {
			continue
		}
		l.walk(v, int32(i), x, func(w *walk) bool {
			if w.taking(l) != t {
				return l.ended()
			}
			for _, i := range w.placed[1:] {
				v := w.nodes[i]
				l.trace(v, l.number(v, w.number), w.image[i], w.set(l, i), image)
			}
			return true
		})
	}
}
