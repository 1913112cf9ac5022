package pipe

import (
	"math"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// matchedArgs ask for the distance of a pair whose costs are given element by
// element, as NetworkX does. Arrays, of which those of costs may be missing:
//
//	query.ends       i4 [edges, 2]
//	target.ends      i4 [edges, 2]
//	node.substitute  f8 [query nodes, target nodes], else 0
//	node.delete      f8 [query nodes], else 1
//	node.insert      f8 [target nodes], else 1
//	edge...          the same of edges
//
// Edges may be self-loops: a loop becomes a loop of the node that its node
// becomes, or is deleted.
type matchedArgs struct {
	Nodes    [2]int   `json:"nodes"`
	Directed bool     `json:"directed"`
	Seconds  float64  `json:"seconds"`
	Upper    *float64 `json:"upper"`    // only distances up to it are of interest
	Roots    *[2]int  `json:"roots"`    // nodes that become each other
	All      bool     `json:"all"`      // maps of the least cost are all wanted
	Improved bool     `json:"improved"` // maps are told when they are found
}

// matchedPair is such a pair.
type matchedPair struct {
	args         *matchedArgs
	nodes, edges edit.ElementCosts
	ends         [2][]int32
	// loops is the loop of each node, or -1; joined are the edges between two nodes, and
	// places says which edges of the request these are.
	loops  [2][]int32
	joined [2][]graph.Edge
	places [2]map[[2]int32]int32

	graphs [2]*graph.Graph
	costs  edit.Costs
}

// matched answers with "lower" and "upper", whether a map was found that costs no
// more than was asked for, and maps, i4 [maps, query nodes], with the edges that
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
		searched.Improved = func(upper float64, m edit.NodeMap) { p.tell(r, upper, m) }
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
		if maps, err = optimalMaps(r.ctx, solver, p.graphs[0], p.graphs[1], best.Upper, opt); err != nil {
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
	for _, a := range []struct {
		into    *[]float64
		name    string
		missing float64
		shape   []int
	}{
		{&c.Substitute, name + ".substitute", 0, []int{n, m}},
		{&c.Delete, name + ".delete", 1, []int{n}},
		{&c.Insert, name + ".insert", 1, []int{m}},
	} {
		if _, there := all[a.name]; there {
			if *a.into, err = all.floats(a.name, a.shape...); err != nil {
				return err
			}
			continue
		}
		size := 1
		for _, k := range a.shape {
			size *= k
		}
		*a.into = make([]float64, size)
		for i := range *a.into {
			(*a.into)[i] = a.missing
		}
	}
	return nil
}

// build makes graphs and costs by label of the pair.
func (p *matchedPair) build() error {
	for side := range p.ends {
		if err := p.sort(side); err != nil {
			return err
		}
	}
	p.foldLoops()
	var plain [2]*graph.Graph
	for side, n := range p.args.Nodes {
		b := graph.NewBuilder(graph.NewVocabulary(), p.args.Directed)
		for range n {
			b.AddNodeLabel(graph.Wildcard)
		}
		for _, e := range p.joined[side] {
			if err := b.AddEdgeLabel(e.From, e.To, graph.Wildcard); err != nil {
				return badRequest("%v", err)
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

// inOrder returns the costs of the edges between two nodes, in the order of the graphs.
func (p *matchedPair) inOrder(graphs [2]*graph.Graph) *edit.ElementCosts {
	var order [2][]int
	for side, g := range graphs {
		for e := range g.Edges() {
			order[side] = append(order[side], int(p.places[side][[2]int32{int32(e.From), int32(e.To)}]))
		}
	}
	f, from, to := len(p.edges.Insert), order[0], order[1]
	return edit.ElementCostsOf(len(from), len(to),
		func(i, j int) float64 { return p.edges.Substitute[from[i]*f+to[j]] },
		func(i int) float64 { return p.edges.Delete[from[i]] },
		func(j int) float64 { return p.edges.Insert[to[j]] })
}

// sort tells loops from edges between two nodes.
func (p *matchedPair) sort(side int) error {
	n := p.args.Nodes[side]
	p.loops[side] = make([]int32, n)
	for v := range p.loops[side] {
		p.loops[side][v] = -1
	}
	p.places[side] = make(map[[2]int32]int32)
	for i := 0; i < len(p.ends[side]); i += 2 {
		u, v := p.ends[side][i], p.ends[side][i+1]
		if u < 0 || v < 0 || int(u) >= n || int(v) >= n {
			return badRequest("edge %d-%d of a graph of %d nodes", u, v, n)
		}
		if u == v {
			p.loops[side][u] = int32(i / 2)
			continue
		}
		p.joined[side] = append(p.joined[side], graph.Edge{From: int(u), To: int(v)})
		p.places[side][[2]int32{u, v}] = int32(i / 2)
		if !p.args.Directed {
			p.places[side][[2]int32{v, u}] = int32(i / 2)
		}
	}
	return nil
}

// foldLoops makes the cost of a loop a part of the cost of its node.
func (p *matchedPair) foldLoops() {
	m, f := len(p.nodes.Insert), len(p.edges.Insert)
	for i, g := range p.loops[0] {
		if g >= 0 {
			p.nodes.Delete[i] += p.edges.Delete[g]
		}
		for j, h := range p.loops[1] {
			switch {
			case g >= 0 && h >= 0:
				p.nodes.Substitute[i*m+j] += min(p.edges.Substitute[int(g)*f+int(h)], p.edges.Delete[g]+p.edges.Insert[h])
			case g >= 0:
				p.nodes.Substitute[i*m+j] += p.edges.Delete[g]
			case h >= 0:
				p.nodes.Substitute[i*m+j] += p.edges.Insert[h]
			}
		}
	}
	for j, h := range p.loops[1] {
		if h >= 0 {
			p.nodes.Insert[j] += p.edges.Insert[h]
		}
	}
}

// edgeMap tells for every edge of the query which edge of the target it becomes.
func (p *matchedPair) edgeMap(m edit.NodeMap) []int32 {
	out := make([]int32, len(p.ends[0])/2)
	f := len(p.edges.Insert)
	for g := range out {
		out[g] = edit.Deleted
		u, v := p.ends[0][2*g], p.ends[0][2*g+1]
		x, y := m[u], m[v]
		if x == edit.Deleted || y == edit.Deleted {
			continue
		}
		h, there := int32(-1), false
		if u == v {
			h = p.loops[1][x]
			there = h >= 0
		} else {
			h, there = p.places[1][[2]int32{int32(x), int32(y)}]
		}
		if there && p.edges.Substitute[g*f+int(h)] <= p.edges.Delete[g]+p.edges.Insert[h] {
			out[g] = h
		}
	}
	return out
}

// tell reports a map that costs less than those before, if it is cheap enough.
func (p *matchedPair) tell(r *request, upper float64, m edit.NodeMap) {
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
	a.addInts("maps", nodes, len(maps), p.args.Nodes[0])
	a.addInts("edges", edges, len(maps), len(p.ends[0])/2)
	return a
}
