// Package diff puts the edits between two graphs into words that people use: what was
// removed, renamed, moved and added, in groups of changes that touch each other.
package diff

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Kind says what became of a node or an edge.
type Kind string

// The kinds of changes. A renamed node or edge has another label; a moved edge has
// another node at one end, or leads the other way.
const (
	Removed Kind = "removed"
	Renamed Kind = "renamed"
	Moved   Kind = "moved"
	Added   Kind = "added"
)

// Change is what became of one node or edge.
type Change struct {
	Kind Kind `json:"change" enum:"removed,renamed,moved,added"`
	Edge bool `json:"edge,omitempty"` // not a node
	// Edits are one edit or, of a moved edge, its deletion and its insertion.
	Edits []edit.Operation `json:"edits"`
	Cost  float64          `json:"cost"`
	Why   string           `json:"why,omitempty" doc:"${change_why}"`
}

// Group is changes that belong together: each touches a node that another touches, unless that would be very many.
type Group struct {
	// About names the node that most of the changes touch, where nodes have names.
	About string `json:"about,omitempty" doc:"The node that most of the changes touch"`
	// Changes are sorted by kind, nodes before edges.
	Changes []Change `json:"changes"`
	Cost    float64  `json:"cost"`
	// Old and New are the nodes that the changes touch, ascending.
	Old []int `json:"query,omitempty"`
	New []int `json:"target,omitempty"`
}

// Groups puts a path, edits of a node map m between q and t, into groups, those of the
// greatest cost first. All edits together are the path, and the costs are those of the
// path. It panics unless m is a node map.
//
// Changes that touch the same node are in one group. Where these are more than mostConnected, as hubs connect
// everything, the nodes that were removed, renamed or added hold together what touches them and what edges between
// them connect; other edges go with that of their nodes at which most edges changed. If even these groups have more,
// each of the nodes that changed has its own.
//
// A deleted edge has moved if an edge with the same label was inserted that shares one of
// its ends, or joins the same nodes the other way, and all these nodes are kept. Where
// several were, the first in the path counts, the same head before the same tail. It has also moved if the other end of
// the inserted edge was added, or that of the deleted one removed, and no other edge that is left shares the end.
func Groups(path []edit.Operation, q, t *graph.Graph, m edit.NodeMap) []Group {
	if err := m.Check(q, t); err != nil {
		panic("diff: " + err.Error())
	}
	b := board{path: path, size: q.N(), old: m.Inverse(t), directed: q.Directed()}
	b.isKept = func(v int) bool { return v < len(m) && m[v] != edit.Deleted }
	return b.groups(b.changes())
}

// board is what the edits are done on: both graphs laid on each other. Its nodes are those
// of the query, and behind them those of the target, of which inserted ones are used.
type board struct {
	path     []edit.Operation
	size     int          // nodes of the query
	old      edit.NodeMap // from the target to the query
	directed bool
	isKept   func(node int) bool
}

// touched returns the nodes of the board that an edit touches.
func (b *board) touched(op *edit.Operation) []int {
	if op.Query != nil {
		return op.Query
	}
	nodes := make([]int, len(op.Target))
	for i, w := range op.Target {
		if nodes[i] = b.old[w]; nodes[i] == edit.Deleted {
			nodes[i] = b.size + w
		}
	}
	return nodes
}

// changes turns the edits into changes.
func (b *board) changes() []Change {
	moved := b.moves()
	used := make([]bool, len(b.path))
	for _, k := range moved {
		used[k] = true
	}
	var list []Change
	for i, op := range b.path {
		if used[i] {
			continue // said with the deletion
		}
		c := Change{Edits: []edit.Operation{op}, Cost: op.Cost}
		switch op.Kind {
		case edit.NodeDeletion, edit.EdgeDeletion:
			c.Kind = Removed
		case edit.NodeInsertion, edit.EdgeInsertion:
			c.Kind = Added
		default:
			c.Kind = Renamed
		}
		c.Edge = op.Kind == edit.EdgeDeletion || op.Kind == edit.EdgeInsertion || op.Kind == edit.EdgeSubstitution
		if k, ok := moved[i]; ok {
			c.Kind = Moved
			c.Edits = append(c.Edits, b.path[k])
			c.Cost += b.path[k].Cost
		}
		list = append(list, c)
	}
	return list
}

// ends are those of an edge on the board, or any for an end that does not matter.
type ends struct {
	from, to int
	label    string
}

const anyNode = -1

