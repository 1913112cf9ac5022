package report

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Scene is graphs drawn side by side, such as a query and a target.
type Scene struct {
	Title  string  `json:"title"`
	Panels []Panel `json:"panels"`
}

// Panel is one graph. Places are in edge lengths.
type Panel struct {
	Name  string      `json:"name"`
	Nodes []SceneNode `json:"nodes"`
	Edges []SceneEdge `json:"edges"`
	More  int         `json:"more,omitempty"` // nodes that are left out
	// Directed edges have a head.
	Directed bool `json:"directed,omitempty"`
}

// Change says what becomes of a node or an edge. Its text is a class of the style.
type Change string

// The changes. Free is what a subgraph edit distance does not count.
const (
	Kept       Change = ""
	Relabelled Change = "relabelled"
	Removed    Change = "removed"
	Inserted   Change = "inserted"
	Free       Change = "free"
)

// SceneNode is a node, with the number by which the other panel names it, if it is there.
type SceneNode struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Label  string  `json:"label,omitempty"`
	Number int     `json:"number,omitempty"` // from 1; 0: none
	Change Change  `json:"change,omitempty"`
}

// SceneEdge joins two nodes, by their positions in the panel.
type SceneEdge struct {
	From   int    `json:"from"`
	To     int    `json:"to"`
	Change Change `json:"change,omitempty"`
}

// Mapping says what counts as a change when a node map is drawn.
type Mapping struct {
	Sub        bool // of a subgraph: what only the target has is free
	EdgeLabels bool // labels of edges count
	// Query and Target are nodes to draw, with what is near them, of graphs that are too
	// large to be drawn whole.
	Query, Target []int
	// QueryNames and TargetNames, if not nil, are written at the nodes in place of labels.
	QueryNames, TargetNames []string
}

// mostDrawn is the most nodes of a graph that are drawn.
const mostDrawn = 60

// PairScene draws a query and a target so that a node and the one that it is mapped to
// have the same place and number, and marks what changes. Of a large target it draws what
// is near the nodes that are mapped to. It panics unless m is a node map between q and t.
func PairScene(title string, q, t *graph.Graph, m edit.NodeMap, what Mapping) *Scene {
	if err := m.Check(q, t); err != nil {
		panic("report: " + err.Error())
	}
	inverse := m.Inverse(t)
	mapped := what.Target[:min(len(what.Target), mostDrawn)]
	if mapped == nil {
		for _, w := range m {
			if w != edit.Deleted {
				mapped = append(mapped, w)
			}
		}
	}
	keepQ, keepT := near(q, what.Query[:min(len(what.Query), mostDrawn)], mostDrawn), near(t, mapped, mostDrawn)
	// Both graphs are laid out as one: mapped nodes are the same node of it.
	at := make(map[int]int) // target node: position in the joint graph
	joint := skeleton{len(keepT), edgesOf(t, keepT)}
	for i, w := range keepT {
		at[w] = i
	}
	place1 := make([]int, len(keepQ)) // query node: position in the joint graph
	for i, v := range keepQ {
		if k, ok := at[m[v]]; ok && m[v] != edit.Deleted {
			place1[i] = k
			continue
		}
		place1[i] = joint.n
		joint.n++
	}
	for _, e := range edgesOf(q, keepQ) {
		joint.edges = append(joint.edges, [2]int{place1[e[0]], place1[e[1]]})
	}
	all := layOut(joint)
	of := func(list []int) (at [][2]float64) {
		for _, k := range list {
			at = append(at, all[k])
		}
		return at
	}
	number := make(map[int]int) // by query node
	for i, v := range keepQ {
		if m[v] != edit.Deleted {
			number[v] = i + 1
		}
	}
	left := panelOf("query", q, keepQ, what.QueryNames, of(place1), func(v int) (int, Change) {
		switch {
		case m[v] == edit.Deleted:
			return 0, Removed
		case q.Vocabulary().NodeText(q.Label(v)) != t.Vocabulary().NodeText(t.Label(m[v])):
			return number[v], Relabelled
		}
		return number[v], Kept
	}, func(u, v, k int) Change { return across(q, t, u, v, k, m, Removed, what) })
	added := Inserted
	if what.Sub {
		added = Free
	}
	right := panelOf("target", t, keepT, what.TargetNames, all[:len(keepT)], func(w int) (int, Change) {
		v := inverse[w]
		switch {
		case v == edit.Deleted:
			return 0, added
		case q.Vocabulary().NodeText(q.Label(v)) != t.Vocabulary().NodeText(t.Label(w)):
			return number[v], Relabelled
		}
		return number[v], Kept
	}, func(u, v, k int) Change { return across(t, q, u, v, k, inverse, added, what) })
	return &Scene{Title: title, Panels: []Panel{left, right}}
}

