package space

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// Options say what a search looks for.
type Options struct {
	Task edit.Task
	// SMARTS, if not nil, asks for what contains this pattern. The query is its graph ([chem.SMARTS.Graph]), the task
	// [edit.SED] and the radius 0.
	SMARTS *chem.SMARTS
	// Radius is the greatest distance of an answer; nil: that of the K nearest.
	Radius *float64
	// K is how many answers are wanted at most; 0: all within the radius.
	K       int
	Time    time.Duration // 0: no limit
	Workers int           // 0: one per core
}

// Answer is a product. Reactions that make the same product, with the same stereochemistry, are its origins.
type Answer struct {
	SMILES   string
	Distance float64
	Origins  []Origin
}

// Origin is a way to make a product.
type Origin struct {
	Reaction *Reaction
	Synthons []*Synthon // one for each component
}

// Result is what a search found.
type Result struct {
	// Answers are the products found, the nearest first; those as far away are in the order of the file.
	Answers []Answer
	// Complete reports that the answers are proven: no other product is within the radius or, of the K nearest,
	// nearer than the last. Otherwise time was up.
	Complete bool
	// Radius is how far the search got: all products within this distance are among the answers, unless there
	// are more than K. It is negative if there is no such distance.
	Radius float64
	// Tied reports that there may be other products as far away as the last of K.
	Tied bool
	// Open is the number of products that bounds leave open, where the search ended before, and -1 if they were not
	// counted.
	Open int64
	// Contain are the least and the greatest number of products that contain the query, each way to make one counted,
	// where the search is for those and could count them without making them.
	Contain *[2]uint64

	Stats Stats
}

// Stats count what a search looked at.
type Stats struct {
	Products uint64 `json:"products"`         // in the space
	Synthons int    `json:"synthons_decided"` // whose distance to the query was computed
	Made     int    `json:"made"`             // products that were made and compared
	Wrong    int    `json:"wrong,omitempty"`  // of these, that are no molecules
}

// Search finds all products within a distance of q, or the nearest, by unit costs, without making the others. It
// stands on bounds that are sums over synthons:
//
//   - Counts of atoms and bonds by their labels. They are those of the product, but for bonds that may become
//     aromatic across synthons, which match any label.
//   - For [edit.GED], subgraph edit distances. Of the edits of a node map from q to a product, each that inserts or
//     changes an atom or a bond of the product belongs to one synthon, and the inverse of the map gives, restricted
//     to the synthon, a map to q that costs as much. So the distance is at least the sum of the subgraph edit
//     distances from the synthons to q.
//
// Synthons with the same counts and distance form a class, and classes are joined component by component as long as a
// product may be within the radius. What remains is made and given to the solver.
//
// The labels of q belong to the vocabulary of s or an extension of it. If ctx ends, Search returns what is known with
// its error.
func (s *Space) Search(ctx context.Context, q *graph.Graph, opt Options) (*Result, error) {
	if graph.Common(s.vocab, q.Vocabulary()) == nil {
		panic("space: query and space of different vocabularies")
	}
	switch {
	case q.Directed():
		return nil, errors.New("a directed graph is no molecule")
	case opt.Task != edit.GED && opt.Task != edit.SED:
		return nil, fmt.Errorf("spaces are searched by ged or sed, not by %v", opt.Task)
	case q.N() > maxAtoms:
		return nil, fmt.Errorf("the query has %d atoms, at most %d are supported", q.N(), maxAtoms)
	case opt.Radius == nil && opt.K <= 0:
		return nil, errors.New("a search needs a radius or a number of answers")
	}
	x, err := newSearcher(ctx, s, q, opt)
	if err != nil {
		return nil, err
	}
	_, products := s.Size()
	r := &Result{Radius: -1, Stats: Stats{Products: products}}
	first, last := 0, x.farthest
	if opt.Radius != nil {
		last = int(math.Min(*opt.Radius, float64(last))) // distances are integers
		if opt.K == 0 {
			first = last
		}
	}
	for radius := first; radius <= last; radius++ {
		done, err := x.within(radius, r)
		if err != nil {
			return nil, err
		}
		if !done {
			break
		}
		r.Radius = float64(radius)
		enough := opt.K > 0 && len(x.found) >= opt.K
		if !enough && radius < last {
			continue
		}
		r.Complete, r.Tied = true, enough && r.Open > 0
		if opt.Radius != nil && !enough {
			r.Radius = *opt.Radius
		}
		break
	}
	r.Stats.Wrong = len(x.wrong)
	x.conclude(r)
	if r.Complete {
		return r, nil
	}
	return r, ctx.Err()
}

