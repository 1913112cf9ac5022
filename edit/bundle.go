package edit

import (
	"math"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// unmatched is the partner of an edge that has none.
const unmatched = -1

// insertAll returns the cost of inserting edges, whose labels increase.
func (p *Pricing) insertAll(b []graph.Label) float64 {
	total := 0.0
	for run := range runs(b) {
		total += float64(len(run)) * p.edges.insert(p.task, run[0])
	}
	return total
}

// deleteAll returns the cost of deleting edges, whose labels increase.
func (p *Pricing) deleteAll(a []graph.Label) float64 {
	total := 0.0
	for run := range runs(a) {
		total += float64(len(run)) * p.edges.delete(run[0])
	}
	return total
}

// runs yields the parts of a list, which increases, that have the same label.
func runs(labels []graph.Label) func(yield func([]graph.Label) bool) {
	return func(yield func([]graph.Label) bool) {
		for len(labels) > 0 {
			n := 1
			for n < len(labels) && labels[n] == labels[0] {
				n++
			}
			if !yield(labels[:n:n]) {
				return
			}
			labels = labels[n:]
		}
	}
}

// match returns the least cost of turning edges labelled a between two nodes into edges
// labelled b, and the number in b of the partner of each in a, or unmatched: an edge without
// a partner is deleted or inserted. Both lists increase.
func (p *Pricing) match(a, b []graph.Label) (cost float64, partner []int) {
	partner = slices.Repeat([]int{unmatched}, len(a))
	switch {
	case len(a) == 0:
		return p.insertAll(b), partner
	case len(b) == 0:
		return p.deleteAll(a), partner
	case len(a) == 1 && len(b) == 1:
		if !p.replaces(a[0], b[0]) {
			partner[0] = 0
		}
		return p.EdgeSubstitute(a[0], b[0]), partner
	case p.edges.table == nil:
		return p.matchEqual(a, b, partner), partner
	}
	return p.matchPriced(a, b, partner), partner
}

// matchEqual is match where only equality of labels matters. As many edges as possible
// become equal ones, then wildcards become any, and then the rest of the smaller side any.
func (p *Pricing) matchEqual(a, b []graph.Label, partner []int) float64 {
	taken := make([]bool, len(b))
	free := func(l graph.Label) bool { return p.edges.wild && l == graph.Wildcard }
	matched, changed := 0, 0
	pair := func(i, j int) {
		partner[i], taken[j] = j, true
		matched++
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case free(a[i]) || a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			pair(i, j)
			i, j = i+1, j+1
		}
	}
	next := 0
	rest := func(cost int, is func(graph.Label) bool) {
		for i, l := range a {
			if partner[i] != unmatched || !is(l) {
				continue
			}
			for next < len(b) && taken[next] {
				next++
			}
			if next == len(b) {
				return
			}
			pair(i, next)
			changed += cost
		}
	}
	rest(0, free)
	if p.edges.sub <= p.edges.del+p.edges.ins {
		rest(1, func(graph.Label) bool { return true })
	}
	return float64(changed)*p.edges.sub + float64(len(a)-matched)*p.edges.del + float64(len(b)-matched)*p.edges.ins
}