// across returns what becomes of edge k of those u–v of g, whose nodes are mapped to h. Of
// parallel edges those become each other that have equal labels, and then any.
func across(g, h *graph.Graph, u, v, k int, m edit.NodeMap, absent Change, what Mapping) Change {
	if m[u] == edit.Deleted || m[v] == edit.Deleted {
		return absent
	}
	others := h.Between(m[u], m[v])
	left := len(others)
	count := make(map[string]int) // of others without an equal partner
	for _, a := range others {
		count[h.Vocabulary().EdgeText(a.Label)]++
	}
	mine := g.Between(u, v)
	kept := make([]bool, len(mine))
	for i, a := range mine {
		if text := g.Vocabulary().EdgeText(a.Label); count[text] > 0 {
			count[text]--
			left--
			kept[i] = true
		}
	}
	for i := range kept[:k] {
		if !kept[i] {
			left--
		}
	}
	switch {
	case kept[k]:
		return Kept
	case left <= 0:
		return absent
	case what.EdgeLabels:
		return Relabelled
	}
	return Kept
}

// near returns the nodes of g at or nearest to the given ones, or to node 0, at most n
// unless more are given. Nodes that cannot be reached follow by number.
func near(g *graph.Graph, from []int, n int) []int {
	if len(from) == 0 && g.N() > 0 {
		from = []int{0}
	}
	seen := make([]bool, g.N())
	var drawn []int
	visit := func(v int) {
		if !seen[v] {
			seen[v] = true
			drawn = append(drawn, v)
		}
	}
	for _, v := range from {
		visit(v)
	}
	given := len(drawn)
	for i := 0; i < len(drawn); i++ {
		for _, a := range g.Out(drawn[i]) {
			visit(int(a.To))
		}
		for _, a := range g.In(drawn[i]) {
			visit(int(a.To))
		}
	}
	for v := range g.N() {
		visit(v)
	}
	drawn = drawn[:min(len(drawn), max(n, given))]
	slices.Sort(drawn)
	return drawn
}

// panelOf draws some nodes of g, with names in place of their labels unless that is nil; node
// returns the number and the change of a node, edge the change of edge k between two.
func panelOf(name string, g *graph.Graph, drawn []int, names []string, at [][2]float64, node func(v int) (int, Change),
	edge func(u, v, k int) Change) Panel {
	p := Panel{Name: name, More: g.N() - len(drawn), Directed: g.Directed()}
	for i, v := range drawn {
		n := SceneNode{X: round(at[i][0]), Y: round(at[i][1]), Label: g.Vocabulary().NodeText(g.Label(v))}
		if n.Label == unlabelled {
			n.Label = ""
		}
		if names != nil {
			n.Label = names[v]
		}
		n.Number, n.Change = node(v)
		p.Nodes = append(p.Nodes, n)
	}
	parallel := 0
	edges := edgesOf(g, drawn)
	for i, e := range edges {
		if parallel++; i == 0 || e != edges[i-1] {
			parallel = 0
		}
		p.Edges = append(p.Edges, SceneEdge{e[0], e[1], edge(drawn[e[0]], drawn[e[1]], parallel)})
	}
	return p
}

// unlabelled is the text of the label of nodes that have none, as package dataset reads it.
const unlabelled = "0"

func round(x float64) float64 { return math.Round(x*1000) / 1000 }

// Width of a panel and the size of its nodes, in the units of the drawing.
const (
	panelWidth  = 300.0
	panelHeight = 250.0
	panelEdge   = 24.0
	nodeRadius  = 10.0
)

// The most letters of a label that stand inside a node, and below it.
const (
	mostInside = 3
	mostBelow  = 20
)

// SVG returns the drawing as a file with a style of its own, light or dark as the reader's
// system is.
func (s *Scene) SVG() []byte { return []byte(s.draw().svg(s.Title, true)) }

