package pipe

import (
	"context"
	"fmt"
	"math"
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
	kind
	Mode     string   `json:"mode"`
	Queries  graphSet `json:"queries"`
	Targets  graphSet `json:"targets"`
	Time     string   `json:"time_limit"` // for a pair
	Within   *float64 `json:"within"`
	Maps     bool     `json:"maps"`
	Progress bool     `json:"progress"`
	Workers  int      `json:"workers"` // 0: those of the server
}

// distances are those of a request, pair by pair.
type distances struct {
	args             *distanceArgs
	queries, targets []*graph.Graph
	tau              float64
	limits           ged.Options
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
	d := &distances{args: new(distanceArgs), tau: math.Inf(1)}
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
	if d.args.Within != nil {
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
	if d.args.Maps {
		var all []int32
		for _, m := range d.maps {
			all = append(all, m...)
		}
		a.addInts("maps", all, len(all))
	}
	return a, nil
}

func (d *distances) open(r *request) (err error) {
	if d.limits.Time, err = operation.TimeLimit(d.args.Time); err != nil {
		return err
	}
	if d.args.Within != nil {
		d.tau = *d.args.Within
	}
	vocab := graph.NewVocabulary()
	if d.queries, _, err = r.graphs("queries", "query", &d.args.Queries, vocab); err != nil {
		return err
	}
	switch d.args.Mode {
	case modeSelf:
		d.targets, d.mirrored = d.queries, d.args.symmetric()
		return nil
	case modeMatrix, modePairs:
	default:
		return badRequest("unknown mode %q", d.args.Mode)
	}
	if d.targets, _, err = r.graphs("targets", "target", &d.args.Targets, vocab); err != nil {
		return err
	}
	if d.args.Mode == modePairs && len(d.queries) != len(d.targets) {
		return badRequest("%d queries and %d targets are no pairs", len(d.queries), len(d.targets))
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
	list, give, err := s.solvers.take(&d.args.kind, workers)
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
		res, err := measure(ctx, list[worker], d.queries[q], d.targets[t], d.limits, d.tau)
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

// register files the result of a pair and of what follows from it.
func (d *distances) keep(i int, r ged.Result) {
	d.solving += r.Elapsed
	d.put(i, &r, withinTau(r, d.tau), r.Map)
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
	if d.args.Maps {
		d.maps[i] = make([]int32, len(m))
		for v, w := range m {
			d.maps[i][v] = int32(w)
		}
	}
}

type editsArgs struct {
	kind
	Queries graphSet     `json:"queries"`
	Targets graphSet     `json:"targets"`
	Map     edit.NodeMap `json:"map"`
}

// edits answers with the edits that a node map of one query and one target
// stands for.
func (s *server) edits(r *request) (*answer, error) {
	args, q, t, _, err := mapped(r)
	if err != nil {
		return nil, err
	}
	costs, err := args.costs()
	if err != nil {
		return nil, err
	}
	p, err := edit.Price(args.Task, costs, q, t)
	if err != nil {
		return nil, err
	}
	path := edit.Edits(p, q, t, args.Map)
	if path == nil {
		path = []edit.Operation{}
	}
	return &answer{result: path}, nil
}

// transformations answers with the fragments that one molecule exchanges to be another, null
// unless both are molecules.
func (s *server) transformations(r *request) (*answer, error) {
	args, q, t, smiles, err := mapped(r)
	if err != nil {
		return nil, err
	}
	return &answer{result: transform.Of(smiles[0], q, smiles[1], t, args.Map)}, nil
}

// common answers with the nodes and edges that one query and one target have in common
// under a node map, and Johnson's similarity.
func (s *server) common(r *request) (*answer, error) {
	args, q, t, _, err := mapped(r)
	if err != nil {
		return nil, err
	}
	return &answer{result: mcs.CommonOf(q, t, args.Map)}, nil
}

// mapped reads a request about one query, one target and a node map between them, and the
// SMILES of those that are molecules.
func mapped(r *request) (args editsArgs, q, t *graph.Graph, smiles [2]string, err error) {
	if err = r.read(&args); err != nil {
		return args, nil, nil, smiles, err
	}
	vocab := graph.NewVocabulary()
	qs, qText, err := r.graphs("queries", "query", &args.Queries, vocab)
	if err != nil {
		return args, nil, nil, smiles, err
	}
	ts, tText, err := r.graphs("targets", "target", &args.Targets, vocab)
	if err != nil {
		return args, nil, nil, smiles, err
	}
	if len(qs) != 1 || len(ts) != 1 {
		return args, nil, nil, smiles, badRequest("%d queries and %d targets, want one each", len(qs), len(ts))
	}
	if err := args.Map.Check(qs[0], ts[0]); err != nil {
		return args, nil, nil, smiles, badRequest("%v", err)
	}
	return args, qs[0], ts[0], [2]string{qText[0], tText[0]}, nil
}
