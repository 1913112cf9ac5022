package space

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

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
	final    []bool   // [parts] whether it stays so
	workers  []*worker
	farthest int // distance that no product exceeds
	keep     int // most products that are kept; see mostKept

	inner []inner // patterns within that for which is searched
	deep  bool    // there is more in it that looks beyond an atom

	mu    sync.Mutex
	found map[string]*hit // by SMILES
	hits  map[origin]bool // that have been found
	wrong map[origin]bool // that cannot be made
}

// inner is a pattern within a pattern.
type inner struct {
	*profile
	pattern *chem.SMARTS
	q       *graph.Graph
}

func newSearcher(ctx context.Context, s *Space, q *graph.Graph, opt Options) (*searcher, error) {
	x := &searcher{
		profile: newProfile(opt.Task, q), space: s, q: q, opt: opt, ctx: ctx, begin: time.Now(), keep: mostKept,
		found: map[string]*hit{}, hits: map[origin]bool{}, wrong: map[origin]bool{},
	}
	x.counts, x.apart, x.final = make([]counts, len(s.parts)), make([]int16, len(s.parts)), make([]bool, len(s.parts))
	for i, p := range s.parts {
		x.counts[i], x.apart[i] = x.of(p.graph), -1
	}
	if opt.SMARTS != nil {
		list, all := opt.SMARTS.Inner()
		if x.deep = !all; x.deep {
			list = nil
		}
		for _, p := range list {
			q, err := p.Graph(s.vocab.Extend(), true)
			if err != nil {
				return nil, err
			}
			x.inner = append(x.inner, inner{newProfile(edit.SED, q), p, q})
		}
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
	var sure, unsure uint64 // products that may be answers
	var list [2][]joined    // sure ones and others
	for i := range x.space.Reactions {
		for _, m := range x.wanted(&x.space.Reactions[i]) {
			joiners, done := x.join(i, m, 0, radius, r)
			if !done {
				return false, nil
			}
			for _, j := range joiners {
				products, done := j.count()
				if !done {
					return false, nil
				}
				if j.sure {
					list[0], sure = append(list[0], joined{j, i}), satAdd(sure, products)
				} else {
					list[1], unsure = append(list[1], joined{j, i}), satAdd(unsure, products)
				}
			}
		}
	}
	open := satAdd(sure, unsure)
	b := &batch{searcher: x, radius: radius, most: x.opt.K, open: open, size: firstBatch}
	if x.task == edit.SED && radius == 0 {
		r.Contain = &[2]uint64{sure, open}
		if x.opt.K == 0 || unsure <= mostUnsure { // made first, these are counted
			b.most = 0
			if b.decide(list[1]); b.open == sure {
				n := satAdd(sure, uint64(len(x.hits)))
				r.Contain = &[2]uint64{n, n}
			}
			b.most, list[1] = x.opt.K, nil
		}
	}
	for _, some := range list {
		if b.enough() || b.err != nil || x.late() {
			break
		}
		b.decide(some)
	}
	r.Stats.Made += b.made
	r.Open = int64(min(b.open, math.MaxInt64))
	return b.err == nil && (b.open == 0 || b.enough()), b.err
}

// mostUnsure is how many products are made to know how many of them contain the query.
const mostUnsure = 1 << 13

// joined is a joiner of a reaction.
type joined struct {
	*joiner
	reaction int
}

// batch makes products and compares them with the query, so many at a time.
type batch struct {
	*searcher
	radius int
	most   int // answers that are wanted; 0: all
	list   []origin
	size   int    // of the next batch
	open   uint64 // products that are not decided
	made   int
	err    error
}

func (b *batch) enough() bool { return b.most > 0 && len(b.found) >= b.most }

// decide makes the products that may be answers until there are enough or time is up.
func (b *batch) decide(list []joined) {
	for _, j := range list {
		if !j.products(func(synthons []int32) bool {
			o := origin{reaction: int32(j.reaction)}
			copy(o.synthons[:], synthons)
			b.list = append(b.list, o)
			// Of those that are answers for sure no more are made than are wanted.
			return len(b.list) < b.size && !(j.sure && len(b.list) == b.most-len(b.found)) || b.flush()
		}) {
			break
		}
	}
	if b.err == nil && !b.late() {
		b.flush()
	}
}

// flush compares the products of the batch, and reports whether more are wanted.
func (b *batch) flush() bool {
	results, err := b.solve(b.list, b.radius)
	for _, r := range results {
		if r != undecided {
			b.made, b.open = b.made+1, b.open-1
		}
	}
	b.err = err
	b.list, b.size = b.list[:0], min(2*b.size, batchSize)
	return err == nil && !b.late() && !b.enough()
}

// Products are handed to the workers so many at a time: few at first, because a few answers may be enough.
const (
	firstBatch = 64
	batchSize  = 4096
)

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
