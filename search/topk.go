package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/greedgraph/greed/edit"
)

// topK decides how near a graph must be to be an answer, given the upper bounds found so
// far.
type topK struct {
	k      int
	unit   edit.Unit
	radius float64 // the greatest distance of an answer
	above  float64 // the least beyond
	best   []found // the k first, in order
	ranks  ranker
}

// found is an upper bound of a graph. Answers are in the order of bounds, then of ranks.
type found struct {
	upper float64
	rank  rank
}

func (f found) compare(other found) int {
	return cmp.Or(cmp.Compare(f.upper, other.upper), f.rank.compare(other.rank))
}

func newTopK(opt Options, u edit.Unit, ranks ranker) *topK {
	return &topK{k: opt.K, unit: u, radius: edit.Within(opt.radius()), above: u.Above(opt.radius()), ranks: ranks}
}

// last returns the k-th of the graphs found, if there are as many.
func (b *topK) last() (last found, ok bool) {
	if b.k == 0 || len(b.best) < b.k {
		return found{}, false
	}
	return b.best[b.k-1], true
}

// admits reports whether k may be an answer.
func (b *topK) admits(k *candidate) bool {
	return b.nearer(k.Lower) || b.level(k.Lower) && b.leads(k.rank)
}

// level reports whether a graph whose distance is lower may be an answer only in place of the last.
func (b *topK) level(lower float64) bool {
	last, ok := b.last()
	return ok && lower == last.upper && lower <= b.radius
}

// leads reports whether a graph of this rank would be an answer in place of the last if
// it were as near, or is the last.
func (b *topK) leads(r rank) bool {
	last, ok := b.last()
	return ok && r.compare(last.rank) <= 0
}

// nearer reports whether a graph whose distance is lower or more may be nearer than the
// k-th.
func (b *topK) nearer(lower float64) bool {
	last, ok := b.last()
	return lower <= b.radius && (!ok || lower < last.upper)
}

// reach returns the greatest distance at which a graph without bounds may be an answer.
func (b *topK) reach() float64 {
	if last, ok := b.last(); ok {
		return min(b.radius, last.upper)
	}
	return b.radius
}

// interest returns the distance from which on k is not an answer, or 0 if there is none. The solver can stop there.
func (b *topK) interest(k *candidate) float64 {
	last, ok := b.last()
	switch {
	case !ok || k.Upper <= last.upper:
		return limit(b.above)
	case b.leads(k.rank):
		return limit(min(b.above, b.unit.Above(last.upper)))
	}
	return b.limit()
}

// limit returns the distance from which on a graph that ranks after the others is no
// answer, or 0 if there is none.
func (b *topK) limit() float64 {
	most := b.above
	if last, ok := b.last(); ok {
		most = min(most, last.upper)
	}
	return limit(most)
}

// limit returns what the solver takes as a limit: 0 is none.
func limit(distance float64) float64 {
	if math.IsInf(distance, 1) {
		return 0
	}
	return distance
}

// replace records that the upper bound of k has changed from old, which is +Inf if it had none.
func (b *topK) replace(k *candidate, old float64) {
	r, upper := k.rank, k.Upper
	if b.k == 0 || upper >= old {
		return
	}
	if last, ok := b.last(); ok && upper > last.upper {
		return
	}
	if i, ok := slices.BinarySearchFunc(b.best, found{old, r}, found.compare); ok {
		b.best = slices.Delete(b.best, i, i+1)
	}
	i, _ := slices.BinarySearchFunc(b.best, found{upper, r}, found.compare)
	b.best = slices.Insert(b.best, i, found{upper, r})
	b.best = b.best[:min(len(b.best), b.k)]
}

// pick divides the candidates into the answers and those that bounds leave open. The
// answers are the k first within the radius.
func (b *topK) pick(candidates []candidate) (answers, missing []Answer) {
	type ranked struct {
		*candidate
		rank rank
	}
	var order []ranked
	for i := range candidates {
		if a := &candidates[i]; a.Map != nil && a.Upper <= b.radius {
			r := ranked{a, a.rank}
			if b.k == 0 {
				r.rank = b.ranks.rank(a.Position)
			}
			order = append(order, r)
		}
	}
	slices.SortFunc(order, func(x, y ranked) int {
		return cmp.Or(cmp.Compare(x.Upper, y.Upper), cmp.Compare(x.Lower, y.Lower), x.rank.compare(y.rank))
	})
	if b.k > 0 && len(order) > b.k {
		order = order[:b.k]
	}
	given := make(map[int]bool, len(order))
	for _, a := range order {
		given[a.Position] = true
		answers = append(answers, a.Answer)
	}
	last := math.Inf(1)
	if b.k > 0 && len(order) == b.k {
		last = answers[b.k-1].Upper
	}
	for i := range candidates {
		if a := &candidates[i]; !given[a.Position] && !a.Exact && a.Lower <= b.radius && a.Lower < last {
			missing = append(missing, a.Answer)
		}
	}
	slices.SortFunc(missing, byLower)
	return answers, missing
}

// byLower orders answers by their lower bounds, then by positions.
func byLower(a, b Answer) int {
	return cmp.Or(cmp.Compare(a.Lower, b.Lower), cmp.Compare(a.Position, b.Position))
}

// Tied says which graphs are as far away as the last of K answers but come after it in the
// order of equals. It is zero if none are.
type Tied struct {
	Distance float64 `json:"distance" doc:"The distance of the last answer"`
	More     int     `json:"more" doc:"Graphs at this distance that are no answers"` // as far as is known
	Open     bool    `json:"open,omitempty" doc:"There may be more of them; a search within this distance counts all"`
}

// String says how many there are, as the end of a sentence.
func (t Tied) String() string {
	switch {
	case t == Tied{}:
		return ""
	case t.More == 0:
		return fmt.Sprintf("; there may be more at distance %v", t.Distance)
	case t.Open:
		return fmt.Sprintf("; at least %d more at distance %v", t.More, t.Distance)
	}
	return fmt.Sprintf("; %d more at distance %v", t.More, t.Distance)
}

// tied counts the candidates that are as far away as the last of k answers and are none, up
// to the rounding of sums, as a search within that distance would. others is the least
// distance of graphs that are not candidates.
func (b *topK) tied(candidates []candidate, answers []Answer, others float64) (t Tied) {
	if b.k == 0 || len(answers) < b.k {
		return t
	}
	last := answers[b.k-1]
	if !last.Exact {
		return t
	}
	given := make(map[int]bool, len(answers))
	for _, a := range answers {
		given[a.Position] = true
	}
	most := edit.Within(last.Upper)
	t = Tied{Distance: last.Upper, Open: others <= most}
	for i := range candidates {
		switch a := &candidates[i]; {
		case given[a.Position] || a.Lower > most:
		case a.Exact:
			t.More++
		default:
			t.Open = true
		}
	}
	return t
}
