package ged

import (
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// twins sets twin[v] to the first node that is a twin of v, or to v itself. Twins
// have the same label and the same edges to all other nodes, so exchanging them does
// not change the graph. When time runs out, the rest count as having no twins, which
// costs the search states but no answers.
func (s *side) twins(labels []graph.Label, clock *clock.Clock) {
	s.twin = resize(s.twin, s.n)
	s.twinless = true
	for v := range s.n {
		s.twin[v] = int32(v)
		if clock.Spend(2 * v) {
			continue
		}
		for w := range v {
			if s.twin[w] == int32(w) && labels[v] == labels[w] && len(s.of(v)) == len(s.of(w)) && s.interchangeable(v, w) {
				s.twin[v] = int32(w)
				s.twinless = false
				break
			}
		}
	}
}

// interchangeable reports whether v and w have the same edges to all other nodes. An
// edge between them must be its own reverse, since the exchange reverses it.
func (s *side) interchangeable(v, w int) bool {
	x, y := s.of(v), s.of(w)
	i, j := 0, 0
	for {
		for i < len(x) && int(x[i].to) == w {
			i++
		}
		for j < len(y) && int(y[j].to) == v {
			j++
		}
		if i == len(x) || j == len(y) {
			break
		}
		if x[i] != y[j] {
			return false
		}
		i++
		j++
	}
	return i == len(x) && j == len(y) && s.typ(v, w) == s.typ(w, v)
}

// excludeTwins excludes the pair (a, b) once all maps that contain it were searched,
// and with it all pairs of a twin of a and a twin of b: by symmetry, the maps that
// contain one of these earn no more.
func (s *search) excludeTwins(l *level, a, b int) {
	p := s.p
	if p.row.twinless && p.col.twinless {
		l.exclude(a, b)
		return
	}
	i, j := p.row.twin[l.rowID[a]], p.col.twin[l.colID[b]]
	for x, row := range l.rowID {
		if p.row.twin[row] != i {
			continue
		}
		for y, col := range l.colID {
			if p.col.twin[col] == j {
				l.exclude(x, y)
			}
		}
	}
}
