package vectorindex

// visit is a part of a tree to visit.
type visit struct {
	bound  float64 // of the distances inside
	first  int32   // least position inside, where the tree knows it
	height int32   // of a box; 0 are the cells'
	node   int32
}

// before orders visits by bound, and equal bounds by position, since the lower
// position wins a tie.
func (v visit) before(o visit) bool {
	return v.bound < o.bound || v.bound == o.bound && v.first < o.first
}

// visits is a heap with the next to visit on top.
type visits []visit

func (h *visits) push(v visit) {
	q := append(*h, v)
	*h = q
	for i := len(q) - 1; i > 0; {
		parent := (i - 1) / 2
		if !q[i].before(q[parent]) {
			return
		}
		q[i], q[parent] = q[parent], q[i]
		i = parent
	}
}

func (h *visits) pop() visit {
	q := *h
	top, last := q[0], len(q)-1
	q[0] = q[last]
	q = q[:last]
	*h = q
	for i := 0; ; {
		next := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if q[child].before(q[next]) {
				next = child
			}
		}
		if next == i {
			return top
		}
		q[i], q[next] = q[next], q[i]
		i = next
	}
}
