package report

import (
	"cmp"
	"math"
	"slices"
)

// windowShape is how much wider than high a drawing should be.
const windowShape = 1.5

// column is nodes that stand above each other.
type column struct {
	nodes              []int
	y                  []float64 // of the middle of each, pixels
	top, bottom, width float64
}

// piece is nodes that edges connect, and these edges, between places in the list of nodes.
type piece struct {
	nodes []int
	edges [][2]int
}

// pieces returns the connected pieces of n nodes, the largest first.
func pieces(edges [][2]int, n int) []piece {
	near := make([][]int, n)
	for _, e := range edges {
		near[e[0]], near[e[1]] = append(near[e[0]], e[1]), append(near[e[1]], e[0])
	}
	var list []piece
	of, at := make([]int, n), make([]int, n) // the piece of each node, from 1, and its place there
	for start := range n {
		if of[start] != 0 {
			continue
		}
		p := piece{nodes: []int{start}}
		of[start] = len(list) + 1
		for i := 0; i < len(p.nodes); i++ {
			for _, w := range near[p.nodes[i]] {
				if of[w] == 0 {
					of[w] = len(list) + 1
					p.nodes = append(p.nodes, w)
				}
			}
		}
		slices.Sort(p.nodes)
		for i, v := range p.nodes {
			at[v] = i
		}
		list = append(list, p)
	}
	for _, e := range edges {
		p := &list[of[e[0]]-1]
		p.edges = append(p.edges, [2]int{at[e[0]], at[e[1]]})
	}
	slices.SortStableFunc(list, func(a, b piece) int { return cmp.Compare(len(b.nodes), len(a.nodes)) })
	return list
}

// flow places the columns of pieces like the words of paragraphs, in rows of at most the given width, and returns how
// wide and high all are. A piece that has several rows shares none with others.
func flow(pieces [][]column, limit float64, place func(c column, x, y float64)) (width, height float64) {
	x, row := 0.0, 0.0 // where the next column begins, and the height of its row
	next := func() {
		if x > 0 {
			x, height, row = 0, height+row+2*rowHeight, 0
		}
	}
	for _, columns := range pieces {
		for from := 0; from < len(columns); {
			to, wide, top, bottom := from, 0.0, math.Inf(1), math.Inf(-1)
			for ; to < len(columns) && (to == from || wide+columns[to].width <= limit); to++ {
				wide += columns[to].width + columnGap
				top, bottom = min(top, columns[to].top), max(bottom, columns[to].bottom)
			}
			if x+wide-columnGap > limit || to-from < len(columns) {
				next()
			}
			for _, c := range columns[from:to] {
				place(c, x, height-top)
				x += c.width + columnGap
			}
			width, row = max(width, x-columnGap), max(row, bottom-top+rowHeight)
			if to-from < len(columns) {
				next()
			}
			from = to
		}
	}
	next()
	return width, height
}

// windowed returns the width of rows for which a window shows all in the largest size.
func windowed(pieces [][]column) float64 {
	widest, sum := 1.0, 0.0
	for _, columns := range pieces {
		for _, c := range columns {
			widest, sum = max(widest, c.width), sum+c.width+columnGap
		}
	}
	best, least := sum, math.Inf(1)
	for limit := sum; limit >= widest; limit *= .85 {
		width, height := flow(pieces, limit, func(column, float64, float64) {})
		if size := max(width, height*windowShape); size < least {
			best, least = limit, size
		}
	}
	return best
}
