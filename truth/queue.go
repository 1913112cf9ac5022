package truth

import "sync"

// span is the positions begin to end-1.
type span struct{ begin, end int }

// queue hands out positions in spans: long ones at first, so that workers
// rarely meet, and ever shorter ones, so that they finish together.
type queue struct {
	mu      *sync.Mutex
	todo    []span
	left    int
	workers int
}

// longest is the longest span handed out. At the 10 µs of the easiest pairs a
// worker comes for one every 600 µs.
const longest = 64

// shares is how many spans each worker would get of what is left.
const shares = 8

func newQueue(todo []span, workers int) queue {
	q := queue{mu: new(sync.Mutex), workers: workers}
	for _, s := range todo {
		if s.begin < s.end {
			q.todo = append(q.todo, s)
			q.left += s.end - s.begin
		}
	}
	return q
}

// take returns the next positions, in order; an empty span when none are left.
func (q *queue) take() span {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.todo) == 0 {
		return span{}
	}
	s := q.todo[0]
	s.end = min(s.end, s.begin+min(longest, max(1, q.left/(shares*q.workers))))
	q.left -= s.end - s.begin
	if q.todo[0].begin = s.end; s.end == q.todo[0].end {
		q.todo = q.todo[1:]
	}
	return s
}
