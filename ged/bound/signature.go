package bound

import (
	"slices"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
)

// Signature is what [Filter] needs to know about a graph: the multisets of its labels, and
// its degrees. It is small, immutable and safe for concurrent use. Signatures are comparable
// only if their graphs share a vocabulary and all or none are directed.
type Signature struct {
	directed     bool
	nodes, edges int
	// Runs of a value and its number of occurrences: labels ascending, degrees descending. An
	// undirected graph has its degrees as out-degrees, and no in-degrees.
	nodeLabels, edgeLabels, out, in []int32
}

// Sign returns the signature of g.
func Sign(g *graph.Graph) Signature {
	var s Signatures
	s.Append(g)
	return s.At(0)
}

// Nodes returns the number of nodes of the graph.
func (s Signature) Nodes() int { return s.nodes }

// Edges returns the number of edges of the graph.
func (s Signature) Edges() int { return s.edges }

// Signatures holds the signatures of many graphs in one block of memory. The zero value is
// empty.
type Signatures struct {
	words  []int32
	starts []int64 // of each signature in words, and the end of the last; nil: there are none
}

// head is the number of words before the runs: directedness, the numbers of nodes and edges,
// and the lengths of the four lists.
const head = 7

// SignaturesOf returns the signatures with the words that [Signatures.Words] returned. It
// keeps the slices, and returns nil if they are malformed. If forget is not nil, it is called
// with memory that has been read.
func SignaturesOf(words []int32, starts []int64, forget func([]byte)) *Signatures {
	s := &Signatures{words, starts}
	if len(starts) == 0 {
		if len(words) > 0 {
			return nil
		}
		return s
	}
	if starts[0] != 0 || starts[len(starts)-1] != int64(len(words)) {
		return nil
	}
	const stride = 1 << 15
	for first := 0; first < s.Len(); first += stride {
		last := min(first+stride, s.Len())
		for i, from := range starts[first:last] {
			if to := starts[first+i+1]; to-from < head || to > int64(len(words)) || !wellFormed(words[from:to]) {
				return nil
			}
		}
		if forget != nil {
			forget(kernel.Bytes(words[starts[first]:starts[last]]))
			forget(kernel.Bytes(starts[first:last]))
		}
	}
	return s
}

func wellFormed(w []int32) bool {
	length := int64(head)
	for _, n := range w[3:head] {
		if n < 0 || n%2 != 0 {
			return false
		}
		length += int64(n)
	}
	return length == int64(len(w)) && w[1] >= 0 && w[2] >= 0
}

// Words returns the words of all signatures and where each starts, for [SignaturesOf].
func (s *Signatures) Words() (words []int32, starts []int64) { return s.words, s.starts }

// Len returns the number of signatures.
func (s *Signatures) Len() int { return max(0, len(s.starts)-1) }

// At returns signature i, which shares the memory.
func (s *Signatures) At(i int) Signature {
	w := s.words[s.starts[i]:s.starts[i+1]]
	lists, at := [4][]int32{}, int32(head)
	for k := range lists {
		n := w[3+k]
		lists[k] = w[at : at+n]
		at += n
	}
	return Signature{w[0] != 0, int(w[1]), int(w[2]), lists[0], lists[1], lists[2], lists[3]}
}

// Append adds the signature of g.
func (s *Signatures) Append(g *graph.Graph) {
	if s.starts == nil {
		s.starts = append(s.starts, 0)
	}
	first := len(s.words)
	s.words = append(s.words, 0, int32(g.N()), int32(g.M()), 0, 0, 0, 0)
	values := make([]int32, 0, max(g.N(), g.M()))
	for _, l := range g.Labels() {
		values = append(values, int32(l))
	}
	s.appendRuns(first+3, values, false)
	values = values[:0]
	for e := range g.Edges() {
		values = append(values, int32(e.Label))
	}
	s.appendRuns(first+4, values, false)
	s.appendRuns(first+5, degrees(values, g, g.Out), true)
	if g.Directed() {
		s.words[first] = 1
		s.appendRuns(first+6, degrees(values, g, g.In), true)
	}
	s.starts = append(s.starts, int64(len(s.words)))
}

