package diff

import (
	"strings"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Match says how the nodes of two versions of a graph are matched.
type Match string

// The ways to match nodes. ByNames means that nodes of the same name are the same node, and by cost that every node
// map is compared. Auto is by names where these identify nodes, else by cost.
const (
	Auto    Match = "auto"
	ByNames Match = "names"
	ByCost  Match = "cost"
)

// Identities are the nodes of two versions that names identify. Names are the labels, or the names that a file
// gives its nodes beside their labels.
type Identities struct {
	// Fixed are pairs of an old and a new node of the same name, and nodes that nothing is the other version of,
	// beside [edit.Deleted]: pairs as [github.com/greedgraph/greed/ged.Options] has them.
	Fixed [][2]int

	q, t     *graph.Graph
	old, new []string
	byLabel  bool
	ofOld    edit.NodeMap // the new node of each old one that is fixed, lone or free
	ofNew    edit.NodeMap
}

// The states of a node that has no partner.
const (
	lone = -1 // it has none in any map
	free = -2
)

// Identify returns the nodes that names identify, or nil if names do not. ids are the names of the nodes beside
// their labels, or nil. Names identify nodes if at least three of four nodes have one that no other node of their
// graph has, and at least half of the nodes of the smaller graph have one that is in the other graph, too. Of
// names beside labels at least half of the nodes must have the same label in both graphs, and they must not be
// numbers with a common prefix, which programs give anew; where labels identify nodes, such names identify those
// whose label changed. If the caller wants names, any name that occurs once in
// both graphs counts, of labels first.
func Identify(q, t *graph.Graph, ids [2][]string, wanted bool) *Identities {
	if q.N() == 0 || t.N() == 0 {
		return nil
	}
	named := ids[0] != nil && ids[1] != nil && !numbered(ids[0]) && !numbered(ids[1])
	byLabel := newIdentities(q, t, labelTexts(q), labelTexts(t))
	byLabel.byLabel = true
	if byLabel.identify() || wanted && len(byLabel.Fixed) > 0 {
		if named {
			byLabel.pair(ids[0], ids[1])
		}
		return byLabel
	}
	if ids[0] == nil || ids[1] == nil {
		return nil
	}
	byID := newIdentities(q, t, ids[0], ids[1])
	same := 0
	for _, pair := range byID.Fixed {
		if q.Label(pair[0]) == t.Label(pair[1]) {
			same++
		}
	}
	if byID.identify() && 2*same >= len(byID.Fixed) && named || wanted && len(byID.Fixed) > 0 {
		return byID
	}
	return nil
}

func labelTexts(g *graph.Graph) []string {
	texts := make([]string, g.N())
	for v := range texts {
		texts[v] = g.LabelText(v)
	}
	return texts
}

func newIdentities(q, t *graph.Graph, old, fresh []string) *Identities {
	s := &Identities{q: q, t: t, old: old, new: fresh, ofOld: make(edit.NodeMap, q.N()),
		ofNew: make(edit.NodeMap, t.N())}
	for v := range s.ofOld {
		s.ofOld[v] = free
	}
	for w := range s.ofNew {
		s.ofNew[w] = free
	}
	s.pair(old, fresh)
	return s
}

// pair fixes the free nodes of the same name.
func (s *Identities) pair(old, fresh []string) {
	first, second := once(old), once(fresh)
	for v, name := range old {
		w, ok := second[name]
		if ok && w >= 0 && first[name] >= 0 && s.ofOld[v] == free && s.ofNew[w] == free {
			s.ofOld[v], s.ofNew[w] = w, v
			s.Fixed = append(s.Fixed, [2]int{v, w})
		}
	}
}

// once returns the node of each name, or -1 for a name that several nodes have.
func once(names []string) map[string]int {
	at := make(map[string]int, len(names))
	for v, name := range names {
		if _, twice := at[name]; twice {
			v = -1
		}
		at[name] = v
	}
	return at
}

// identify reports whether enough names are unique, and in both graphs.
func (s *Identities) identify() bool {
	for _, names := range [][]string{s.old, s.new} {
		unique := 0
		for _, v := range once(names) {
			if v >= 0 {
				unique++
			}
		}
		if 4*unique < 3*len(names) {
			return false
		}
	}
	return 2*len(s.Fixed) >= min(len(s.old), len(s.new))
}

// numbered reports whether names are numbers after a common prefix.
func numbered(names []string) bool {
	prefix := strings.TrimRight(names[0], "0123456789")
	for _, name := range names {
		if number, ok := strings.CutPrefix(name, prefix); !ok || number == "" ||
			strings.Trim(number, "0123456789") != "" {
			return false
		}
	}
	return true
}

// loneWork is how often, on average, FixLone may look at each node and edge.
const loneWork = 64

// FixLone fixes nodes that cannot be renamed, as [Identities.DropUnsupported] says, whatever becomes of the others. It
// may leave some where hubs or long chains would take more than linear time.
func (s *Identities) FixLone() {
	left := loneWork * (s.q.N() + s.q.M() + s.t.N() + s.t.M())
	for again := true; again && left > 0; {
		again = false
		old := view{s.q, s.t, s.old, s.new, s.ofOld, s.ofNew}
		for _, v := range s.lonely(old, &left) {
			s.ofOld[v] = lone
			s.Fixed = append(s.Fixed, [2]int{v, edit.Deleted})
			again = true
		}
		fresh := view{s.t, s.q, s.new, s.old, s.ofNew, s.ofOld}
		for _, w := range s.lonely(fresh, &left) {
			s.ofNew[w] = lone
			s.Fixed = append(s.Fixed, [2]int{edit.Deleted, w})
			again = true
		}
	}
}

// view is two versions as one of them sees the other.
type view struct {
	near, far            *graph.Graph
	names, farNames      []string
	partner, farPartners edit.NodeMap
}

// lonely lists the free near nodes that no free far node can be the other version of. It lists none that has a free
// neighbour, which may speak for a partner later, or none at all. It stops when it has looked at as many neighbours as
// are left.
func (s *Identities) lonely(x view, left *int) (list []int) {
	labels := make(map[graph.Label]bool)
	for w, v := range x.farPartners {
		if v == free {
			labels[x.far.Label(w)] = true
		}
	}
	*left -= x.near.N()
	for v, w := range x.partner {
		if *left < 0 {
			break
		}
		if w != free || s.byLabel && labels[x.near.Label(v)] {
			continue
		}
		kept, open, degree := make(map[int]int), false, 0
		for _, in := range []bool{false, true} {
			for u := range neighbours(x.near, v, in) {
				degree++
				switch at := x.partner[u]; {
				case at == free:
					open = true
				case at != lone:
					for z := range neighbours(x.far, at, !in && x.far.Directed()) {
						if *left--; *left < 0 {
							return list
						}
						if x.farPartners[z] == free {
							kept[z]++
						}
					}
				}
			}
		}
		alone := !open && degree > 0
		for z, k := range kept {
			alone = alone && !plausible(k, degree, degreeOf(x.far, z), x.names[v], x.farNames[z])
		}
		if alone {
			list = append(list, v)
		}
	}
	return list
}

// DropUnsupported removes the pairs from m for which too little speaks, fixes their nodes as having no other version,
// and returns how many they were. They are pairs of nodes with different names for which neither one half of their
// edges speaks, of two at least, nor similar names and a third of their edges, or there being none.
func (s *Identities) DropUnsupported(m edit.NodeMap) (removed int) {
	inverse := m.Inverse(s.t)
	for v, w := range m {
		if w == edit.Deleted || s.ofOld[v] != free || s.byLabel && s.q.Label(v) == s.t.Label(w) ||
			s.old[v] == s.new[w] {
			continue
		}
		kept, degree := 0, 0
		for _, in := range []bool{false, true} {
			image := make(map[int]bool)
			for x := range neighbours(s.t, w, in) {
				if inverse[x] != edit.Deleted {
					image[inverse[x]] = true
				}
			}
			for u := range neighbours(s.q, v, in) {
				degree++
				if image[u] {
					kept++
				}
			}
		}
		if !plausible(kept, degree, degreeOf(s.t, w), s.old[v], s.new[w]) {
			m[v], s.ofOld[v], s.ofNew[w] = edit.Deleted, lone, lone
			s.Fixed = append(s.Fixed, [2]int{v, edit.Deleted}, [2]int{edit.Deleted, w})
			removed++
		}
	}
	return removed
}

// plausible reports whether a node may have been renamed that kept so many of its neighbours.
func plausible(kept, old, fresh int, oldName, newName string) bool {
	if kept >= 2 && 4*kept >= old+fresh {
		return true
	}
	return 6*kept >= old+fresh && similar(oldName, newName)
}

// similar reports whether two names are alike by half or more, and the modules that they begin with, too: long modules
// are more of a name than what tells it from others.
func similar(a, b string) bool {
	of, a := divide(a)
	in, b := divide(b)
	return alike(a, b) >= 0.5 && (of == in || alike(of, in) >= 0.5)
}

// alike returns which share of their pairs of adjacent characters two names have in common (Dice, 1945).
func alike(a, b string) float64 {
	x, y := strings.ToLower(a), strings.ToLower(b)
	count := make(map[string]int)
	for i := range len(x) - 1 {
		count[x[i:i+2]]++
	}
	common := 0
	for i := range len(y) - 1 {
		if count[y[i:i+2]] > 0 {
			count[y[i:i+2]]--
			common++
		}
	}
	return 2 * float64(common) / float64(max(1, len(x)+len(y)-2))
}

// neighbours returns the nodes that edges from v, or to it, lead to, each once. In undirected graphs none lead to it.
func neighbours(g *graph.Graph, v int, in bool) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		arcs := g.Out(v)
		switch {
		case in && !g.Directed():
			return
		case in:
			arcs = g.In(v)
		}
		for i, e := range arcs {
			if (i == 0 || arcs[i-1].To != e.To) && !yield(int(e.To)) {
				return
			}
		}
	}
}

func degreeOf(g *graph.Graph, v int) (degree int) {
	for _, in := range []bool{false, true} {
		for range neighbours(g, v, in) {
			degree++
		}
	}
	return degree
}
