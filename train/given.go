package train

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/truth"
)

const (
	// leastGiven is the least number of validation pairs.
	leastGiven = 50
	// starTargets is the number of targets that a query brings into a batch if few of all
	// pairs are given.
	starTargets = 8
	// Pairs are stored as a matrix if at least one in denseShare of its cells is given and it
	// has at most mostCells cells.
	denseShare = 16
	mostCells  = 20_000_000
)

// Given divides pairs whose distances are given. Pairs of two held-out graphs are for
// validation and pairs of two others for training; mixed pairs are not used. held,
// [len(graphs)], says which graphs are held out; if it is nil, they are chosen as by
// [Plan.Prepare]. If that leaves too few pairs, pairs are held out instead of graphs, and if
// there are too few of these, nothing. A pair given twice counts once, with the intersection
// of its bounds; if that is empty, the error is a [ContradictionError].
func (p Plan) Given(graphs []*graph.Graph, pairs []truth.Pair, held []bool) (Data, error) {
	if len(pairs) == 0 {
		return Data{}, ErrNoPairs
	}
	pairs, err := merge(pairs, p.Task.Symmetric())
	if err != nil {
		return Data{}, err
	}
	b := &planner{plan: p, rng: rand.New(rand.NewPCG(p.Seed, 0xbb67ae8584caa73b))}
	data := Data{Graphs: graphs}
	learn, check := divide(pairs, held)
	if held == nil {
		held = b.hold(graphs)
		learn, check = divide(pairs, held)
		if enough := min(leastGiven, len(pairs)/20); len(check) < max(2, enough) || len(learn) < len(pairs)/4 {
			b.rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
			tenth := int(p.Validation * float64(len(pairs)))
			data.Held, check, learn, held = HeldPairs, pairs[:tenth], pairs[tenth:], nil
			if tenth < 2 {
				data.Held, check, learn = HeldNothing, pairs, pairs
			}
		}
	}
	data.Train, data.Valid = b.pack(learn), b.pack(check)
	seen := make([]bool, len(graphs))
	for _, pair := range learn {
		for _, g := range []int32{pair.Query, pair.Target} {
			if !seen[g] {
				seen[g] = true
				data.Learnt = append(data.Learnt, graphs[g])
			}
		}
	}
	if data.Held == HeldGraphs {
		for _, pair := range check {
			for _, g := range []int32{pair.Query, pair.Target} {
				if !seen[g] {
					seen[g] = true
					data.Unseen = append(data.Unseen, graphs[g])
				}
			}
		}
	}
	return data, nil
}

// hold chooses the graphs to hold out.
func (b *planner) hold(graphs []*graph.Graph) []bool {
	held := make([]bool, len(graphs))
	for _, i := range b.parts(graphs)[1] {
		held[i] = true
	}
	return held
}

// divide returns the pairs of two graphs that are not held out, and those of two that are.
func divide(pairs []truth.Pair, held []bool) (learn, check []truth.Pair) {
	for _, p := range pairs {
		switch {
		case held == nil || held[p.Query] != held[p.Target]:
		case held[p.Query]:
			check = append(check, p)
		default:
			learn = append(learn, p)
		}
	}
	return learn, check
}

// merge returns the pairs without repetition, in the order of their graphs.
func merge(pairs []truth.Pair, symmetric bool) ([]truth.Pair, error) {
	pairs = slices.Clone(pairs)
	if symmetric {
		for i, p := range pairs {
			pairs[i].Query, pairs[i].Target = min(p.Query, p.Target), max(p.Query, p.Target)
		}
	}
	slices.SortStableFunc(pairs, func(a, b truth.Pair) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.Target, b.Target))
	})
	merged := pairs[:0]
	for _, p := range pairs {
		if n := len(merged); n > 0 && merged[n-1].Query == p.Query && merged[n-1].Target == p.Target {
			last := &merged[n-1]
			lower, upper := max(last.Lower, p.Lower), min(last.Upper, p.Upper)
			if lower > upper {
				return nil, &ContradictionError{*last, p}
			}
			last.Lower, last.Upper = lower, upper
			continue
		}
		merged = append(merged, p)
	}
	return merged, nil
}

// ContradictionError reports a pair that was given twice with disjoint bounds.
type ContradictionError struct{ First, Second truth.Pair }

// Error names the graphs by their numbers.
func (e *ContradictionError) Error() string {
	return fmt.Sprintf("train: the pair of graphs %d and %d is given twice, with bounds %v to %v and %v to %v",
		e.First.Query, e.First.Target, e.First.Lower, e.First.Upper, e.Second.Lower, e.Second.Upper)
}

// pack returns blocks that hold the pairs, which are sorted by query. If enough of all pairs
// are given, they form one matrix. Otherwise a block holds one query and some of its targets.
func (b *planner) pack(pairs []truth.Pair) []Block {
	queries, rows := numbers(pairs, func(p truth.Pair) int32 { return p.Query })
	targets, columns := numbers(pairs, func(p truth.Pair) int32 { return p.Target })
	if cells := len(queries) * len(targets); cells <= mostCells && cells <= denseShare*len(pairs) {
		m := Block{Queries: queries, Targets: targets, Lower: make([]float32, cells), Upper: make([]float32, cells)}
		for i := range m.Lower {
			m.Lower[i] = float32(math.NaN())
		}
		for _, p := range pairs {
			k := rows[p.Query]*len(targets) + columns[p.Target]
			m.Lower[k], m.Upper[k] = float32(p.Lower), float32(p.Upper)
		}
		return []Block{m}
	}
	ofQuery := make([][]truth.Pair, len(queries))
	for _, p := range pairs {
		ofQuery[rows[p.Query]] = append(ofQuery[rows[p.Query]], p)
	}
	var stars []Block
	for _, list := range ofQuery {
		b.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for part := range slices.Chunk(list, starTargets) {
			star := Block{Queries: []int32{part[0].Query}}
			for _, p := range part {
				star.Targets = append(star.Targets, p.Target)
				star.Lower = append(star.Lower, float32(p.Lower))
				star.Upper = append(star.Upper, float32(p.Upper))
			}
			stars = append(stars, star)
		}
	}
	return stars
}

// numbers lists the graphs on one side of the pairs, and their rows in the list.
func numbers(pairs []truth.Pair, side func(truth.Pair) int32) (list []int32, row map[int32]int) {
	row = make(map[int32]int)
	for _, p := range pairs {
		g := side(p)
		if _, ok := row[g]; !ok {
			row[g] = len(list)
			list = append(list, g)
		}
	}
	return list, row
}
