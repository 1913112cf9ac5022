package diff

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// ChooseTwins changes m where other node maps cost the same because nodes have the same neighbours: it maps old nodes
// to new ones whose names are more alike. All changes of labels must cost the same. m must keep the fixed pairs.
func (s *Identities) ChooseTwins(m edit.NodeMap) {
	if !s.byLabel {
		return
	}
	inverse := m.Inverse(s.t)
	// Twins that have the same label in both graphs stay, since others would be renamed.
	inBoth := make(map[graph.Label]bool)
	for w := range s.ofNew {
		inBoth[s.t.Label(w)] = true
	}
	old := classes(s.q, func(v int) bool { return s.ofOld[v] == free && !inBoth[s.q.Label(v)] })
	clear(inBoth)
	for v := range s.ofOld {
		inBoth[s.q.Label(v)] = true
	}
	fresh := classes(s.t, func(w int) bool { return s.ofNew[w] == free && !inBoth[s.t.Label(w)] })
	type pair struct{ old, new string }
	count := make(map[pair]int)
	for v, w := range m {
		if w != edit.Deleted && old.of[v] != "" && fresh.of[w] != "" {
			count[pair{old.of[v], fresh.of[w]}]++
		}
	}
	done := make(map[pair]bool)
	for v, w := range slices.Clone(m) {
		if w == edit.Deleted || old.of[v] == "" || fresh.of[w] == "" {
			continue
		}
		p := pair{old.of[v], fresh.of[w]}
		if done[p] {
			continue
		}
		done[p] = true
		left := slices.DeleteFunc(slices.Clone(old.nodes[p.old]), func(v int) bool {
			return m[v] != edit.Deleted &&
				fresh.of[m[v]] != p.new
		})
		right := slices.DeleteFunc(slices.Clone(fresh.nodes[p.new]), func(w int) bool {
			return inverse[w] != edit.Deleted && old.of[inverse[w]] != p.old
		})
		if len(left)*len(right) > mostCompared {
			continue
		}
		for _, v := range left {
			if m[v] != edit.Deleted {
				inverse[m[v]], m[v] = edit.Deleted, edit.Deleted
			}
		}
		for _, pair := range s.mostAlike(left, right, count[p]) {
			m[pair[0]], inverse[pair[1]] = pair[1], pair[0]
		}
	}
}

// mostCompared is the number of pairs of names that are compared.
const mostCompared = 1 << 18

// mostAlike returns so many pairs of two lists, those most alike first.
func (s *Identities) mostAlike(left, right []int, most int) (list [][2]int) {
	type candidate struct {
		v, w  int
		alike float64
	}
	all := make([]candidate, 0, len(left)*len(right))
	for _, v := range left {
		for _, w := range right {
			all = append(all, candidate{v, w, alike(s.old[v], s.new[w])})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.alike, a.alike) })
	used, taken := make(map[int]bool), make(map[int]bool)
	for _, c := range all {
		if len(list) < most && !used[c.v] && !taken[c.w] {
			used[c.v], taken[c.w] = true, true
			list = append(list, [2]int{c.v, c.w})
		}
	}
	return list
}

// twins are the nodes of each class: those with the same edges to the same nodes.
type twins struct {
	of    []string // the class of each node, or ""
	nodes map[string][]int
}

// classes returns the classes of the nodes that count.
func classes(g *graph.Graph, counts func(v int) bool) twins {
	c := twins{make([]string, g.N()), make(map[string][]int)}
	for v := range g.N() {
		if !counts(v) {
			continue
		}
		key := []byte("o")
		for _, e := range g.Out(v) {
			key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(e.To)), uint64(e.Label))
		}
		key = append(key, "|i"...)
		for _, e := range g.In(v) {
			key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(e.To)), uint64(e.Label))
		}
		c.of[v] = string(key)
		c.nodes[string(key)] = append(c.nodes[string(key)], v)
	}
	return c
}