// searcher is a search in progress.
type searcher struct {
	*profile
	space    *Space
	q        *graph.Graph
	opt      Options
	ctx      context.Context
	begin    time.Time
	counts   []counts // [parts]
	apart    []int16  // [parts] subgraph edit distances to q, or what they are at least; -1: unknown
	exact    []bool   // [parts] whether that is the distance
	workers  []*worker
	farthest int // distance that no product exceeds

	mu    sync.Mutex
	found map[string]*hit // by SMILES
	hits  map[origin]bool // that have been found
	wrong map[origin]bool // that cannot be made
}

// origin is a product by its place in the space. Components are at most maxComponents.
type origin struct {
	reaction int32
	synthons [maxComponents]int32
}

// hit is an answer with its origins.
type hit struct {
	key      string // of [worker.key]
	distance int
	origins  []origin
}

func newSearcher(ctx context.Context, s *Space, q *graph.Graph, opt Options) (*searcher, error) {
	x := &searcher{
		profile: newProfile(opt.Task, q), space: s, q: q, opt: opt, ctx: ctx, begin: time.Now(),
		found: map[string]*hit{}, hits: map[origin]bool{}, wrong: map[origin]bool{},
	}
	x.counts, x.apart, x.exact = make([]counts, len(s.parts)), make([]int16, len(s.parts)), make([]bool, len(s.parts))
	for i, p := range s.parts {
		x.counts[i], x.apart[i] = x.of(p.graph), -1
	}
	for range cmp.Or(max(0, opt.Workers), runtime.GOMAXPROCS(0)) {
		w, err := newWorker(x)
		if err != nil {
			return nil, err
		}
		x.workers = append(x.workers, w)
	}
	x.farthest = q.N() + q.M()
	if opt.Task == edit.GED {
		for i := range s.Reactions {
			size := 0
			for _, c := range s.Reactions[i].Components {
				most := 0
				for _, synthon := range c.Synthons {
					most = max(most, synthon.part.graph.N()+synthon.part.graph.M()+len(c.ports))
				}
				size += most
			}
			x.farthest = max(x.farthest, q.N()+q.M()+size)
		}
	}
	return x, nil
}

// late reports whether time is up.
func (x *searcher) late() bool {
	return x.ctx.Err() != nil || x.opt.Time > 0 && time.Since(x.begin) >= x.opt.Time
}

// left returns the time left, 0 if there is no limit.
func (x *searcher) left() time.Duration {
	if x.opt.Time <= 0 {
		return 0
	}
	return max(time.Millisecond, x.opt.Time-time.Since(x.begin))
}

// within finds all products within a radius or, if all that are nearer are known, K of them, and reports whether it
// came to the end before time was up.
func (x *searcher) within(radius int, r *Result) (done bool, err error) {
	r.Open = -1
	open, sure := uint64(0), uint64(0)
	joiners := make([]*combiner, len(x.space.Reactions))
	for i := range joiners {
		if joiners[i], done = x.join(i, radius, r); !done {
			return false, nil
		}
		products, certain, _, done := joiners[i].count()
		if !done {
			return false, nil
		}
		open, sure = satAdd(open, products), satAdd(sure, certain)
	}
	if x.task == edit.SED && radius == 0 {
		r.Contain = &[2]uint64{sure, open}
	}
	var batch []candidate
	most := firstBatch
	flush := func() bool {
		solved, failed := x.solve(batch, radius)
		r.Stats.Made += solved
		open -= uint64(solved)
		batch, most = batch[:0], min(2*most, batchSize)
		err = failed
		return err == nil && !x.late() && (x.opt.K == 0 || len(x.found) < x.opt.K)
	}
	for i, j := range joiners {
		if !j.products(func(sure bool, synthons []int32) bool {
			c := candidate{origin{reaction: int32(i)}, sure}
			copy(c.synthons[:], synthons)
			if x.hits[c.origin] || x.wrong[c.origin] { // decided within a smaller radius
				open--
				return true
			}
			batch = append(batch, c)
			return len(batch) < most || flush()
		}) {
			break
		}
	}
	if err == nil && !x.late() {
		flush()
	}
	r.Open = int64(min(open, math.MaxInt64))
	return err == nil && (open == 0 || x.opt.K > 0 && len(x.found) >= x.opt.K), err
}

