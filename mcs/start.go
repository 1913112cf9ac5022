package mcs

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/anchor"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// begin makes the best map one of which no two pairs disagree: pairs that disagree with most others are left out first.
func (s *split) begin(q, t *graph.Graph) {
	m := anchor.Common(q, t, s.opt.IgnoreEdgeLabels, &s.clock)
	if m == nil {
		return
	}
	image := make([]int32, s.query.n)
	place := make([]int32, s.target.n)
	for w, node := range s.target.order {
		place[node] = int32(w)
	}
	inverse := slices.Repeat([]int32{edit.Deleted}, s.target.n)
	for v, node := range s.query.order {
		image[v] = edit.Deleted
		if w := m[node]; w != edit.Deleted && s.query.labels[v] == s.target.labels[place[w]] {
			image[v] = place[w]
			inverse[place[w]] = int32(v)
		}
	}
	disagree := s.disagreements(image, inverse)
	queue := make([]int32, 0, len(image))
	for v := range disagree {
		if len(disagree[v]) > 0 {
			queue = append(queue, int32(v))
		}
	}
	left := make([]int, len(image))
	for v, others := range disagree {
		left[v] = len(others)
	}
	// Pairs that disagree with equally many go by their numbers, so the map is always the same.
	for len(queue) > 0 {
		slices.SortFunc(queue, func(a, b int32) int { return cmp.Or(left[b]-left[a], int(a-b)) })
		worst := left[queue[0]]
		if worst == 0 {
			break
		}
		for _, v := range queue {
			if left[v] < worst {
				break
			}
			image[v], left[v] = edit.Deleted, 0
			for _, u := range disagree[v] {
				if left[u] > 0 {
					left[u]--
				}
			}
		}
		queue = slices.DeleteFunc(queue, func(v int32) bool { return left[v] == 0 })
	}
	if s.opt.Connected {
		s.keepLargestPart(image)
	}
	for v, w := range image {
		if w != edit.Deleted {
			s.best = append(s.best, pairing{int32(v), w})
		}
	}
}

// disagreements lists, for every mapped node, the mapped nodes to which its edges are not those of the images.
func (s *split) disagreements(image, inverse []int32) [][]int32 {
	list := make([][]int32, len(image))
	add := func(v, u int32) {
		list[v] = append(list[v], u)
		list[u] = append(list[u], v)
	}
	for v, w := range image {
		if w == edit.Deleted {
			continue
		}
		relation := make(map[int32]uint64) // to the images of neighbours
		for _, j := range s.target.joined[w] {
			relation[j.to] = j.relation
		}
		for _, j := range s.query.joined[v] {
			if x := image[j.to]; x != edit.Deleted && int(j.to) > v && relation[x] != j.relation {
				add(int32(v), j.to)
			}
		}
		near := make(map[int32]bool)
		for _, j := range s.query.joined[v] {
			near[j.to] = true
		}
		for _, j := range s.target.joined[w] {
			if u := inverse[j.to]; u != edit.Deleted && int(u) > v && !near[u] {
				add(int32(v), u)
			}
		}
	}
	return list
}

// keepLargestPart leaves of a map the largest part that the edges of the query connect.
func (s *split) keepLargestPart(image []int32) {
	seen := make([]bool, len(image))
	var largest []int32
	for v := range image {
		if seen[v] || image[v] == edit.Deleted {
			continue
		}
		seen[v] = true
		part := []int32{int32(v)}
		for i := 0; i < len(part); i++ {
			for _, j := range s.query.joined[part[i]] {
				if !seen[j.to] && image[j.to] != edit.Deleted {
					seen[j.to] = true
					part = append(part, j.to)
				}
			}
		}
		if len(part) > len(largest) {
			largest = part
		}
	}
	kept := make([]bool, len(image))
	for _, v := range largest {
		kept[v] = true
	}
	for v := range image {
		if !kept[v] {
			image[v] = edit.Deleted
		}
	}
}