// moves returns, for every deleted edge that has moved, the insertion that belongs to it.
func (b *board) moves() map[int]int {
	inserted := make(map[ends][]int) // positions in the path, ascending
	for i := range b.path {
		op := &b.path[i]
		if at := b.touched(op); op.Kind == edit.EdgeInsertion && b.isKept(at[0]) && b.isKept(at[1]) {
			for _, e := range []ends{{anyNode, at[1], op.To}, {at[0], anyNode, op.To}, {at[0], at[1], op.To}} {
				inserted[e] = append(inserted[e], i)
			}
		}
	}
	moved, used := make(map[int]int), make(map[int]bool)
	for turn := range 4 {
		for i := range b.path {
			op := &b.path[i]
			if _, done := moved[i]; done || op.Kind != edit.EdgeDeletion || !b.isKept(op.Query[0]) ||
				!b.isKept(op.Query[1]) {
				continue
			}
			from, to := op.Query[0], op.Query[1]
			sought := []ends{{anyNode, to, op.From}, {from, anyNode, op.From}, {to, anyNode, op.From},
				{anyNode, from, op.From}}
			if b.directed {
				sought = []ends{sought[0], sought[1], {to, from, op.From}}
			}
			if turn >= len(sought) {
				continue
			}
			rest := inserted[sought[turn]]
			for len(rest) > 0 && used[rest[0]] {
				rest = rest[1:]
			}
			inserted[sought[turn]] = rest
			if len(rest) > 0 {
				moved[i] = rest[0]
				used[rest[0]] = true
			}
		}
	}
	b.movesAtChanged(moved, used)
	return moved
}

// movesAtChanged adds the moves to added nodes and from removed ones, of edges that have not moved otherwise. A node
// may lose several edges and gain others without saying which became which, so only one edge for one counts.
func (b *board) movesAtChanged(moved map[int]int, used map[int]bool) {
	sharing := make(map[ends][2][]int) // the deletions and the insertions left that share a kept end
	for i := range b.path {
		op := &b.path[i]
		side, label := 0, op.From
		if op.Kind == edit.EdgeInsertion {
			side, label = 1, op.To
		}
		if _, done := moved[i]; done || used[i] || op.Kind != edit.EdgeDeletion && op.Kind != edit.EdgeInsertion {
			continue
		}
		for _, e := range b.keptEnds(b.touched(op), label) {
			list := sharing[e]
			list[side] = append(list[side], i)
			sharing[e] = list
		}
	}
	for head := range 2 {
		for i := range b.path {
			op := &b.path[i]
			if _, done := moved[i]; done || op.Kind != edit.EdgeDeletion {
				continue
			}
			for _, e := range b.keptEnds(op.Query, op.From) {
				list := sharing[e]
				if (e.from == anyNode) != (head == 0) || len(list[0]) != 1 || len(list[1]) != 1 || used[list[1][0]] {
					continue
				}
				k := list[1][0]
				if b.allKept(op.Query) || b.allKept(b.touched(&b.path[k])) {
					moved[i], used[k] = k, true
					break
				}
			}
		}
	}
}

// keptEnds returns what edges share with one between two nodes: its ends that are kept, the head first.
func (b *board) keptEnds(at []int, label string) (list []ends) {
	for end := 1; end >= 0; end-- {
		if v := at[end]; !b.isKept(v) || end == 0 && at[1] == v {
			continue
		} else if b.directed && end == 0 {
			list = append(list, ends{v, anyNode, label})
		} else {
			list = append(list, ends{anyNode, v, label})
		}
	}
	return list
}

func (b *board) allKept(nodes []int) bool { return b.isKept(nodes[0]) && b.isKept(nodes[1]) }

// mostConnected is how many edits a group has that only kept nodes hold together.
const mostConnected = 16

// groups joins changes that touch the same node, or fewer where these are very many.
func (b *board) groups(changes []Change) []Group {
	var list []Group
	for _, g := range b.joined(changes, b.touchedBy) {
		if g.edits() <= mostConnected {
			list = append(list, g)
			continue
		}
		changed := make(map[int]bool)
		for i := range g.Changes {
			if c := &g.Changes[i]; !c.Edge {
				changed[b.touchedBy(c)[0]] = true
			}
		}
		held := func(c *Change) []int {
			return slices.DeleteFunc(b.touchedBy(c), func(v int) bool { return !changed[v] })
		}
		edges := make(map[int]int) // of each node, those that no changed node holds
		for i := range g.Changes {
			if c := &g.Changes[i]; len(held(c)) == 0 {
				for _, v := range b.touchedBy(c) {
					edges[v]++
				}
			}
		}
		most := func(nodes []int) []int {
			return []int{slices.MaxFunc(nodes, func(v, w int) int { return cmp.Compare(edges[v], edges[w]) })}
		}
		for _, h := range b.joined(g.Changes, func(c *Change) []int {
			if nodes := held(c); len(nodes) > 0 {
				return nodes
			}
			return most(b.touchedBy(c))
		}) {
			if h.edits() <= mostConnected {
				list = append(list, h)
				continue
			}
			list = append(list, b.joined(h.Changes, b.holder(h.Changes, held, most))...)
		}
	}
	slices.SortStableFunc(list, func(x, y Group) int { return cmp.Compare(y.Cost, x.Cost) })
	for i := range list {
		list[i].About = b.about(&list[i])
	}
	return list
}

