package chem

// matcher finds a matching that covers given atoms, by augmenting paths through blossoms
// (Edmonds, Canad. J. Math. 17, 1965). Each atom is required or optional; an optional one may
// remain unmatched.
type matcher struct {
	mate     []int32 // [atoms] -1 for none
	in       []bool  // [atoms] takes part
	optional []bool  // [atoms]

	parent  []int32 // [atoms] atom before an odd one in the search, -1 for none
	base    []int32 // [atoms] base of the blossom that holds an atom
	even    []bool  // [atoms]
	blossom []bool  // [atoms] by base
	onPath  []bool  // [atoms] by base
	queue   []int32

	start   []int32
	arcs    []arc
	allowed func(bond int32) bool
}

// begin resets the matcher for n atoms.
func (k *matcher) begin(n int) {
	k.mate = resize(k.mate, n)
	for v := range k.mate {
		k.mate[v] = -1
	}
	k.in = resize(k.in, n)
	clear(k.in)
	k.optional = resize(k.optional, n)
	clear(k.optional)
	k.parent = resize(k.parent, n)
	k.base = resize(k.base, n)
	k.even = resize(k.even, n)
	k.blossom = resize(k.blossom, n)
	k.onPath = resize(k.onPath, n)
}

// add lets atom v take part.
func (k *matcher) add(v int32, optional bool) {
	k.in[v], k.optional[v] = true, optional
}

// match sets mate along allowed bonds and returns -1, or the first required atom that cannot
// be matched. It leaves as few optional atoms as possible unmatched.
func (k *matcher) match(start []int32, arcs []arc, allowed func(int32) bool) int32 {
	k.start, k.arcs, k.allowed = start, arcs, allowed
	for v := range int32(len(k.mate)) {
		if k.alone(v, false) {
			k.matchGreedily(v)
		}
	}
	for v := range int32(len(k.mate)) {
		if k.alone(v, false) && !k.augment(v, true) {
			return v
		}
	}
	for v := range int32(len(k.mate)) {
		if k.alone(v, true) {
			k.augment(v, false)
		}
	}
	return -1
}

// alone reports whether atom v takes part, is optional or required as given, and is
// unmatched.
func (k *matcher) alone(v int32, optional bool) bool {
	return k.in[v] && k.optional[v] == optional && k.mate[v] < 0
}

func (k *matcher) matchGreedily(v int32) {
	for _, a := range k.arcs[k.start[v]:k.start[v+1]] {
		if k.in[a.to] && !k.optional[a.to] && k.mate[a.to] < 0 && k.allowed(a.bond) {
			k.mate[v], k.mate[a.to] = a.to, v
			return
		}
	}
}

// augment matches the unmatched atom root, and reports whether it could. With steal it may
// leave an optional atom unmatched instead.
func (k *matcher) augment(root int32, steal bool) bool {
	for v := range k.mate {
		k.parent[v], k.base[v], k.even[v] = -1, int32(v), false
	}
	k.queue = append(k.queue[:0], root)
	k.even[root] = true
	for head := 0; head < len(k.queue); head++ {
		v := k.queue[head]
		if steal && v != root && k.optional[v] {
			other := k.mate[v]
			k.mate[v], k.mate[other] = -1, -1
			k.flip(other)
			return true
		}
		for _, a := range k.arcs[k.start[v]:k.start[v+1]] {
			to := a.to
			switch {
			case !k.in[to] || k.base[v] == k.base[to] || k.mate[v] == to || !k.allowed(a.bond):
			case to == root || k.mate[to] >= 0 && k.parent[k.mate[to]] >= 0:
				k.contract(v, to)
			case k.parent[to] < 0:
				k.parent[to] = v
				if k.mate[to] < 0 {
					k.flip(to)
					return true
				}
				k.even[k.mate[to]] = true
				k.queue = append(k.queue, k.mate[to])
			}
		}
	}
	return false
}

// flip exchanges matched and unmatched bonds on the path that ends in v.
func (k *matcher) flip(v int32) {
	for v >= 0 {
		before := k.parent[v]
		next := k.mate[before]
		k.mate[v], k.mate[before] = before, v
		v = next
	}
}

// contract shrinks the odd cycle that the bond between the even atoms u and v closes into a
// blossom, all of whose atoms are then even.
func (k *matcher) contract(u, v int32) {
	base := k.commonBase(u, v)
	clear(k.blossom)
	k.markPath(u, base, v)
	k.markPath(v, base, u)
	for x := range k.base {
		if !k.blossom[k.base[x]] {
			continue
		}
		k.base[x] = base
		if !k.even[x] {
			k.even[x] = true
			k.queue = append(k.queue, int32(x))
		}
	}
}

func (k *matcher) commonBase(u, v int32) int32 {
	clear(k.onPath)
	for {
		u = k.base[u]
		k.onPath[u] = true
		if k.mate[u] < 0 {
			break
		}
		u = k.parent[k.mate[u]]
	}
	for {
		v = k.base[v]
		if k.onPath[v] {
			return v
		}
		v = k.parent[k.mate[v]]
	}
}

// markPath marks the blossoms from v up to base; child is the atom that v is
// reached from around the cycle.
func (k *matcher) markPath(v, base, child int32) {
	for k.base[v] != base {
		k.blossom[k.base[v]] = true
		k.blossom[k.base[k.mate[v]]] = true
		k.parent[v] = child
		child = k.mate[v]
		v = k.parent[child]
	}
}
