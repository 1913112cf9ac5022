package diff

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/ordered"
)

// Program is the functions of one version of a program: a graph of each.
type Program struct {
	Names  []string
	Graphs []*graph.Graph
	// Calls are the functions that each calls, ascending and each once; nil if no call graph is known.
	Calls [][]int
}

// Fate says what became of a function besides a change of its graph.
type Fate string

// The fates of functions. A moved one has the same name in another module, and a renamed one another name. One that was
// split off took a part of another's body, and one that was merged became such a part.
const (
	FateRenamed Fate = "renamed"
	FateMoved   Fate = "moved"
	FateSplit   Fate = "split"
	FateMerged  Fate = "merged"
)

// Function is an old function, its new version, or both.
type Function struct {
	Together
	Fate Fate   // "" of functions that kept their name, and of those that were only added or removed
	Why  string // what speaks for the fate
	// Of is, of an added function that was split off, the function of the new version that lost the part; of a removed
	// one that was merged, the old function that took it; else -1.
	Of int
}

// How much must speak for two functions being one. The evidence of a pair is how alike the graphs are, from 0 to 1,
// which counts for less if they are small, half of how alike the names are, and the share of their calls that are the
// same.
const (
	leastEvidence = 0.85
	leastAlike    = 0.3 // of graphs
	largeEnough   = 24  // features of a graph that counts in full: of seven nodes in a row
	leastTaken    = 0.6 // share of a function that another one lost or took
	leastCalled   = 0.4 // the same, if one calls the other
	smallestPart  = 10  // features of a function that may be a part: of three nodes in a row
	mostMeasured  = 4   // pairs of a function whose distance is computed
	mostCalls     = 32  // calls of a function that lead to pairs
)

// MatchFunctions matches the functions of two versions of a program, all together. Functions of one name are one, and
// names occur once. Of the others those that have most evidence for each other are matched, best first, where calls
// count as far as their ends are matched by then, until nothing is left for which enough speaks. distance returns that
// of the graphs of an old and a new function; worker tells goroutines apart, of which there are so many.
//
// A function that has no match was split off if a changed function lost most of what it has, and calls it, where calls
// are known; or merged, if the changed function took most of it, and was its caller.
func MatchFunctions(ctx context.Context, old, fresh *Program, workers int,
	distance func(ctx context.Context, worker, i, j int) (float64, error)) ([]Function, error) {
	m := &programs{old: newFunctions(old), fresh: newFunctions(fresh)}
	pairs, err := Namesakes(old.Names, fresh.Names)
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		if p.Old >= 0 && p.New >= 0 {
			m.match(p.Old, p.New)
		}
	}
	if err := m.measure(ctx, workers, distance); err != nil {
		return nil, err
	}
	for ties := false; ; {
		matched := m.round(ties)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if matched == 0 && ties {
			return m.list(), nil
		}
		ties = matched == 0
	}
}

// functions is one version with what is known of its functions.
type functions struct {
	*Program
	features []features
	names    []features // pairs of characters, without modules
	calls    [2][][]int // the functions that each calls, and those that call it
	partner  []int      // or -1
}

func newFunctions(p *Program) *functions {
	f := &functions{Program: p, calls: [2][][]int{p.Calls, make([][]int, len(p.Names))}}
	if p.Calls == nil {
		f.calls[0] = make([][]int, len(p.Names))
	}
	for v, list := range p.Calls {
		for _, w := range list {
			f.calls[1][w] = append(f.calls[1][w], v)
		}
	}
	for i := range p.Names {
		f.features = append(f.features, featuresOf(p.Graphs[i]))
		_, name := divide(p.Names[i])
		f.names = append(f.names, pairsOf(name))
		f.partner = append(f.partner, -1)
	}
	return f
}

// programs are two versions that are being matched.
type programs struct {
	old, fresh *functions
	alike      map[[2]int]float64 // how alike the graphs of two functions are that may be one
}

func (m *programs) match(i, j int) { m.old.partner[i], m.fresh.partner[j] = j, i }

// free lists the functions that have no partner.
func (f *functions) free() (list []int) {
	for v, w := range f.partner {
		if w < 0 {
			list = append(list, v)
		}
	}
	return list
}