func (g *Group) edits() (n int) {
	for _, c := range g.Changes {
		n += len(c.Edits)
	}
	return n
}

// holder returns which node holds each change of many that changed nodes connect: of an edge that of its changed nodes
// which has most edges, of a node itself, or the one changed node to which all of its edges lead if that has more.
func (b *board) holder(changes []Change, held func(c *Change) []int,
	most func(nodes []int) []int) func(c *Change) []int {
	edges, only := make(map[int]int), make(map[int]int)
	const several = -1
	for i := range changes {
		nodes := held(&changes[i])
		if !changes[i].Edge {
			continue
		}
		for k, v := range nodes {
			edges[v]++
			other := several
			if len(nodes) == 2 {
				other = nodes[1-k]
			}
			if was, seen := only[v]; seen && was != other {
				other = several
			}
			only[v] = other
		}
	}
	home := func(v int) int {
		if w, ok := only[v]; ok && w != several && (edges[w] > edges[v] || edges[w] == edges[v] && w < v) {
			return w
		}
		return v
	}
	return func(c *Change) []int {
		nodes := held(c)
		if len(nodes) == 0 {
			return most(b.touchedBy(c))
		}
		return []int{home(slices.MaxFunc(nodes, func(v, w int) int {
			return cmp.Or(cmp.Compare(edges[v], edges[w]), cmp.Compare(w, v))
		}))}
	}
}

// touchedBy returns the nodes of the board that a change touches, those of its first edit first.
func (b *board) touchedBy(c *Change) (nodes []int) {
	for i := range c.Edits {
		nodes = append(nodes, b.touched(&c.Edits[i])...)
	}
	return nodes
}

// about returns the name of the node that most changes of a group touch, one that was changed before others, or "".
func (b *board) about(g *Group) string {
	count, name := make(map[int]int), make(map[int]string)
	best := -1
	for i := range g.Changes {
		c := &g.Changes[i]
		for k := range c.Edits {
			op := &c.Edits[k]
			names := op.QueryNames
			if op.Query == nil || !c.Edge && op.Target != nil {
				names = op.TargetNames
			}
			for end, v := range b.touched(op) {
				if end >= len(names) {
					return ""
				}
				if count[v]++; !c.Edge {
					count[v] += len(g.Changes) * 2
				}
				if name[v] == "" {
					name[v] = names[end]
				}
				if best < 0 || count[v] > count[best] {
					best = v
				}
			}
		}
	}
	return name[best]
}

// joined joins changes that touch the same nodes, as far as these count.
func (b *board) joined(changes []Change, touched func(c *Change) []int) []Group {
	parent := make([]int, b.size+len(b.old))
	for v := range parent {
		parent[v] = v
	}
	find := func(v int) int {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	for i := range changes {
		nodes := touched(&changes[i])
		for _, v := range nodes {
			parent[find(v)] = find(nodes[0])
		}
	}
	var list []Group
	at := make(map[int]int)
	for _, c := range changes {
		root := find(touched(&c)[0])
		k, ok := at[root]
		if !ok {
			k = len(list)
			at[root] = k
			list = append(list, Group{})
		}
		g := &list[k]
		g.Changes = append(g.Changes, c)
		g.Cost += c.Cost
		for i := range c.Edits {
			g.Old = append(g.Old, c.Edits[i].Query...)
			g.New = append(g.New, c.Edits[i].Target...)
		}
	}
	for i := range list {
		g := &list[i]
		slices.SortStableFunc(g.Changes, func(x, y Change) int { return cmp.Compare(x.rank(), y.rank()) })
		slices.Sort(g.Old)
		slices.Sort(g.New)
		g.Old, g.New = slices.Compact(g.Old), slices.Compact(g.New)
	}
	return list
}

// rank is the place of a change in its group.
func (c *Change) rank() int {
	rank := 2 * slices.Index([]Kind{Removed, Renamed, Moved, Added}, c.Kind)
	if c.Edge {
		rank++
	}
	return rank
}