// candidate is a product that may be an answer; it is one if it is sure to contain the query, which is asked for.
type candidate struct {
	origin
	sure bool
}

// Products are handed to the workers so many at a time: few at first, because a few answers may be enough.
const (
	firstBatch = 64
	batchSize  = 4096
)

// join finds the classes of synthons of a reaction that may be in products within the radius. It reports false if time
// was up.
func (x *searcher) join(reaction, radius int, r *Result) (j *combiner, done bool) {
	c := clock.New(x.ctx, x.begin, x.opt.Time)
	if x.task == edit.SED && x.lacks(reaction) > radius {
		return &combiner{clock: &c}, true
	}
	if x.task == edit.SED && radius == 0 {
		if s, few := divide(x.q, x.profile, &x.space.Reactions[reaction]); few {
			by := &byPlaces{splits: s}
			j = &combiner{measure: by, clock: &c}
			lists, done := x.contain(reaction, by)
			return j, done && j.join(lists)
		}
	}
	j = &combiner{measure: &byCounts{profile: x.profile, radius: radius}, clock: &c}
	components := x.space.Reactions[reaction].Components
	lists := make([][]class, len(components))
	for i := range components {
		lists[i] = classify(len(components[i].Synthons), func(k int) (kind, bool) {
			c := x.synthon(reaction, i, k)
			return kind{counts: c}, x.lower(&c, &x.anything) <= radius
		})
	}
	if !j.join(lists) {
		return j, false
	}
	if x.task == edit.SED {
		return j, true
	}
	// Now only the synthons that are left, with their distances.
	_, _, used, done := j.count()
	if !done {
		return j, false
	}
	left := make([][]int32, len(lists))
	var todo []int
	for level, i := range j.order {
		for k, class := range j.lists[level] {
			if !used[i][k] {
				continue
			}
			left[i] = append(left[i], class.members...)
			for _, m := range class.members {
				p := components[i].Synthons[m].part.index
				if !x.exact[p] && int(x.apart[p]) <= radius {
					todo = append(todo, p)
				}
			}
		}
	}
	slices.Sort(todo)
	todo = slices.Compact(todo)
	if !x.measure(todo, radius, r) {
		return j, false
	}
	for i, list := range left {
		slices.Sort(list)
		lists[i] = classify(len(list), func(k int) (kind, bool) {
			c := x.synthon(reaction, i, int(list[k]))
			c[atApart] = uint16(max(0, x.apart[components[i].Synthons[list[k]].part.index]))
			return kind{counts: c}, int(c[atApart]) <= radius
		})
		for k := range lists[i] {
			for m, at := range lists[i][k].members {
				lists[i][k].members[m] = list[at]
			}
		}
	}
	return j, j.join(lists)
}

// lacks returns a lower bound of the subgraph edit distance to all products of a reaction, by the most that they have.
func (x *searcher) lacks(reaction int) int {
	var most counts
	for i, c := range x.space.Reactions[reaction].Components {
		var own counts
		for k := range c.Synthons {
			counts := x.synthon(reaction, i, k)
			for j, n := range counts {
				own[j] = max(own[j], n)
			}
		}
		most.add(&own)
	}
	return x.lower(&most, &most)
}

// contain finds for which splits of the query the synthons of a reaction contain their shares.
func (x *searcher) contain(reaction int, by *byPlaces) (lists [][]class, done bool) {
	components := x.space.Reactions[reaction].Components
	lists = make([][]class, len(components))
	for i := range components {
		kinds, some := make([]kind, len(components[i].Synthons)), make([]bool, len(components[i].Synthons))
		if x.parallel(len(kinds), func(w *worker, k int) error {
			p := components[i].Synthons[k].part
			kinds[k], some[k] = by.kind(&w.finder, i, p, &x.counts[p.index], x.opt.SMARTS != nil)
			return nil
		}) != nil {
			return nil, false
		}
		lists[i] = classify(len(kinds), func(k int) (kind, bool) { return kinds[k], some[k] })
	}
	return lists, true
}

