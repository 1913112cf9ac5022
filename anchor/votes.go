package anchor

import (
	"cmp"
	"math"
	"slices"
)

// votes are scratch of the votes for the partners of a node.
type votes struct {
	sum   []float64 // [t.n]
	voted []int32   // nodes of t with votes

	best  []vote // of each node of q, with the score of the next in second
	next  []float64
	fresh []bool // whether best is right, as long as its node of t is free
}

// vote is a candidate pair with its votes.
type vote struct {
	v, w  int32
	score float64
}

// mostVotes is how many free neighbours of the partner of a neighbour get votes; larger neighbourhoods say little.
const mostVotes = 1 << 10

// count leaves in s.votes what the mapped neighbours of v say of free nodes of t.
func (s *matcher) count(v int32) {
	x := &s.votes
	for _, w := range x.voted {
		x.sum[w] = 0
	}
	x.voted = x.voted[:0]
	for _, a := range s.q.of(v) {
		image := s.m[a.to]
		if image < 0 || s.t.degree(image) > mostVotes {
			continue
		}
		// A neighbour with few edges says more.
		weight := 1 / math.Sqrt(float64(s.q.degree(a.to)*s.t.degree(image)))
		for _, b := range s.t.of(image) {
			if b.way == a.way == s.directed || s.inverse[b.to] != none {
				continue // as the far end sees it, an edge goes the other way
			}
			profit := s.prices.edge(a.typ, b.typ)
			if profit <= 0 {
				continue
			}
			if x.sum[b.to] == 0 {
				x.voted = append(x.voted, b.to)
			}
			x.sum[b.to] += profit * weight
		}
	}
}

// propagate maps free nodes that are the best candidates of each other, in rounds, until there are none.
func (s *matcher) propagate() {
	x := &s.votes
	x.sum = resize(x.sum, s.t.n)
	x.best, x.next, x.fresh = resize(x.best, s.q.n), resize(x.next, s.q.n), resize(x.fresh, s.q.n)
	clear(x.fresh)
	for _, sure := range []bool{true, false} {
		for range mostElections {
			if s.elect(sure) == 0 || s.clock.Ended() {
				break
			}
		}
	}
}

// mostElections is how often all nodes that are free are looked at. Most are mapped in the first few.
const mostElections = 200

// favour finds the best candidate of v.
func (s *matcher) favour(v int32) {
	x := &s.votes
	s.count(v)
	s.clock.Spend(50 + 20*len(x.voted))
	best, second := vote{v, none, 0}, 0.0
	for _, w := range x.voted {
		if s.prices.node(s.q.label[v], s.t.label[w]) < -s.prices.mostEdge*float64(min(s.q.degree(v), s.t.degree(w))) {
			continue // it costs more than all of its edges earn
		}
		score := s.score(v, w)
		switch {
		case score > best.score || score == best.score && best.w != none && w < best.w:
			second = best.score
			best.w, best.score = w, score
		case score > second:
			second = score
		}
	}
	x.best[v], x.next[v], x.fresh[v] = best, second, true
}

// elect pairs nodes that vote for each other most. With sure, none is paired that has another candidate as good.
func (s *matcher) elect(sure bool) (paired int) {
	var list []vote
	x := &s.votes
	for v := range int32(s.q.n) {
		if s.m[v] != none {
			continue
		}
		if !x.fresh[v] || x.best[v].w != none && s.inverse[x.best[v].w] != none {
			s.favour(v)
		}
		if best := x.best[v]; best.w != none && (!sure || best.score > x.next[v]*(1+margin)) {
			list = append(list, best)
		}
	}
	// The best of each node of t.
	slices.SortStableFunc(list, func(a, b vote) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		if c := cmp.Compare(a.v, b.v); c != 0 {
			return c
		}
		return cmp.Compare(a.w, b.w)
	})
	tied := make(map[int32]bool)
	if sure {
		seen := make(map[int32]float64)
		for _, x := range list {
			if score, ok := seen[x.w]; ok && x.score*(1+margin) >= score {
				tied[x.w] = true
			} else if !ok {
				seen[x.w] = x.score
			}
		}
	}
	for _, x := range list {
		if s.m[x.v] == none && s.inverse[x.w] == none && !tied[x.w] {
			s.pair(x.v, x.w)
			paired++
			for _, a := range s.q.of(x.v) {
				s.votes.fresh[a.to] = false
			}
		}
	}
	return paired
}

// margin is by how much votes must differ to count as different.
const margin = 1e-9

// score is what speaks for a pair: its votes, and the same label, degree and colours.
func (s *matcher) score(v, w int32) float64 {
	score := s.votes.sum[w]
	if s.q.label[v] == s.t.label[w] {
		score *= sameLabel
	}
	d, e := float64(s.q.degree(v)), float64(s.t.degree(w))
	score *= 1 + min(d, e)/max(d, e, 1)
	for r := 1; r < len(s.q.coarse) && s.q.coarse[r][v] == s.t.coarse[r][w]; r++ {
		score *= sameColour
	}
	return score
}

const (
	sameLabel  = 4
	sameColour = 1.5
)

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
