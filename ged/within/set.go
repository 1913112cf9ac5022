package within

import "math/bits"

// set is a set of nodes.
type set [MaxNodes / 64]uint64

func (s *set) has(v int) bool { return s[v>>6]>>uint(v&63)&1 != 0 }
func (s *set) add(v int)      { s[v>>6] |= 1 << uint(v&63) }
func (s *set) remove(v int)   { s[v>>6] &^= 1 << uint(v&63) }

func (s *set) len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// first returns the least node, or -1.
func (s *set) first() int {
	for i, w := range s {
		if w != 0 {
			return i<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

func (s *set) disjoint(t *set) bool {
	for i, w := range s {
		if w&t[i] != 0 {
			return false
		}
	}
	return true
}
