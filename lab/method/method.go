package method

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// Method is a bound or heuristic. Methods are values without state and may be
// used concurrently.
type Method struct {
	Name  string // as in --method
	About string // one line: what it does, and whose it is

	compute func(ctx context.Context, p *edit.Pricing, q, t *graph.Graph, opt ged.Options) (ged.Result, error)
}

// defaultMemory is the meaning of 0 in [ged.Options]: 1 GiB.
const defaultMemory = 1 << 30

// DefaultWidth is the number of states of App-BMao unless a width is given.
const DefaultWidth = 100

// Methods returns all methods, roughly the cheapest first.
func Methods() []Method {
	return []Method{
		{"label", "label-multiset bound (Zeng et al. 2009); nodes of equal label mapped in order of degree", labelBound},
		{"degree", "sorted-degree bound (Zeng et al. 2009); nodes mapped in order of degree", degreeBound},
		{"branch-fast", "assignment of branches, edges as label multisets (Blumenthal and Gamper 2018)", onPair(2, branchBound(true))},
		{"branch", "assignment of branches, edges assigned too (Blumenthal and Gamper 2018)", onPair(2, branchBound(false))},
		{"refine", "BRANCH, then exchanges of two nodes (Zeng et al. 2009)", onPair(2, refine)},
		{"ipfp", "BRANCH, then integer projected fixed point (Bougleux et al. 2016)", onPair(6, ipfp)},
		{"mipfp", "IPFP from ten starts, then exchanges (Daller et al. 2018)", onPair(8, mipfp)},
		AppBMao(DefaultWidth),
		{"bmao", "exact A* with the anchored branch bound of the parent (Chang et al. 2022)", onPair(2, exact(false))},
		{"bma", "exact A* with the anchored branch bound of every state (Chang et al. 2020)", onPair(2, exact(true))},
	}
}

// AppBMao returns the method App-BMao: AStar-BMao that ends after width states.
// Its answer is exact where the queue proves it by then. It panics unless width
// is positive.
func AppBMao(width int) Method {
	if width < 1 {
		panic(fmt.Sprintf("method: App-BMao of width %d", width))
	}
	run := exact(false)
	name := "app-bmao"
	if width != DefaultWidth {
		name += ":" + strconv.Itoa(width)
	}
	return Method{
		Name:  name,
		About: fmt.Sprintf("A* with the anchored branch bound, ended after %d states (Chang et al. 2022); app-bmao:N for others", width),
		compute: onPair(2, func(x *pair, opt ged.Options) ged.Result {
			if opt.States == 0 || opt.States > int64(width) {
				opt.States = int64(width)
			}
			return run(x, opt)
		}),
	}
}

// Find returns the method of that name, app-bmao:N with the width N.
func Find(name string) (Method, error) {
	if text, ok := strings.CutPrefix(name, "app-bmao:"); ok {
		width, err := strconv.Atoi(text)
		if err != nil || width < 1 {
			return Method{}, fmt.Errorf("method: width %q of app-bmao is not a positive integer", text)
		}
		return AppBMao(width), nil
	}
	var names []string
	for _, m := range Methods() {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Method{}, fmt.Errorf("method: unknown method %q, want one of %s", name, strings.Join(names, ", "))
}

// Compute bounds the distance from q to t under the prices p, which must cover the
// labels of both. Methods honour the limits of opt and the end of ctx. A bound may be
// trivial but is never wrong. Where costs are not multiples of 2⁻¹⁰, bounds that differ
// by a relative 10⁻¹¹ count as equal.
//
// The error wraps [ged.ErrVocabulary] or [ged.ErrDirection], or says that the
// tables for two graphs of that size exceed the memory allowed.
func (m Method) Compute(ctx context.Context, p *edit.Pricing, q, t *graph.Graph, opt ged.Options) (ged.Result, error) {
	start := time.Now()
	if graph.Common(q.Vocabulary(), t.Vocabulary()) == nil {
		return ged.Result{}, fmt.Errorf("method: %w", ged.ErrVocabulary)
	}
	if q.Directed() != t.Directed() {
		return ged.Result{}, fmt.Errorf("method: %w", ged.ErrDirection)
	}
	if opt.Memory == 0 {
		opt.Memory = defaultMemory
	}
	r, err := m.compute(ctx, p, q, t, opt)
	r.Elapsed = time.Since(start)
	if !r.Exact {
		r.Stopped = ged.StoppedBy(ctx, opt, r.States, r.Elapsed)
	}
	return r, err
}

func labelBound(_ context.Context, p *edit.Pricing, q, t *graph.Graph, _ ged.Options) (ged.Result, error) {
	return finish(p, q, t, bound.NewFilter(p).Labels(bound.Sign(q), bound.Sign(t)), rank(q, t, true)), nil
}

func degreeBound(_ context.Context, p *edit.Pricing, q, t *graph.Graph, _ ged.Options) (ged.Result, error) {
	return finish(p, q, t, bound.NewFilter(p).Degrees(bound.Sign(q), bound.Sign(t)), rank(q, t, false)), nil
}

// onPair makes a method from one that works on a pair and keeps some numbers for every
// pair of nodes. If it runs out of time, the bounds of the label multisets may be better
// than its own, so the best of both count.
func onPair(numbers int64, run func(*pair, ged.Options) ged.Result) func(context.Context, *edit.Pricing, *graph.Graph, *graph.Graph, ged.Options) (ged.Result, error) {
	return func(ctx context.Context, p *edit.Pricing, q, t *graph.Graph, opt ged.Options) (ged.Result, error) {
		c := clock.New(ctx, time.Now(), opt.Time)
		x, err := newPair(p, q, t, numbers, opt.Memory, &c)
		if err == errLate {
			return labelBound(ctx, p, q, t, opt)
		}
		if err != nil {
			return ged.Result{}, err
		}
		r := run(x, opt)
		if x.large() && c.Ended() {
			rough, _ := labelBound(ctx, p, q, t, opt)
			if rough.Upper < r.Upper {
				r.Upper, r.Map = rough.Upper, rough.Map
			}
			r.Lower = min(max(r.Lower, rough.Lower), r.Upper)
			r.Exact = r.Lower == r.Upper
		}
		return r, nil
	}
}

func branchBound(fast bool) func(*pair, ged.Options) ged.Result {
	return func(x *pair, _ ged.Options) ged.Result {
		b := newBrancher(x)
		b.fast = fast
		least := b.bound(0)
		return x.result(x.base+least, b.image)
	}
}

func exact(own bool) func(*pair, ged.Options) ged.Result {
	return func(x *pair, opt ged.Options) ged.Result {
		s := search{brancher: newBrancher(x), own: own}
		return s.run(opt)
	}
}