func (s *Scene) draw() *drawing {
	d := &drawing{width: panelWidth * float64(max(1, len(s.Panels))), height: panelHeight + 22}
	scale := s.scale()
	for i, p := range s.Panels {
		d.panel(p, panelWidth*float64(i), scale)
	}
	return d
}

// scale is the greatest at which every panel has room, so that nodes which are mapped to
// each other have the same place in both.
func (s *Scene) scale() func(x, y float64) (float64, float64) {
	lowX, lowY, highX, highY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range s.Panels {
		for _, n := range p.Nodes {
			lowX, highX = min(lowX, n.X), max(highX, n.X)
			lowY, highY = min(lowY, n.Y), max(highY, n.Y)
		}
	}
	wide, high := max(highX-lowX, 1e-9), max(highY-lowY, 1e-9)
	by := min((panelWidth-2*panelEdge)/wide, (panelHeight-2*panelEdge)/high, 48)
	left, top := (panelWidth-by*wide)/2, (panelHeight-by*high)/2
	return func(x, y float64) (float64, float64) { return left + by*(x-lowX), top + by*(y-lowY) }
}

func (d *drawing) panel(p Panel, left float64, scale func(x, y float64) (float64, float64)) {
	at := func(n SceneNode) (float64, float64) {
		x, y := scale(n.X, n.Y)
		return left + x, y
	}
	between := make(map[[2]int]int) // edges drawn so far, in one direction
	for _, e := range p.Edges {
		x1, y1 := at(p.Nodes[e.From])
		x2, y2 := at(p.Nodes[e.To])
		ends := [2]int{e.From, e.To}
		k := float64(between[ends])
		between[ends]++
		if e.From == e.To {
			d.add(`<circle cx="%.1f" cy="%.1f" r="%.1f" fill="none" class="bond %s"/>`, x1, y1-nodeRadius-3-2*k, 8+2*k,
				e.Change)
			continue
		}
		if k > 0 { // beside the others, on both sides of the first
			side := math.Ceil(k/2) * 4 / max(1, math.Hypot(x2-x1, y2-y1))
			if between[ends]%2 == 0 {
				side = -side
			}
			dx, dy := side*(y2-y1), -side*(x2-x1)
			x1, y1, x2, y2 = x1+dx, y1+dy, x2+dx, y2+dy
		}
		d.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="bond %s"/>`, x1, y1, x2, y2, e.Change)
		if p.Directed {
			d.head(x1, y1, x2, y2, e.Change)
		}
	}
	for _, n := range p.Nodes {
		x, y := at(n)
		d.add(`<circle cx="%.1f" cy="%.1f" r="%.0f" class="node %s"><title>%s</title></circle>`, x, y, nodeRadius,
			n.Change, html.EscapeString(cmp.Or(n.Label, "a node")))
		if utf8.RuneCountInString(n.Label) <= mostInside {
			d.text(x, y+4, "middle", "label", n.Label)
		} else {
			d.text(x, y+nodeRadius+10, "middle", "small", clip(n.Label, mostBelow))
		}
		if n.Number > 0 {
			d.text(x+nodeRadius, y-nodeRadius+3, "start", "small", strconv.Itoa(n.Number))
		}
	}
	caption := p.Name
	if p.More > 0 {
		caption += fmt.Sprintf(" (and %d more nodes)", p.More)
	}
	d.text(left+panelWidth/2, panelHeight+12, "middle", "name", caption)
}

// head draws the head of an arrow where it meets the node at its end.
func (d *drawing) head(x1, y1, x2, y2 float64, change Change) {
	length := math.Hypot(x2-x1, y2-y1)
	if length < 2*nodeRadius {
		return
	}
	dx, dy := (x2-x1)/length, (y2-y1)/length
	x, y := x2-nodeRadius*dx, y2-nodeRadius*dy
	d.add(`<path d="M%.1f %.1fL%.1f %.1fL%.1f %.1f" class="bond head %s"/>`, x-7*dx-4*dy, y-7*dy+4*dx, x, y,
		x-7*dx+4*dy, y-7*dy-4*dx, change)
}

// clip shortens a text to n letters.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n || n < 2 {
		return s
	}
	return string(r[:n-1]) + "…"
}