// matchPriced is match for a table. Since a substitution costs no more than a deletion and an
// insertion, a cheapest matching leaves out none of the smaller side. It is a transport from
// the labels of that side to those of the other, found by shortest augmenting paths
// (Edmonds and Karp 1972): equal labels are carried together.
func (p *Pricing) matchPriced(a, b []graph.Label, partner []int) float64 {
	swapped := len(a) > len(b)
	if swapped {
		a, b = b, a
	}
	from, to := slices.Collect(runs(a)), slices.Collect(runs(b))
	cost := make([]float64, len(from)*len(to)) // less what the partner would cost by itself
	for i, x := range from {
		for j, y := range to {
			if swapped {
				cost[i*len(to)+j] = p.EdgeSubstitute(y[0], x[0]) - p.edges.delete(y[0])
			} else {
				cost[i*len(to)+j] = p.EdgeSubstitute(x[0], y[0]) - p.edges.insert(p.task, y[0])
			}
		}
	}
	supply, demand := make([]int, len(from)), make([]int, len(to))
	for i, x := range from {
		supply[i] = len(x)
	}
	for j, y := range to {
		demand[j] = len(y)
	}
	flow := transport(cost, supply, demand)
	total, left := 0.0, make([]int, len(to)) // left: the first of each label that has no partner yet
	first := 0                               // of the label of from
	starts := make([]int, len(to))
	for j := 1; j < len(to); j++ {
		starts[j] = starts[j-1] + len(to[j-1])
	}
	for i, x := range from {
		at := first
		for j, y := range to {
			n := flow[i*len(to)+j]
			if n == 0 {
				continue
			}
			substitute, replaces := 0.0, false
			if swapped {
				substitute, replaces = p.EdgeSubstitute(y[0], x[0]), p.replaces(y[0], x[0])
			} else {
				substitute, replaces = p.EdgeSubstitute(x[0], y[0]), p.replaces(x[0], y[0])
			}
			total += float64(n) * substitute
			for range n {
				other := starts[j] + left[j]
				left[j]++
				switch {
				case replaces:
				case swapped:
					partner[other] = at
				default:
					partner[at] = other
				}
				at++
			}
		}
		first += len(x)
	}
	for j, y := range to {
		alone := float64(len(y) - left[j])
		if swapped {
			total += alone * p.edges.delete(y[0])
		} else {
			total += alone * p.edges.insert(p.task, y[0])
		}
	}
	return total
}

// mostMatched is the greatest number of different labels between two nodes that matchPriced
// takes; the time grows with its third power, and is about a tenth of a second here.
const mostMatched = 256

// mostBetween returns the greatest number of different labels of the edges between two nodes.
func mostBetween(graphs []*graph.Graph) int {
	most := 0
	for _, g := range graphs {
		if g.Simple() {
			continue
		}
		last, n := graph.Edge{From: -1}, 0
		for e := range g.Edges() {
			switch {
			case e.From != last.From || e.To != last.To:
				n = 1
			case e.Label != last.Label:
				n++
			}
			last, most = e, max(most, n)
		}
	}
	return most
}

// transport returns the cheapest way to carry all of supply, [n], to demand, [m], which is no
// less in sum: how much goes from i to j, [n, m]. cost is [n, m] and may be negative.
func transport(cost []float64, supply, demand []int) []int {
	n, m := len(supply), len(demand)
	flow := make([]int, n*m)
	spare := slices.Clone(demand)
	u, v := make([]float64, n), make([]float64, m) // cost − u − v ≥ 0, and 0 where there is flow
	for i := range n {
		u[i] = slices.Min(cost[i*m : i*m+m])
	}
	distance, before := make([]float64, m), make([]int, m) // to j, and the i that it is reached from
	done := make([]bool, m)
	reached, entry := make([]float64, n), make([]int, n) // distance of i, and the j that it is reached from
	for i := range n {
		for left := supply[i]; left > 0; {
			for j := range m {
				distance[j], done[j] = math.Inf(1), false
			}
			for k := range n {
				reached[k] = math.Inf(1)
			}
			reached[i], entry[i] = 0, -1
			relax := func(k int) {
				for j := range m {
					d := reached[k] + max(0, cost[k*m+j]-u[k]-v[j])
					if !done[j] && d < distance[j] {
						distance[j], before[j] = d, k
					}
				}
			}
			relax(i)
			end := -1
			for end < 0 {
				best := -1
				for j := range m {
					if !done[j] && (best < 0 || distance[j] < distance[best]) {
						best = j
					}
				}
				done[best] = true
				if spare[best] > 0 {
					end = best
					break
				}
				for k := range n {
					if flow[k*m+best] > 0 && math.IsInf(reached[k], 1) {
						reached[k], entry[k] = distance[best], best
						relax(k)
					}
				}
			}
			most := distance[end]
			for k := range n {
				if reached[k] <= most {
					u[k] += most - reached[k]
				}
			}
			for j := range m {
				if done[j] {
					v[j] -= most - distance[j]
				}
			}
			amount := min(left, spare[end])
			for j := end; before[j] != i; j = entry[before[j]] {
				amount = min(amount, flow[before[j]*m+entry[before[j]]])
			}
			for j := end; ; {
				k := before[j]
				flow[k*m+j] += amount
				if k == i {
					break
				}
				j = entry[k]
				flow[k*m+j] -= amount
			}
			spare[end] -= amount
			left -= amount
		}
	}
	return flow
}
