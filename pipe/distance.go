package pipe

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/ordered"
	"github.com/greedgraph/greed/operation"
)

// Modes of a request of distances.
const (
	modePairs  = "pairs"  // the first query with the first target, and so on
	modeMatrix = "matrix" // every query with every target
	modeSelf   = "self"   // every query with every query
)

type distancesArgs struct {
	operation.Distance
	Map  bool   `json:"map"` // node maps are wanted
	Mode string `json:"mode"`
	sides
	work
}

// pairs are those of a request.
type pairs struct {
	operation.Measure
	args             *distancesArgs
	queries, targets []*graph.Graph
	mirrored         bool                    // half of the matrix is copied from the other half
	decision         func(ged.Result) string // whether a distance is within the limit

	lower, upper []float64
	within       []byte
	stopped      []byte // why not exact: positions in stops
	maps         [][]int32
	solving      time.Duration // of all pairs, each on one goroutine
}

// distances answers with bounds, f8 [pairs] or [queries, targets], with why they do not
// meet ("stopped", u1 of the same shape: a position in stops), and as asked
// with within, u1 of the same shape, and maps, i4: the node maps of all pairs one
// after the other.
func (s *server) distances(r *request, args *distancesArgs) (*answer, error) {
	d := &pairs{args: args}
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
	add(a, "lower", d.lower, shape...)
	add(a, "upper", d.upper, shape...)
	if d.Within != nil {
		add(a, "within", d.within, shape...)
	}
	sizes := func(list []*graph.Graph) []int32 {
		n := make([]int32, len(list))
		for i, g := range list {
			n[i] = int32(g.N())
		}
		return n
	}
	add(a, "stopped", d.stopped, shape...)
	add(a, "query_nodes", sizes(d.queries), nq)
	add(a, "target_nodes", sizes(d.targets), nt)
	if d.args.Map {
		var all []int32
		for _, m := range d.maps {
			all = append(all, m...)
		}
		add(a, "maps", all, len(all))
	}
	return a, nil
}

func (d *pairs) open(r *request) (err error) {
	if d.args.Explain {
		return wrongValue("explain: the operation explain gives the edits of one pair")
	}
	if d.Measure, err = measured(d.args.Distance); err != nil {
		return err
	}
	if d.queries, d.targets, _, err = r.both(&d.args.sides); err != nil {
		return err
	}
	switch d.args.Mode {
	case modeSelf:
		d.targets, d.mirrored = d.queries, d.Costs.Symmetric(d.Task)
	case modePairs:
		err = paired(len(d.queries), len(d.targets))
	case modeMatrix:
	default:
		return badRequest("unknown mode %q", d.args.Mode)
	}
	if d.args.Fix != "" && (d.args.Mode != modePairs || len(d.queries) != 1) {
		return wrongValue("fix: names nodes of one query and one target")
	}
	return err
}

// pair returns the positions of the query and the target of a pair.
func (d *pairs) pair(i int) (q, t int) {
	if d.args.Mode == modePairs {
		return i, i
	}
	return i / len(d.targets), i % len(d.targets)
}

// solve fills in all pairs. Of a matrix of graphs with themselves and a distance
// that is the same both ways, half are copied.
func (d *pairs) solve(r *request, s *server, total int) error {
	workers := min(d.args.Workers, max(total, 1))
	list, give, err := s.comparers.take(d.Measure, workers)
	if err != nil {
		return err
	}
	defer give()
	d.decision = list[0].Decision
	d.lower, d.upper = make([]float64, total), make([]float64, total)
	d.within, d.stopped, d.maps = make([]byte, total), make([]byte, total), make([][]int32, total)
	todo := func(i int) int { return i } // from the number of a computation to the pair
	count := total
	if d.mirrored {
		half := d.half()
		count, todo = len(half), func(i int) int { return half[i] }
	}
	reported := time.Now()
	one := func(ctx context.Context, worker, item int) (ged.Result, error) {
		q, t := d.pair(todo(item))
		res, err := list[worker].Bounds(ctx, d.queries[q], d.targets[t])
		if err != nil {
			f := *describe(err)
			f.Record, f.Side = &q, "query"
			f.Message = fmt.Sprintf("query %d, target %d: %s", q, t, f.Message)
			err = &f
		}
		return res, err
	}
	emit := func(item int, res ged.Result) error {
		d.store(todo(item), res)
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

// half returns the pairs of a matrix from which the others are copied.
func (d *pairs) half() []int {
	n := len(d.queries)
	pairs := make([]int, 0, n*(n+1)/2)
	for q := range n {
		for t := q; t < n; t++ {
			pairs = append(pairs, q*n+t)
		}
	}
	return pairs
}

// store files the result of a pair and of what follows from it.
func (d *pairs) store(i int, r ged.Result) {
	d.solving += r.Elapsed
	d.put(i, &r, byte(max(0, slices.Index(decisions[:], d.decision(r)))), r.Map)
	if !d.mirrored {
		return
	}
	q, t := d.pair(i)
	if q != t {
		d.put(t*len(d.queries)+q, &r, d.within[i], r.Map.Inverse(d.targets[t]))
	}
}

// decisions are what is known of a distance and a threshold, in the order of their numbers in
// messages.
var decisions = [...]string{"no", "yes", "unknown"}

// stops are the reasons why results are not exact, in the order of their numbers in
// messages; 0 is none.
var stops = [...]ged.Stop{"", ged.StopTime, ged.StopStates, ged.StopMemory, ged.StopSize, ged.StopInterrupted,
	ged.StopRounding}

func (d *pairs) put(i int, r *ged.Result, within byte, m edit.NodeMap) {
	d.lower[i], d.upper[i], d.within[i] = r.Lower, r.Upper, within
	d.stopped[i] = byte(max(0, slices.Index(stops[:], r.Stopped)))
	if d.args.Map {
		d.maps[i] = make([]int32, len(m))
		for v, w := range m {
			d.maps[i][v] = int32(w)
		}
	}
}

// explain answers with what follows from a node map of one query and one target, as far as a distance
// says it: the edits, what of molecules is exchanged, and what they have in common.
func (s *server) explain(r *request, args *struct {
	operation.Distance
	sides
	Map edit.NodeMap `json:"map"`
}) (*answer, error) {
	m, err := measured(args.Distance)
	if err != nil {
		return nil, err
	}
	queries, targets, smiles, err := r.both(&args.sides)
	if err != nil {
		return nil, err
	}
	if len(queries) != 1 || len(targets) != 1 {
		return nil, badRequest("%d queries and %d targets, want one each", len(queries), len(targets))
	}
	if err := args.Map.Check(queries[0], targets[0]); err != nil {
		return nil, badRequest("%v", err)
	}
	q, t := dataset.Record{Graph: queries[0], SMILES: smiles[0][0]}, dataset.Record{Graph: targets[0],
		SMILES: smiles[1][0]}
	c, err := greed.NewComparer(m.Task, m.Options(r.rules))
	if err != nil {
		return nil, err
	}
	out := &greed.Comparison{Task: m.Task, Map: args.Map}
	return &answer{result: out}, c.Explain(out, &q, &t)
}
