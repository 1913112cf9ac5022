package dataset

import "hash/maphash"

// names numbers texts 0, 1, 2, ... in order of first occurrence. It uses some 30 bytes per
// text besides the text itself. A map of strings would use five times as much, more than the
// length of a line in an edge list.
type names struct {
	seed maphash.Seed
	text []byte // all texts, one behind the other
	ends []uint32
	// slots is a hash table with linear probing: a number plus 1, or 0.
	slots []uint32
}

func (n *names) len() int { return len(n.ends) }

// at returns text number i, which belongs to n.
func (n *names) at(i uint32) []byte {
	start := uint32(0)
	if i > 0 {
		start = n.ends[i-1]
	}
	return n.text[start:n.ends[i]]
}

// find returns the number of a text, and whether it has one.
func (n *names) find(s string) (number uint32, ok bool) {
	if len(n.slots) == 0 {
		return 0, false
	}
	i := n.slot(s)
	return n.slots[i] - 1, n.slots[i] != 0
}

// get returns the number of a text and whether it is new.
func (n *names) get(s string) (number uint32, added bool) {
	if 4*len(n.ends) >= 3*len(n.slots) {
		n.grow()
	}
	i := n.slot(s)
	if n.slots[i] != 0 {
		return n.slots[i] - 1, false
	}
	n.text = appendTo(n.text, s)
	n.ends = add(n.ends, uint32(len(n.text)))
	n.slots[i] = uint32(len(n.ends))
	return uint32(len(n.ends) - 1), true
}

// slot returns the slot that holds s, or the free one for it.
func (n *names) slot(s string) int {
	mask := len(n.slots) - 1
	i := int(maphash.String(n.seed, s)) & mask
	for n.slots[i] != 0 && string(n.at(n.slots[i]-1)) != s {
		i = (i + 1) & mask
	}
	return i
}

func (n *names) grow() {
	if len(n.slots) == 0 {
		n.seed = maphash.MakeSeed()
	}
	n.slots = make([]uint32, max(16, 2*len(n.slots)))
	mask := len(n.slots) - 1
	for number := range n.ends {
		i := int(maphash.Bytes(n.seed, n.at(uint32(number)))) & mask
		for n.slots[i] != 0 {
			i = (i + 1) & mask
		}
		n.slots[i] = uint32(number + 1)
	}
}

// reset removes all texts. It keeps the memory, except for a table so large that clearing it
// would cost more than filling it did.
func (n *names) reset() {
	if len(n.slots) > 16*(len(n.ends)+1) {
		n.slots = nil
	}
	clear(n.slots)
	n.text, n.ends = n.text[:0], n.ends[:0]
}

// add is append with doubling, so that all memory ever allocated is at most four times what
// is used. append grows long slices by a quarter, which adds up to five times as much again.
func add[T any](list []T, x T) []T {
	if len(list) == cap(list) {
		more := make([]T, len(list), max(8, 2*len(list)))
		copy(more, list)
		list = more
	}
	return append(list, x)
}

// appendTo is add for text.
func appendTo[T ~string | ~[]byte](list []byte, s T) []byte {
	if len(list)+len(s) > cap(list) {
		more := make([]byte, len(list), max(64, 2*cap(list), len(list)+len(s)))
		copy(more, list)
		list = more
	}
	return append(list, s...)
}
