package space

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// Options say what a search looks for.
type Options struct {
	Task edit.Task
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
	// Open is the number of products that bounds leave open, where time was up, and -1 if they were not counted.
	Open int64

	Stats Stats
}

// Stats count what a search looked at.
type Stats struct {
	Products uint64 `json:"products"`         // in the space
	Synthons int    `json:"synthons_decided"` // whose distance to the query was computed
	Made     int    `json:"made"`             // products that were made and compared
	Wrong    int    `json:"wrong,omitempty"`  // of these, that are no molecules
}

// mostRadius is how far a search for the K nearest looks.
const mostRadius = 1 << 12

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
	first, last := 0, mostRadius
	if opt.Radius != nil {
		last = int(math.Min(*opt.Radius, mostRadius))
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
		if radius == last || opt.K > 0 && len(x.found) >= opt.K || radius >= x.farthest {
			r.Complete = true
			break
		}
	}
	r.Stats.Wrong = len(x.wrong)
	if err := x.conclude(r); err != nil {
		return nil, err
	}
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
	joiners  []combiner
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
	distance int
	origins  []origin
}

func newSearcher(ctx context.Context, s *Space, q *graph.Graph, opt Options) (*searcher, error) {
	x := &searcher{profile: newProfile(opt.Task, q), space: s, q: q, opt: opt, ctx: ctx, begin: time.Now(), found: map[string]*hit{}, hits: map[origin]bool{}, wrong: map[origin]bool{}}
	x.counts, x.apart, x.exact = make([]counts, len(s.parts)), make([]int16, len(s.parts)), make([]bool, len(s.parts))
	for i, p := range s.parts {
		x.counts[i], x.apart[i] = x.of(p.graph), -1
	}
	x.joiners = make([]combiner, len(s.Reactions))
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

// within finds all products within a radius, and reports whether it came to the end before time was up.
func (x *searcher) within(radius int, r *Result) (done bool, err error) {
	r.Open = -1
	var todo []task
	for i := range x.space.Reactions {
		c := clock.New(x.ctx, x.begin, x.opt.Time)
		x.joiners[i].profile, x.joiners[i].radius, x.joiners[i].clock = x.profile, radius, &c
		if !x.join(i, r) {
			return false, nil
		}
		j := &x.joiners[i]
		for k, c := range j.products() {
			todo = append(todo, task{i, int32(k), x.lower(&c.counts, &c.counts)})
		}
	}
	slices.SortStableFunc(todo, func(a, b task) int { return cmp.Compare(a.lower, b.lower) })
	open := uint64(0)
	for _, t := range todo {
		j := &x.joiners[t.reaction]
		open = satAdd(open, j.size(len(j.levels)-1, t.class))
	}
	var batch []origin
	flush := func() bool {
		solved, failed := x.solve(batch, radius)
		r.Stats.Made += solved
		open -= uint64(solved)
		batch = batch[:0]
		err = failed
		return err == nil && !x.late()
	}
	for _, t := range todo {
		j := &x.joiners[t.reaction]
		synthons := make([]int32, len(j.trees))
		more := j.each(len(j.levels)-1, t.class, synthons, func(list []int32) bool {
			o := origin{reaction: int32(t.reaction)}
			copy(o.synthons[:], list)
			if x.hits[o] || x.wrong[o] { // decided within a smaller radius
				open--
				return true
			}
			batch = append(batch, o)
			return len(batch) < batchSize || flush()
		})
		if !more {
			break
		}
	}
	if err == nil && !x.late() {
		flush()
	}
	r.Open = int64(min(open, math.MaxInt64))
	return open == 0, err
}

// task is a class of products of a reaction.
type task struct {
	reaction int
	class    int32
	lower    int
}

// batchSize is how many products are handed to the workers at a time.
const batchSize = 2048

// join finds the classes of products of a reaction that may be within the radius: once by counts and, for GED, once
// more with the distances of the synthons that are left. It reports false if time was up.
func (x *searcher) join(reaction int, r *Result) bool {
	j := &x.joiners[reaction]
	components := x.space.Reactions[reaction].Components
	lists := make([][]class, len(components))
	for i := range components {
		lists[i] = classify(len(components[i].Synthons), func(k int) (counts, bool) {
			c := x.synthon(reaction, i, k)
			return c, x.lower(&c, &x.anything) <= j.radius
		})
	}
	if x.task == edit.SED {
		return j.combine(lists, true)
	}
	if !j.combine(lists, false) {
		return false
	}
	left := make([][]int32, len(lists))
	var todo []int
	for level, i := range j.order {
		for k, used := range j.used[level] {
			if !used {
				continue
			}
			members := j.trees[level].classes[k].members
			left[i] = append(left[i], members...)
			for _, m := range members {
				p := components[i].Synthons[m].part.index
				if !x.exact[p] && int(x.apart[p]) <= j.radius {
					todo = append(todo, p)
				}
			}
		}
	}
	slices.Sort(todo)
	todo = slices.Compact(todo)
	if !x.measure(todo, j.radius, r) {
		return false
	}
	for i, list := range left {
		slices.Sort(list)
		lists[i] = classify(len(list), func(k int) (counts, bool) {
			c := x.synthon(reaction, i, int(list[k]))
			c[atApart] = uint16(max(0, x.apart[components[i].Synthons[list[k]].part.index]))
			return c, int(c[atApart]) <= j.radius
		})
		for k := range lists[i] {
			for m, at := range lists[i][k].members {
				lists[i][k].members[m] = list[at]
			}
		}
	}
	return j.combine(lists, true)
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
func (x *searcher) solve(batch []origin, radius int) (solved int, err error) {
	err = x.parallel(len(batch), func(w *worker, i int) error {
		o := batch[i]
		synthons := w.synthons(o)
		g, err := w.graph(synthons)
		if err != nil {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.wrong[o] = true
			solved++
			return nil
		}
		d, decided, err := w.distance(g, radius)
		if err != nil || !decided {
			return err
		}
		var key string
		if d <= radius {
			if key, err = w.key(synthons); err != nil {
				return err
			}
		}
		x.mu.Lock()
		defer x.mu.Unlock()
		solved++
		if d > radius {
			return nil
		}
		h := x.found[key]
		if h == nil {
			h = &hit{distance: d}
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
func (x *searcher) conclude(r *Result) error {
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
		r.Tied = list[k].distance == list[k-1].distance
		list = list[:k]
	}
	w := x.workers[0]
	for _, h := range list {
		a := Answer{Distance: float64(h.distance)}
		for _, o := range h.origins {
			a.Origins = append(a.Origins, Origin{&x.space.Reactions[o.reaction], w.synthons(o)})
		}
		var err error
		if a.SMILES, err = w.maker.SMILES(a.Origins[0].Synthons); err != nil {
			return err
		}
		r.Answers = append(r.Answers, a)
	}
	return nil
}
