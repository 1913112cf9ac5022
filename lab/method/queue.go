package method

// entry is a state in the queue of a search.
type entry struct {
	bound float64 // lower bound of the cost
	state int32
	depth int32
}

// before orders entries by bound and, for equal bounds, deepest first, which is nearest
// to a whole node map.
func (a entry) before(b entry) bool {
	return a.bound < b.bound || a.bound == b.bound && a.depth > b.depth
}

// queue is a binary heap of entries, the first of them at 0.
type queue []entry

func (q *queue) push(e entry) {
	h := append(*q, e)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
	*q = h
}

func (q *queue) pop() entry {
	h := *q
	top, e := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	if len(h) == 0 {
		return top
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(e) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = e
	return top
}