// synthon returns the counts of a synthon with the bonds that its component counts.
func (x *searcher) synthon(reaction, component, at int) counts {
	r := &x.space.Reactions[reaction]
	p := r.Components[component].Synthons[at].part
	c := x.counts[p.index]
	for _, j := range r.joins {
		if j.at[0] != component {
			continue
		}
		switch l := p.joins[slices.Index(r.Components[component].ports, j.number)]; {
		case l == none:
		case j.loose:
			x.bond(&c, graph.Wildcard)
		default:
			x.bond(&c, l)
		}
	}
	return c
}

// measure computes the distances of parts to the query as far as they are within the radius.
func (x *searcher) measure(parts []int, radius int, r *Result) bool {
	done := x.parallel(len(parts), func(w *worker, i int) error {
		p := parts[i]
		d, exact := w.apart(x.space.parts[p].graph, radius)
		x.apart[p], x.exact[p] = int16(d), exact
		return nil
	})
	r.Stats.Synthons += len(parts)
	return done == nil && !x.late()
}

// parallel calls do for 0 to n-1 by all workers, until one fails or time is up.
func (x *searcher) parallel(n int, do func(w *worker, i int) error) error {
	if n == 0 {
		return nil
	}
	var next int
	var failed error
	take := func() int {
		x.mu.Lock()
		defer x.mu.Unlock()
		if next >= n || failed != nil {
			return -1
		}
		next++
		return next - 1
	}
	work := func(w *worker) {
		for i := take(); i >= 0; i = take() {
			err := do(w, i)
			if err == nil && !x.late() {
				continue
			}
			x.mu.Lock()
			failed = cmp.Or(failed, err, errLate)
			x.mu.Unlock()
		}
	}
	var group sync.WaitGroup
	for _, w := range x.workers[:min(len(x.workers), n)] {
		group.Go(func() { work(w) })
	}
	group.Wait()
	return failed
}

// errLate ends work when time is up.
var errLate = errors.New("time is up")

// solve makes products and compares them with the query, and returns how many it decided.
func (x *searcher) solve(batch []candidate, radius int) (solved int, err error) {
	err = x.parallel(len(batch), func(w *worker, i int) error {
		o := batch[i].origin
		synthons := w.synthons(o)
		g, err := w.graph(synthons)
		if err != nil { // no molecule
			x.mu.Lock()
			defer x.mu.Unlock()
			x.wrong[o] = true
			solved++
			return nil
		}
		d := 0
		if !batch[i].sure {
			decided := false
			if d, decided, err = w.distance(synthons, g, radius); err != nil || !decided {
				return err
			}
		}
		var key string
		if d <= radius {
			key = w.key(synthons)
		}
		x.mu.Lock()
		defer x.mu.Unlock()
		solved++
		if d > radius {
			return nil
		}
		h := x.found[key]
		if h == nil {
			h = &hit{key: key, distance: d}
			x.found[key] = h
		}
		h.origins = append(h.origins, o)
		x.hits[o] = true
		return nil
	})
	if errors.Is(err, errLate) {
		err = nil
	}
	return solved, err
}

// conclude turns what was found into answers.
func (x *searcher) conclude(r *Result) {
	byPlace := func(a, b origin) int {
		return cmp.Or(cmp.Compare(a.reaction, b.reaction), slices.Compare(a.synthons[:], b.synthons[:]))
	}
	list := make([]*hit, 0, len(x.found))
	for _, h := range x.found {
		slices.SortFunc(h.origins, byPlace)
		list = append(list, h)
	}
	slices.SortFunc(list, func(a, b *hit) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), byPlace(a.origins[0], b.origins[0]))
	})
	if k := x.opt.K; k > 0 && len(list) > k {
		r.Tied = r.Tied || list[k].distance == list[k-1].distance
		list = list[:k]
	}
	w := x.workers[0]
	for _, h := range list {
		a := Answer{SMILES: h.key, Distance: float64(h.distance)}
		for _, o := range h.origins {
			a.Origins = append(a.Origins, Origin{&x.space.Reactions[o.reaction], w.synthons(o)})
		}
		if strings.Contains(h.key, " ") { // with descriptors
			a.SMILES = w.maker.Text(a.Origins[0].Synthons)
		}
		r.Answers = append(r.Answers, a)
	}
}
