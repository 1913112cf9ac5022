package verify

import (
	"errors"
	"fmt"
	"slices"
)

// Problem is a pair of graphs: rows are nodes of the query, columns those of the target. A
// node map costs worst less what it earns: for every row and its column the profit of the
// nodes, and for every pair of edges that it maps to each other their weight: of parallel
// edges those that weigh most together, each with one other.
type Problem struct {
	N, M         int
	Row, Col     [][]int // the half-edges at each node: edge e has 2e, at its start, and 2e+1
	RowTo, ColTo []int   // the node at the other end of each half-edge
	directed     bool
	grain, worst int64
	node, weight [][]int64 // of query and target, in grains
	q, t         *Graph
	stop         func()
}

// NewProblem prepares a pair. The graphs have been checked.
func NewProblem(h *Header, q, t *Graph, grain int64) *Problem {
	p := &Problem{N: len(q.Nodes), M: len(t.Nodes), directed: h.Directed, grain: grain, q: q, t: t, stop: h.Stop}
	for i, a := range q.Nodes {
		p.worst += h.Nodes.Delete[a]
		p.node = append(p.node, make([]int64, p.M))
		for j, b := range t.Nodes {
			p.node[i][j] = grain * (h.Nodes.Delete[a] + h.Nodes.Insert[b] - h.Nodes.Substitute[a][b])
		}
	}
	for _, b := range t.Nodes {
		p.worst += h.Nodes.Insert[b]
	}
	for k, e := range q.Edges {
		a := e[2]
		p.worst += h.Edges.Delete[a]
		p.weight = append(p.weight, make([]int64, len(t.Edges)))
		for l, f := range t.Edges { // an edge may also be deleted and the other one inserted
			p.weight[k][l] = grain * max(0, h.Edges.Delete[a]+h.Edges.Insert[f[2]]-h.Edges.Substitute[a][f[2]])
		}
	}
	for _, f := range t.Edges {
		p.worst += h.Edges.Insert[f[2]]
	}
	p.Row, p.RowTo = halfEdges(q)
	p.Col, p.ColTo = halfEdges(t)
	return p
}

func halfEdges(g *Graph) (at [][]int, to []int) {
	at = make([][]int, len(g.Nodes))
	for k, e := range g.Edges {
		at[e[0]] = append(at[e[0]], 2*k)
		at[e[1]] = append(at[e[1]], 2*k+1) // which may be the same node
		to = append(to, e[1], e[0])
	}
	return at, to
}

// Fits reports whether half-edges may be mapped to each other: arcs keep their direction.
func (p *Problem) Fits(x, y int) bool { return !p.directed || x&1 == y&1 }

// Cost returns the cost of a node map.
func (p *Problem) Cost(m []int) (int64, error) {
	if len(m) != p.N {
		return 0, errors.New("the map does not list each node of the query")
	}
	total, taken := p.worst, make(map[int]bool)
	for v, w := range m {
		if w != Deleted && (w < 0 || w >= p.M || taken[w]) {
			return 0, fmt.Errorf("the map sends node %d to %d, which does not exist or is taken", v, w)
		}
		if taken[w] = true; w != Deleted {
			total -= p.node[v][w] / p.grain
		}
	}
	mine := make(map[[2]int][]int) // edges by the images of their ends
	for k, e := range p.q.Edges {
		ends := p.ends(m[e[0]], m[e[1]])
		mine[ends] = append(mine[ends], k)
	}
	others := make(map[[2]int][]int)
	for l, f := range p.t.Edges {
		ends := p.ends(f[0], f[1])
		others[ends] = append(others[ends], l)
	}
	for ends, list := range mine {
		a := NewAssignment(len(list), len(others[ends]))
		for i, k := range list {
			for j, l := range others[ends] {
				a.Weight[i][j] = p.weight[k][l]
			}
		}
		total -= a.Solve(p.stop) / p.grain
	}
	return total, nil
}

// ends orders two nodes if edges have no direction.
func (p *Problem) ends(u, v int) [2]int {
	if !p.directed && u > v {
		u, v = v, u
	}
	return [2]int{u, v}
}

// Need returns the least that maps earn, in grains, which cost less than lower.
func (p *Problem) Need(lower int64) int64 { return (p.worst - lower + 1) * p.grain }

// Fixed is what a case says of each row and column: its partner, Deleted (of a column: inserted) or Free.
type Fixed struct{ Of, Taken []int }

// What a case may say of a row besides a column.
const (
	Deleted = -1
	Free    = -2
)

// Start returns the case that says what pairs do: each a row and a column, one of which may be Deleted, ascending.
func (p *Problem) Start(pairs [][]int) (*Fixed, error) {
	s := &Fixed{slices.Repeat([]int{Free}, p.N), slices.Repeat([]int{Free}, p.M)}
	for k, x := range pairs {
		if len(x) != 2 || k > 0 && slices.Compare(pairs[k-1], x) >= 0 || max(x[0], x[1]) < 0 || !s.open(x[0], x[1]) {
			return nil, fmt.Errorf("the pair %v is not one of nodes, of nodes that are fixed, or not in its place", x)
		} else if x[0] == Deleted {
			s.Taken[x[1]] = Deleted
		} else {
			s.Set(x[0], x[1])
		}
	}
	return s, nil
}