// appendRuns sorts values, appends their runs and stores their number of words.
func (s *Signatures) appendRuns(length int, values []int32, descending bool) {
	slices.Sort(values)
	if descending {
		slices.Reverse(values)
	}
	from := len(s.words)
	for i, v := range values {
		if i == 0 || v != values[i-1] {
			s.words = append(s.words, v, 0)
		}
		s.words[len(s.words)-1]++
	}
	s.words[length] = int32(len(s.words) - from)
}

func degrees(buf []int32, g *graph.Graph, arcs func(int) []graph.Arc) []int32 {
	buf = buf[:0]
	for v := range g.N() {
		buf = append(buf, int32(len(arcs(v))))
	}
	return buf
}

// Labels returns the labels that occur in any of the graphs, ascending.
func (s *Signatures) Labels() (nodes, edges []graph.Label) {
	seen := [2]map[int32]bool{make(map[int32]bool), make(map[int32]bool)}
	for i := range s.Len() {
		g := s.At(i)
		for k, runs := range [][]int32{g.nodeLabels, g.edgeLabels} {
			for ; len(runs) > 0; runs = runs[2:] {
				seen[k][runs[0]] = true
			}
		}
	}
	return sorted(seen[0]), sorted(seen[1])
}

func sorted(set map[int32]bool) []graph.Label {
	var list []graph.Label
	for l := range set {
		list = append(list, graph.Label(l))
	}
	slices.Sort(list)
	return list
}

// common returns the size of the intersection of two multisets of labels.
func common(a, b []int32) int {
	total := int32(0)
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[2:]
		case a[0] > b[0]:
			b = b[2:]
		default:
			total += min(a[1], b[1])
			a, b = a[2:], b[2:]
		}
	}
	return int(total)
}

// Shared returns the share of the node and edge labels of two graphs that they have in
// common: 1 for equal multisets, 0 for disjoint ones.
func Shared(a, b Signature) float64 {
	both := common(a.nodeLabels, b.nodeLabels) + common(a.edgeLabels, b.edgeLabels)
	either := a.nodes + a.edges + b.nodes + b.edges - both
	if either == 0 {
		return 1
	}
	return float64(both) / float64(either)
}

// wildcards returns how often [graph.Wildcard], the least label, occurs.
func wildcards(a []int32) int {
	if len(a) > 0 && graph.Label(a[0]) == graph.Wildcard {
		return int(a[1])
	}
	return 0
}

// excess returns the sums of max(0, q−t) and max(0, t−q) over two descending sequences of
// degrees, paired in order, the shorter padded with zeros. No other pairing makes either sum
// smaller.
func excess(q, t []int32) (surplus, deficit int) {
	var left, right int32 // of the first runs
	if len(q) > 0 {
		left = q[1]
	}
	if len(t) > 0 {
		right = t[1]
	}
	for len(q) > 0 && len(t) > 0 {
		n := min(left, right)
		e := int(n) * int(q[0]-t[0])
		surplus += max(e, 0)
		deficit += max(-e, 0)
		if left -= n; left == 0 {
			if q = q[2:]; len(q) > 0 {
				left = q[1]
			}
		}
		if right -= n; right == 0 {
			if t = t[2:]; len(t) > 0 {
				right = t[1]
			}
		}
	}
	return surplus + rest(q, left), deficit + rest(t, right)
}

// rest returns the sum of a sequence that begins within its first run, of which left
// values remain.
func rest(runs []int32, left int32) int {
	sum := 0
	for ; len(runs) > 0; runs = runs[2:] {
		sum += int(runs[0]) * int(left)
		if len(runs) > 2 {
			left = runs[3]
		}
	}
	return sum
}
