package pipe

import (
	"math"
	"time"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// matchedArgs ask for the distance of a pair whose costs are given element by
// element, as NetworkX does. Arrays:
//
//	query.ends       i4 [edges, 2]
//	target.ends      i4 [edges, 2]
//	node.substitute  f8 [query nodes, target nodes]
//	node.delete      f8 [query nodes]
//	node.insert      f8 [target nodes]
//	edge...          the same of edges
type matchedArgs struct {
	Nodes    [2]int   `json:"nodes"`
	Directed bool     `json:"directed"`
	Seconds  float64  `json:"seconds"`
	Upper    *float64 `json:"upper"`    // only distances up to it are of interest
	Roots    *[2]int  `json:"roots"`    // nodes that become each other
	All      bool     `json:"all"`      // maps of the least cost are all wanted
	Improved bool     `json:"improved"` // maps are sent when they are found
}

// matchedPair is such a pair.
type matchedPair struct {
	args         *matchedArgs
	nodes, edges edit.ElementCosts
	ends         [2][]int32
	edgesAt      [2]map[[2]int32][]int // which edges of the request are between two nodes

	graphs [2]*graph.Graph
	costs  edit.Costs
}

// matched answers with "lower" and "upper", whether a map was found that costs no
// more than was requested, and maps, i4 [maps, query nodes], with the edges that
// go with them, i4 [maps, query edges]: the target's edge or -1.
func (s *server) matched(r *request, args *matchedArgs) (*answer, error) {
	p := &matchedPair{args: args}
	if err := p.open(r); err != nil {
		return nil, err
	}
	if err := p.build(); err != nil {
		return nil, err
	}
	solver, err := ged.NewSolver(edit.GED, p.costs)
	if err != nil {
		return nil, err
	}
	opt, err := p.limits()
	if err != nil {
		return nil, err
	}
	searched := opt
	if p.args.Improved {
		searched.Improved = func(upper float64, m edit.NodeMap) { p.report(r, upper, m) }
	}
	best, err := solver.Distance(r.ctx, p.graphs[0], p.graphs[1], searched)
	if err == nil {
		err = r.ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	maps := []edit.NodeMap{best.Map}
	if u := p.args.Upper; u != nil && best.Upper > edit.Within(*u) {
		maps = nil
	} else if p.args.All && best.Exact {
		maps, _, err = greed.OptimalMaps(r.ctx, solver, p.graphs[0], p.graphs[1], best.Upper, opt, 0)
		if err != nil {
			return nil, err
		}
	}
	return p.answer(best, maps), nil
}

func (p *matchedPair) limits() (opt ged.Options, err error) {
	if p.args.Seconds > 0 {
		opt.Time = max(1, time.Duration(min(p.args.Seconds*float64(time.Second), math.MaxInt64/2)))
	}
	if u := p.args.Upper; u != nil {
		prices, err := edit.Price(edit.GED, p.costs)
		if err != nil {
			return opt, err
		}
		opt.Upper = prices.Unit(edit.MostElements).Above(max(*u, 0))
	}
	if roots := p.args.Roots; roots != nil {
		opt.Fixed = [][2]int{*roots}
	}
	return opt, nil
}

// open reads the arrays.
func (p *matchedPair) open(r *request) (err error) {
	for side, name := range []string{"query.ends", "target.ends"} {
		if p.args.Nodes[side] < 0 || p.args.Nodes[side] > graph.MaxNodes {
			return badRequest("%d nodes", p.args.Nodes[side])
		}
		if p.ends[side], err = r.arrays.ints(name, 2); err != nil {
			return err
		}
	}
	if err = openCosts(&p.nodes, r.arrays, "node", p.args.Nodes[0], p.args.Nodes[1]); err != nil {
		return err
	}
	return openCosts(&p.edges, r.arrays, "edge", len(p.ends[0])/2, len(p.ends[1])/2)
}

func openCosts(c *edit.ElementCosts, all arrays, name string, n, m int) (err error) {
	if c.Substitute, err = all.floats(name+".substitute", n, m); err == nil {
		c.Delete, err = all.floats(name+".delete", n)
	}
	if err == nil {
		c.Insert, err = all.floats(name+".insert", m)
	}
	return err
}

// build makes graphs and costs by label of the pair.
func (p *matchedPair) build() error {
	var plain [2]*graph.Graph
	for side, n := range p.args.Nodes {
		p.edgesAt[side] = make(map[[2]int32][]int)
		b := graph.NewBuilder(graph.NewVocabulary(), p.args.Directed)
		for range n {
			b.AddNodeLabel(graph.Wildcard)
		}
		for i := 0; i < len(p.ends[side]); i += 2 {
			u, v := p.ends[side][i], p.ends[side][i+1]
			if err := b.AddEdgeLabel(int(u), int(v), graph.Wildcard); err != nil {
				return badRequest("%v", err)
			}
			at := p.edgesAt[side]
			at[[2]int32{u, v}] = append(at[[2]int32{u, v}], i/2)
			if !p.args.Directed && u != v {
				at[[2]int32{v, u}] = append(at[[2]int32{v, u}], i/2)
			}
		}
		g, err := b.Build()
		if err != nil {
			return badRequest("%v", err)
		}
		plain[side] = g
	}
	x := edit.Matrices{Nodes: &p.nodes, Edges: p.inOrder(plain)}
	var err error
	p.graphs[0], p.graphs[1], p.costs, err = x.Label(plain[0], plain[1], edit.Uniform())
	return err
}

// inOrder returns the costs of the edges in the order of the graphs.
func (p *matchedPair) inOrder(graphs [2]*graph.Graph) *edit.ElementCosts {
	var order [2][]int
	for side, g := range graphs {
		last := [2]int32{-1, -1}
		for e := range g.Edges() {
			if ends := [2]int32{int32(e.From), int32(e.To)}; ends != last { // parallel edges come together
				order[side] = append(order[side], p.edgesAt[side][ends]...)
				last = ends
			}
		}
	}
	f, from, to := len(p.edges.Insert), order[0], order[1]
	return edit.ElementCostsOf(len(from), len(to),
		func(i, j int) float64 { return p.edges.Substitute[from[i]*f+to[j]] },
		func(i int) float64 { return p.edges.Delete[from[i]] },
		func(j int) float64 { return p.edges.Insert[to[j]] })
}

// edgeMap returns for every edge of the query the edge of the target that it becomes.
func (p *matchedPair) edgeMap(m edit.NodeMap) []int32 {
	out := make([]int32, len(p.ends[0])/2)
	for g := range out {
		u, v := p.ends[0][2*g], p.ends[0][2*g+1]
		mine := p.edgesAt[0][[2]int32{u, v}]
		if mine[0] != g { // done with the first of those between u and v
			continue
		}
		others := p.edgesAt[1][[2]int32{int32(m[u]), int32(m[v])}]
		for i, j := range p.edges.Match(mine, others) {
			if out[mine[i]] = edit.Deleted; j != edit.Deleted {
				out[mine[i]] = int32(others[j])
			}
		}
	}
	return out
}

// report sends a map that costs less than those before, if it is cheap enough.
func (p *matchedPair) report(r *request, upper float64, m edit.NodeMap) {
	if u := p.args.Upper; u != nil && upper > edit.Within(*u) {
		return
	}
	r.progress(struct {
		Upper float64      `json:"upper"`
		Map   edit.NodeMap `json:"map"`
		Edges []int32      `json:"edges"`
	}{upper, m, p.edgeMap(m)})
}

func (p *matchedPair) answer(best ged.Result, maps []edit.NodeMap) *answer {
	a := &answer{result: map[string]any{"lower": best.Lower, "upper": best.Upper, "exact": best.Exact}}
	var nodes, edges []int32
	for _, m := range maps {
		for _, w := range m {
			nodes = append(nodes, int32(w))
		}
		edges = append(edges, p.edgeMap(m)...)
	}
	add(a, "maps", nodes, len(maps), p.args.Nodes[0])
	add(a, "edges", edges, len(maps), len(p.ends[0])/2)
	return a
}
