package report

import (
	"cmp"
	"math"
	"slices"
)

// Distances of a layered drawing, in pixels: between the middles of neighbours in a column, and between columns.
const (
	rowHeight = 30
	columnGap = 46
)

// layered returns places for the left end and the middle of nodes that are boxes of the given widths, [n]: edges lead
// to the right where that is possible, each column holds nodes that are as far from the start, and nodes are near
// their neighbours (after Sugiyama, Tagawa and Toda, 1981). Tall columns are broken up, and what is wider than a window
// goes on below. Pieces that no edge connects are drawn one after another.
func layered(edges [][2]int, width []float64) [][2]float64 {
	var drawn [][]column
	for _, p := range pieces(edges, len(width)) {
		l := newLayers(p.edges, len(p.nodes))
		l.order()
		widths := make([]float64, len(p.nodes))
		for i, v := range p.nodes {
			widths[i] = width[v]
		}
		columns := l.place(widths)
		for _, c := range columns {
			for i, v := range c.nodes {
				c.nodes[i] = p.nodes[v]
			}
		}
		drawn = append(drawn, columns)
	}
	places := make([][2]float64, len(width))
	flow(drawn, windowed(drawn), func(c column, x, y float64) {
		for i, v := range c.nodes {
			places[v] = [2]float64{x, y + c.y[i]}
		}
	})
	return places
}

// layers are the columns of a drawing before it has places.
type layers struct {
	next, last [][]int // [n] neighbours to the right and to the left
	layer      []int
	columns    [][]int
	at         []float64 // [n] place in the column
}

func newLayers(edges [][2]int, n int) *layers {
	out, in := make([][]int, n), make([]int, n)
	for _, e := range edges {
		if e[0] != e[1] {
			out[e[0]] = append(out[e[0]], e[1])
			in[e[1]]++
		}
	}
	l := &layers{next: make([][]int, n), last: make([][]int, n), layer: make([]int, n), at: make([]float64, n)}
	// Depth first, sources first: an edge to a node that is still open closes a cycle and is turned around.
	starts := make([]int, n)
	for v := range starts {
		starts[v] = v
	}
	slices.SortStableFunc(starts, func(a, b int) int {
		return cmp.Or(cmp.Compare(min(in[a], 1), min(in[b], 1)), cmp.Compare(len(out[b]), len(out[a])))
	})
	state := make([]byte, n) // 1: open, 2: done
	var done []int
	type visit struct{ v, k int }
	for _, start := range starts {
		if state[start] != 0 {
			continue
		}
		state[start] = 1
		stack := []visit{{start, 0}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.k == len(out[top.v]) {
				state[top.v] = 2
				done = append(done, top.v)
				stack = stack[:len(stack)-1]
				continue
			}
			w := out[top.v][top.k]
			top.k++
			switch state[w] {
			case 1:
				l.next[w], l.last[top.v] = append(l.next[w], top.v), append(l.last[top.v], w)
			case 0:
				l.next[top.v], l.last[w] = append(l.next[top.v], w), append(l.last[w], top.v)
				state[w] = 1
				stack = append(stack, visit{w, 0})
			default:
				l.next[top.v], l.last[w] = append(l.next[top.v], w), append(l.last[w], top.v)
			}
		}
	}
	slices.Reverse(done) // a topological order
	for _, v := range done {
		for _, w := range l.next[v] {
			l.layer[w] = max(l.layer[w], l.layer[v]+1)
		}
	}
	// A node is as far to the right as its neighbours allow, so edges are short.
	for _, v := range slices.Backward(done) {
		if len(l.next[v]) == 0 || len(l.last[v]) > 0 {
			continue
		}
		least := math.MaxInt
		for _, w := range l.next[v] {
			least = min(least, l.layer[w]-1)
		}
		l.layer[v] = least
	}
	for _, v := range done {
		for len(l.columns) <= l.layer[v] {
			l.columns = append(l.columns, nil)
		}
		l.columns[l.layer[v]] = append(l.columns[l.layer[v]], v)
	}
	return l
}

// sweeps is how often columns are ordered by their neighbours, to the right and back.
const sweeps = 6

// order sorts every column by the middles of the neighbours of its nodes.
func (l *layers) order() {
	for _, column := range l.columns {
		l.number(column)
	}
	for range sweeps {
		for _, column := range l.columns {
			l.sort(column, l.last)
		}
		for _, column := range slices.Backward(l.columns) {
			l.sort(column, l.next)
		}
	}
}

func (l *layers) number(column []int) {
	for i, v := range column {
		l.at[v] = float64(i) - float64(len(column)-1)/2
	}
}

func (l *layers) sort(column []int, near [][]int) {
	middle := make(map[int]float64, len(column))
	for _, v := range column {
		middle[v] = l.middle(v, near)
	}
	slices.SortStableFunc(column, func(a, b int) int { return cmp.Compare(middle[a], middle[b]) })
	l.number(column)
}

// middle returns the mean place of the neighbours of v, or its own if there are none.
func (l *layers) middle(v int, near [][]int) float64 {
	if len(near[v]) == 0 {
		return l.at[v]
	}
	sum := 0.0
	for _, w := range near[v] {
		sum += l.at[w]
	}
	return sum / float64(len(near[v]))
}

// place gives nodes of a column places in order, as near their neighbours as the others allow, and breaks up columns
// that are tall.
func (l *layers) place(width []float64) (list []column) {
	tall := max(24, int(1.6*math.Sqrt(float64(len(width)))))
	both := make([][]int, len(width))
	for v := range both {
		both[v] = append(append(both[v], l.last[v]...), l.next[v]...)
	}
	for range sweeps {
		for _, column := range l.columns {
			if len(column) <= tall {
				l.align(column, both)
			}
		}
	}
	for _, nodes := range l.columns {
		parts := (len(nodes) + tall - 1) / tall
		for part := range parts {
			from, to := part*len(nodes)/parts, (part+1)*len(nodes)/parts
			c := column{top: math.Inf(1), bottom: math.Inf(-1)}
			for i, v := range nodes[from:to] {
				y := l.at[v]
				if parts > 1 {
					y = float64(i) - float64(to-from-1)/2 + .5*float64(part%2)
				}
				c.nodes, c.y = append(c.nodes, v), append(c.y, y*rowHeight)
				c.width = max(c.width, width[v])
				c.top, c.bottom = min(c.top, y*rowHeight), max(c.bottom, y*rowHeight)
			}
			list = append(list, c)
		}
	}
	return list
}

// align moves the nodes of a column to the middles of their neighbours, or as near as order and distances allow.
func (l *layers) align(column []int, near [][]int) {
	wanted := make([]float64, len(column))
	shift := 0.0
	for i, v := range column {
		wanted[i] = l.middle(v, near)
	}
	for i, v := range column {
		y := wanted[i]
		if i > 0 {
			y = max(y, l.at[column[i-1]]+1)
		}
		l.at[v] = y
		shift += y - wanted[i]
	}
	for _, v := range column {
		l.at[v] -= shift / float64(len(column))
	}
}
