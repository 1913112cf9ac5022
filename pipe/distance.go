package pipe

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/ordered"
	"github.com/greedgraph/greed/mcs"
	"github.com/greedgraph/greed/operation"
)

// Modes of a request of distances.
const (
	modePairs  = "pairs"  // the first query with the first target, and so on
	modeMatrix = "matrix" // every query with every target
	modeSelf   = "self"   // every query with every query
)

type distanceArgs struct {
	operation.Distances
	Mode     string   `json:"mode"`
	Queries  graphSet `json:"queries"`
	Targets  graphSet `json:"targets"`
	Progress bool     `json:"progress"`
	Workers  int      `json:"workers"` // 0: those of the server
}

// distances are those of a request, pair by pair.
type distances struct {
	operation.Measure
	args             *distanceArgs
	queries, targets []*graph.Graph
	mirrored         bool // half of the matrix is copied from the other half

	lower, upper []float64
	within       []byte
	stopped      []byte // why not exact: positions in stops
	maps         [][]int32
	solving      time.Duration // of all pairs, each on one goroutine
}

// distance answers with bounds, f8 [pairs] or [queries, targets], with why they do not
// meet ("stopped", u1 of the same shape: a position in stops), and as asked
// with within, u1 of the same shape, and maps, i4: the node maps of all pairs one
// after the other.
func (s *server) distance(r *request) (*answer, error) {
	d := &distances{args: new(distanceArgs)}
	if err := r.read(d.args); err != nil {
		return nil, err
	}
	if err := d.open(r); err != nil {
		return nil, err
	}
	nq, nt := len(d.queries), len(d.targets)
	total, shape := nq*nt, []int{nq, nt}
	if d.args.Mode == modePairs {
		total, shape = nq, []int{nq}
	}
	if err := d.solve(r, s, total); err != nil {
		return nil, err
	}
	a := &answer{result: map[string]float64{"solving": d.solving.Seconds()}}
	a.addFloats("lower", d.lower, shape...)
	a.addFloats("upper", d.upper, shape...)
	if d.Within != nil {
		a.addBytes("within", d.within, shape...)
	}
	sizes := func(list []*graph.Graph) []int32 {
		n := make([]int32, len(list))
		for i, g := range list {
			n[i] = int32(g.N())
		}
		return n
	}
	a.addBytes("stopped", d.stopped, shape...)
	a.addInts("query_nodes", sizes(d.queries), nq)
	a.addInts("target_nodes", sizes(d.targets), nt)
	if d.args.Map {
		var all []int32
		for _, m := range d.maps {
			all = append(all, m...)
		}
		a.addInts("maps", all, len(all))
	}
	return a, nil
}

func (d *distances) open(r *request) (err error) {
	if d.args.Explain {
		return wrongValue("explain: edits are asked for by the operation explain, pair by pair")
	}
	if d.Measure, err = measured(d.args.Distance); err != nil {
		return err
	}
	vocab := graph.NewVocabulary()
	if d.queries, _, err = r.graphs("queries", "query", &d.args.Queries, vocab); err != nil {
		return err
	}
	switch d.args.Mode {
	case modeSelf:
		d.targets, d.mirrored = d.queries, d.Costs.Symmetric(d.Task)
	case modeMatrix, modePairs:
		if d.targets, _, err = r.graphs("targets", "target", &d.args.Targets, vocab); err != nil {
			return err
		}
	default:
		return badRequest("unknown mode %q", d.args.Mode)
	}
	pairs := d.args.Mode == modePairs
	switch {
	case pairs && len(d.queries) != len(d.targets):
		return badRequest("%d queries and %d targets are no pairs", len(d.queries), len(d.targets))
	case d.args.Fix != "" && (!pairs || len(d.queries) != 1):
		return wrongValue("fix: names nodes of one query and one target")
	}
	return nil
}

// pair returns the positions of the query and the target of a pair.
func (d *distances) pair(i int) (q, t int) {
	if d.args.Mode == modePairs {
		return i, i
	}
	return i / len(d.targets), i % len(d.targets)
}