// open reports whether nothing is said of a row and a column, unless they are Deleted.
func (s *Fixed) open(row, col int) bool {
	return (row == Deleted || row >= 0 && row < len(s.Of) && s.Of[row] == Free) &&
		(col == Deleted || col >= 0 && col < len(s.Taken) && s.Taken[col] == Free)
}

// Set says what becomes of a row.
func (s *Fixed) Set(row, col int) {
	if old := s.Of[row]; old >= 0 {
		s.Taken[old] = Free
	}
	if s.Of[row] = col; col >= 0 {
		s.Taken[col] = row
	}
}

// allows reports whether maps of the case may take row i to column j.
func (s *Fixed) allows(i, j int) bool { return s.Of[i] == j || s.Of[i] == Free && s.Taken[j] == Free }

// Shares divide the weight of two edges between the two ends at which maps earn it:
// [half-edges of the query][half-edges of the target].
type Shares [][]int64

// Divide divides the weights: first gives the share of a half-edge at the start of an edge
// of the query, and the other end has the rest.
func (p *Problem) Divide(first func(x, y int, weight int64) int64) Shares {
	s := make(Shares, 2*len(p.weight))
	for x := range s {
		s[x] = make([]int64, 2*len(p.t.Edges))
	}
	for x := 0; x < len(s); x += 2 {
		for y := range s[x] {
			if w := p.weight[x/2][y/2]; p.Fits(x, y) {
				s[x][y] = first(x, y, w)
				s[x+1][y^1] = w - s[x][y]
			}
		}
	}
	return s
}

// read takes shares from a certificate, in the order of Divide.
func (p *Problem) read(list []int64) (Shares, error) {
	want := 2 * len(p.weight) * len(p.t.Edges)
	if p.directed {
		want /= 2
	}
	if len(list) != want || slices.Min(list) < -mostShare || slices.Max(list) > mostShare {
		return nil, fmt.Errorf("there are %d shares, want %d, or one is out of range", len(list), want)
	}
	return p.Divide(func(int, int, int64) (share int64) {
		share, list = list[0], list[1:]
		return share
	}), nil
}

// closed returns an error unless the proof shows that no map of the case s earns need, and
// no part of the proof is idle.
func (p *Problem) closed(proof *Case, s *Fixed, shares Shares, need int64) (err error) {
	own := proof != nil && len(proof.Shares) > 0
	if own {
		if shares, err = p.read(proof.Shares); err != nil {
			return err
		}
		proof.Shares = nil // they have served
	}
	bound, _ := p.Bound(s, shares)
	if bound < need && proof != nil && (!own || proof.Row != 0 || proof.Cases != nil) {
		return fmt.Errorf("in case %v the bound is enough, but more follows", s.Of)
	} else if bound < need {
		return nil
	} else if proof == nil || proof.Row < 0 || proof.Row >= p.N || s.Of[proof.Row] != Free {
		return fmt.Errorf("in case %v maps may save %d of %d, and no further cases follow", s.Of, bound, need)
	}
	idle := len(proof.Cases)
	for w := Deleted; w < p.M && err == nil; w++ {
		if s.open(Deleted, w) {
			if proof.Cases[w] != nil {
				idle--
			}
			s.Set(proof.Row, w)
			err = p.closed(proof.Cases[w], s, shares, need)
			s.Set(proof.Row, Free)
		}
	}
	if err == nil && idle > 0 {
		err = fmt.Errorf("in case %v a case of row %d is null, or of a node taken or not there", s.Of, proof.Row)
	}
	return err
}

// Bound returns what no map of the case exceeds, in grains: a map earns no more at a row and
// its column than their profit and the heaviest matching of the shares of half-edges there,
// and rows have different columns. The assignment is that of the rows that are free.
func (p *Problem) Bound(s *Fixed, shares Shares) (int64, *Assignment) {
	a, fixed := NewAssignment(p.N, p.M), int64(0)
	for i := range p.N {
		for j := range p.M {
			if s.Of[i] == j {
				fixed += p.node[i][j] + p.Star(s, shares, i, j).Solve(p.stop)
			} else if s.allows(i, j) {
				a.Weight[i][j] = max(0, p.node[i][j]+p.Star(s, shares, i, j).Solve(p.stop))
			}
		}
	}
	return fixed + a.Solve(p.stop), a
}

// Star returns the matching of half-edges at row i with those at column j in maps of the
// case, to be solved.
func (p *Problem) Star(s *Fixed, shares Shares, i, j int) *Assignment {
	a := NewAssignment(len(p.Row[i]), len(p.Col[j]))
	for k, x := range p.Row[i] {
		for l, y := range p.Col[j] {
			if p.Fits(x, y) && s.allows(p.RowTo[x], p.ColTo[y]) {
				a.Weight[k][l] = max(0, shares[x][y])
			}
		}
	}
	return a
}