// measure finds how alike the free functions are: by their features, and those that are most alike by their distances.
func (m *programs) measure(ctx context.Context, workers int,
	distance func(ctx context.Context, worker, i, j int) (float64, error)) error {
	m.alike = make(map[[2]int]float64)
	left, right := m.old.free(), m.fresh.free()
	var measured [][2]int
	err := ordered.Map(ctx, len(left), workers, func(ctx context.Context, _, k int) ([]scored, error) {
		var list []scored
		for _, j := range right {
			list = append(list, scored{j, m.old.features[left[k]].alike(m.fresh.features[j])})
		}
		slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
		return list, ctx.Err()
	}, func(k int, list []scored) error {
		for n, c := range list {
			pair := [2]int{left[k], c.of}
			near := n < mostMeasured || n < 4*mostMeasured && c.score == list[0].score
			if near && c.score > 0 && c.score < 1 {
				measured = append(measured, pair)
			}
			if near || m.namesAlike(pair[0], pair[1]) >= .5 {
				m.alike[pair] = c.score
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return ordered.Map(ctx, len(measured), workers, func(ctx context.Context, worker, k int) (float64, error) {
		return distance(ctx, worker, measured[k][0], measured[k][1])
	}, func(k int, d float64) error {
		a, b := m.old.Graphs[measured[k][0]], m.fresh.Graphs[measured[k][1]]
		m.alike[measured[k]] = max(0, 1-d/float64(max(1, a.N()+a.M(), b.N()+b.M())))
		return nil
	})
}

type scored struct {
	of    int
	score float64
}

// namesAlike is [alike] of the names of two functions.
func (m *programs) namesAlike(i, j int) float64 {
	a, b := m.old.names[i], m.fresh.names[j]
	return 2 * float64(a.common(b)) / float64(max(1, len(a)+len(b)))
}

// follow adds the pairs of free functions to which calls of matched ones lead, and from which they come.
func (m *programs) follow() {
	for i, j := range m.old.partner {
		if j < 0 {
			continue
		}
		for side := range 2 {
			a, b := m.old.calls[side][i], m.fresh.calls[side][j]
			if len(a) > mostCalls || len(b) > mostCalls {
				continue
			}
			for _, v := range a {
				for _, w := range b {
					pair := [2]int{v, w}
					if _, known := m.alike[pair]; !known && m.old.partner[v] < 0 && m.fresh.partner[w] < 0 {
						m.alike[pair] = m.old.features[v].alike(m.fresh.features[w])
					}
				}
			}
		}
	}
}

// evidence returns what speaks for a pair, and the calls that it keeps of how many.
func (m *programs) evidence(i, j int) (sum float64, kept, all int) {
	for side := range 2 {
		a, b := m.old.calls[side][i], m.fresh.calls[side][j]
		all += max(len(a), len(b))
		for _, v := range a {
			w := m.old.partner[v]
			if v == i {
				w = j
			}
			if _, found := slices.BinarySearch(b, w); found && w >= 0 {
				kept++
			}
		}
	}
	size := float64(min(len(m.old.features[i]), len(m.fresh.features[j])))
	sum = m.alike[[2]int{i, j}]*min(1, size/largeEnough) + m.namesAlike(i, j)/2
	if all > 0 {
		sum += float64(kept) / float64(all)
	}
	return sum, kept, all
}

// round matches the free functions that have most evidence for each other, and returns how many. Of several that have
// the same evidence none is matched, unless they may be.
func (m *programs) round(ties bool) (matched int) {
	m.follow()
	type candidate struct {
		i, j int
		sum  float64
	}
	var list []candidate
	best := [2]map[int][]float64{{}, {}} // of each function, the evidence of the two best
	for pair, alike := range m.alike {
		i, j := pair[0], pair[1]
		if m.old.partner[i] >= 0 || m.fresh.partner[j] >= 0 {
			continue
		}
		sum, _, _ := m.evidence(i, j)
		if alike < leastAlike || sum < leastEvidence {
			continue
		}
		list = append(list, candidate{i, j, sum})
		for side, v := range pair {
			two := append(best[side][v], sum)
			slices.SortFunc(two, func(a, b float64) int { return cmp.Compare(b, a) })
			best[side][v] = two[:min(2, len(two))]
		}
	}
	tied := func(c candidate) bool {
		a, b := best[0][c.i], best[1][c.j]
		return len(a) > 1 && a[1] == c.sum || len(b) > 1 && b[1] == c.sum
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j))
	})
	// Only the best are matched, since the calls of others count for more once these are.
	most := -1.0
	for _, c := range list {
		if c.sum < most-.1 {
			break
		}
		if m.old.partner[c.i] < 0 && m.fresh.partner[c.j] < 0 && (ties || !tied(c)) {
			m.match(c.i, c.j)
			matched++
			most = max(most, c.sum)
		}
	}
	return matched
}

// list says what became of each function: the old ones in their order, then those that are new.
func (m *programs) list() (list []Function) {
	for i, j := range m.old.partner {
		f := Function{Together: Together{i, j}, Of: -1}
		switch {
		case j < 0:
			f.part(m.fresh, m.old, i, FateMerged)
		case m.old.Names[i] != m.fresh.Names[j]:
			f.Fate = FateRenamed
			_, last := divide(m.old.Names[i])
			if _, name := divide(m.fresh.Names[j]); last == name {
				f.Fate = FateMoved
			}
			f.Why = m.why(i, j)
		}
		list = append(list, f)
	}
	for j, i := range m.fresh.partner {
		if i < 0 {
			f := Function{Together: Together{-1, j}, Of: -1}
			f.part(m.old, m.fresh, j, FateSplit)
			list = append(list, f)
		}
	}
	return list
}

// why says what speaks for a pair of different names.
func (m *programs) why(i, j int) string {
	var parts []string
	if alike := m.alike[[2]int{i, j}]; alike == 1 {
		parts = append(parts, "the same graph")
	} else {
		parts = append(parts, fmt.Sprintf("%.0f %% of its graph", 100*alike))
	}
	if _, kept, all := m.evidence(i, j); all > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s", kept, plural(all, "call")))
	}
	return strings.Join(parts, ", ")
}

// part finds the function from which v of the version here was split, if v is new, or into which it was merged: its
// caller in this version that has less in common with its other version there by most of what v has.
func (f *Function) part(there, here *functions, v int, fate Fate) {
	whole := len(here.features[v])
	if whole < smallestPart {
		return
	}
	best, least := 0.0, leastTaken
	if here.Calls != nil {
		least = leastCalled
	}
	for u, w := range here.partner {
		if w < 0 {
			continue
		}
		if here.Calls != nil {
			if _, calls := slices.BinarySearch(here.Calls[u], v); !calls {
				continue
			}
		}
		lost := there.features[w].without(here.features[u])
		taken := float64(lost.common(here.features[v])) / float64(whole)
		// Without calls the part must explain what its function lost, too.
		if here.Calls == nil && 2*lost.common(here.features[v]) < len(lost) {
			continue
		}
		if taken >= least && taken > best {
			best = taken
			f.Fate, f.Of = fate, u
			f.Why = fmt.Sprintf("%.0f %% of it", 100*taken)
			if here.Calls != nil {
				f.Why += ", and a call"
			}
		}
	}
}