// solve fills in all pairs. Of a matrix of graphs with themselves and a distance
// that is the same both ways, half are copied.
func (d *distances) solve(r *request, s *server, total int) error {
	workers, err := s.workers(d.args.Workers)
	if err != nil {
		return err
	}
	workers = min(workers, max(total, 1))
	list, give, err := s.solvers.take(d.Measure, workers)
	if err != nil {
		return err
	}
	defer give()
	d.lower, d.upper = make([]float64, total), make([]float64, total)
	d.within, d.stopped, d.maps = make([]byte, total), make([]byte, total), make([][]int32, total)
	todo := d.todo(total)
	reported := time.Now()
	one := func(ctx context.Context, worker, item int) (ged.Result, error) {
		q, t := d.pair(todo(item))
		res, err := d.Compute(ctx, list[worker], d.queries[q], d.targets[t], ged.Options{Time: d.Time})
		if err != nil {
			f := *describe(err)
			f.Record, f.Side = &q, "query"
			f.Message = fmt.Sprintf("query %d, target %d: %s", q, t, f.Message)
			err = &f
		}
		return res, err
	}
	count := todo(-1)
	emit := func(item int, res ged.Result) error {
		d.keep(todo(item), res)
		if d.args.Progress && time.Since(reported) > reportEvery {
			reported = time.Now()
			r.progress(map[string]int{"done": item + 1, "total": count})
		}
		return nil
	}
	if count == 1 { // without the goroutines of many
		res, err := one(r.ctx, 0, 0)
		if err == nil {
			err = r.ctx.Err()
		}
		if err != nil {
			return err
		}
		return emit(0, res)
	}
	return ordered.Map(r.ctx, count, workers, one, emit)
}

const reportEvery = 100 * time.Millisecond

// todo returns a function from the number of a computation to the pair, and from
// -1 to how many computations there are.
func (d *distances) todo(total int) func(int) int {
	n := len(d.queries)
	if !d.mirrored {
		return func(i int) int {
			if i < 0 {
				return total
			}
			return i
		}
	}
	pairs := make([]int, 0, n*(n+1)/2)
	for q := range n {
		for t := q; t < n; t++ {
			pairs = append(pairs, q*n+t)
		}
	}
	return func(i int) int {
		if i < 0 {
			return len(pairs)
		}
		return pairs[i]
	}
}

// keep files the result of a pair and of what follows from it.
func (d *distances) keep(i int, r ged.Result) {
	d.solving += r.Elapsed
	d.put(i, &r, withinOf(r, d.Within), r.Map)
	if !d.mirrored {
		return
	}
	q, t := d.pair(i)
	if q != t {
		d.put(t*len(d.queries)+q, &r, d.within[i], r.Map.Inverse(d.targets[t]))
	}
}

// stops are the reasons why results are not exact, in the order of their numbers in
// messages; 0 is none.
var stops = [...]ged.Stop{"", ged.StopTime, ged.StopStates, ged.StopMemory, ged.StopSize, ged.StopInterrupted, ged.StopRounding}

func (d *distances) put(i int, r *ged.Result, within byte, m edit.NodeMap) {
	d.lower[i], d.upper[i], d.within[i] = r.Lower, r.Upper, within
	d.stopped[i] = byte(max(0, slices.Index(stops[:], r.Stopped)))
	if d.args.Map {
		d.maps[i] = make([]int32, len(m))
		for v, w := range m {
			d.maps[i][v] = int32(w)
		}
	}
}

// explained is what follows from a node map of a query and a target.
type explained struct {
	Edits []edit.Operation `json:"edits"` // nil of a distance that has none
	// Transformations are the fragments that one molecule exchanges to be another, nil unless
	// both are molecules.
	Transformations []transform.Transformation `json:"transformations"`
	Common          mcs.Common                 `json:"common"`
}

// explain answers with the edits that a node map of one query and one target stands for,
// what of the graphs is exchanged, and what they have in common.
func (s *server) explain(r *request) (*answer, error) {
	var args struct {
		operation.Distance
		Queries graphSet     `json:"queries"`
		Targets graphSet     `json:"targets"`
		Map     edit.NodeMap `json:"map"`
	}
	if err := r.read(&args); err != nil {
		return nil, err
	}
	m, err := measured(args.Distance)
	if err != nil {
		return nil, err
	}
	vocab := graph.NewVocabulary()
	queries, querySMILES, err := r.graphs("queries", "query", &args.Queries, vocab)
	if err != nil {
		return nil, err
	}
	targets, targetSMILES, err := r.graphs("targets", "target", &args.Targets, vocab)
	if err != nil {
		return nil, err
	}
	if len(queries) != 1 || len(targets) != 1 {
		return nil, badRequest("%d queries and %d targets, want one each", len(queries), len(targets))
	}
	q, t := queries[0], targets[0]
	if err := args.Map.Check(q, t); err != nil {
		return nil, badRequest("%v", err)
	}
	out := explained{Transformations: transform.Of(querySMILES[0], q, targetSMILES[0], t, args.Map), Common: mcs.CommonOf(q, t, args.Map)}
	if m.Task != edit.MCS {
		prices, err := edit.Price(m.Task, m.Costs, q, t)
		if err != nil {
			return nil, err
		}
		out.Edits = append([]edit.Operation{}, edit.Edits(prices, q, t, args.Map)...)
	}
	return &answer{result: out}, nil
}
