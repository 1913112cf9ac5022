package chem

// trySets tries every connected set of the given number of rings, and reports whether all
// bonds of the rings are aromatic afterwards. It enumerates the sets without repetition, as
// Wernicke (IEEE/ACM Trans. Comput. Biol. Bioinform. 3, 2006): a set grows from its least
// ring, by rings that are fused with the last one and with none before.
func (w *workspace) trySets(size int) bool {
	f := &w.fused
	n := len(f.rings)
	f.near = resize(f.near, n)
	clear(f.near)
	f.chosen, f.open = f.chosen[:0], f.open[:0]
	for r := range int32(n) {
		w.take(r, size, 0, 0)
	}
	for _, b := range f.bonds {
		if w.m.Bonds[b].Order != Aromatic {
			return false
		}
	}
	return true
}

// take adds ring r to the set, tries every set of the given size that extends it by rings in
// f.open[from:to] and by rings newly adjacent to r, and removes r again.
func (w *workspace) take(r int32, size, from, to int) {
	f := &w.fused
	if f.budget <= 0 {
		return
	}
	f.chosen = append(f.chosen, r)
	if len(f.chosen) == size {
		f.budget--
		w.trySet()
	} else {
		w.grow(r, size, from, to)
	}
	f.chosen = f.chosen[:len(f.chosen)-1]
}

func (w *workspace) grow(r int32, size, from, to int) {
	f := &w.fused
	n, least := len(f.rings), f.chosen[0]
	row := f.touches[int(r)*n : int(r+1)*n]
	begin := len(f.open)
	f.open = append(f.open, f.open[from:to]...)
	for s := least + 1; s < int32(n); s++ {
		if row[s] && f.near[s] == 0 {
			f.open = append(f.open, s)
		}
	}
	f.near[r]++
	for s, touches := range row {
		if touches {
			f.near[s]++
		}
	}
	for end := len(f.open) - 1; end >= begin; end-- {
		w.take(f.open[end], size, begin, end)
	}
	f.open = f.open[:begin]
	f.near[r]--
	for s, touches := range row {
		if touches {
			f.near[s]--
		}
	}
}

// trySet makes the outer bonds of the chosen rings aromatic if their atoms have 4n+2
// electrons. Inner atoms, which three of the rings share, do not count.
func (w *workspace) trySet() {
	f := &w.fused
	for _, r := range f.chosen {
		for _, v := range f.atomsOf(r) {
			f.count[v]++
		}
		for _, b := range f.bondsOf(r) {
			f.uses[b]++
		}
	}
	least, most, wildcards := 0, 0, 0
	for _, r := range f.chosen {
		for _, v := range f.atomsOf(r) {
			if f.count[v] == 1 || f.count[v] == 2 {
				l, m := w.donors[v].electrons()
				least += l
				most += m
				if w.donors[v] == oneOrTwo {
					wildcards++
				}
			}
			f.count[v] = 0
		}
	}
	aromatic := wildcards <= 1 && huckel(least, most)
	for _, r := range f.chosen {
		for _, b := range f.bondsOf(r) {
			if aromatic && f.uses[b] == 1 {
				w.mark(b)
			}
		}
	}
	for _, r := range f.chosen {
		for _, b := range f.bondsOf(r) {
			f.uses[b] = 0
		}
	}
}
