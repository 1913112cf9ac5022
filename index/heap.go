package index

func (w *walk) push(v visit) {
	w.queue = append(w.queue, v)
	for i := len(w.queue) - 1; i > 0; {
		parent := (i - 1) / 2
		if !w.queue[i].before(w.queue[parent]) {
			return
		}
		w.queue[i], w.queue[parent] = w.queue[parent], w.queue[i]
		i = parent
	}
}

func (w *walk) pop() visit {
	top := w.queue[0]
	last := len(w.queue) - 1
	w.queue[0] = w.queue[last]
	w.queue = w.queue[:last]
	for i := 0; ; {
		next := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if w.queue[child].before(w.queue[next]) {
				next = child
			}
		}
		if next == i {
			return top
		}
		w.queue[i], w.queue[next] = w.queue[next], w.queue[i]
		i = next
	}
}
