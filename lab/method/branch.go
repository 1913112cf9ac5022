package method

import (
	"math"

	"github.com/greedgraph/greed/internal/assign"
)

// brancher bounds the change of all completions of a partial node map by the anchored
// branch bound. The branch of an open node is the node, half of each edge to another
// open node, since both ends count it, and all of each edge to a mapped node. The bound
// is the least change by which the branches of rows can be assigned to those of columns.
//
// For an empty map this is BRANCH (Blumenthal and Gamper, "Improved lower bounds for
// graph edit distance", TKDE 2018), for others BMa (Chang, Feng, Lin, Qin, Zhang and
// Ouyang, ICDE 2020). With fast set it is BRANCH-FAST: the edges of two nodes are
// compared as multisets of labels, even where a table of costs tells more.
type brancher struct {
	*pair
	fast   bool
	image  []int32 // [n] column of every row
	solver forcing

	open    []int32 // columns still open
	at      []int32 // [m] index in open, or −1
	cells   []float64
	zeros   []float64
	rowEdge []int32 // [n, sides, labels] edges between open rows
	colEdge []int32 // [m, sides, labels]
	forced  []float64
}

func newBrancher(x *pair) *brancher {
	counters := x.sides * x.edges.labels
	b := &brancher{
		pair:    x,
		image:   make([]int32, x.n),
		at:      make([]int32, x.m),
		open:    make([]int32, 0, x.m),
		cells:   make([]float64, 0, x.n*x.m),
		zeros:   make([]float64, x.m),
		rowEdge: make([]int32, x.n*counters),
		colEdge: make([]int32, x.m*counters),
	}
	if x.large() {
		b.solver.Stop = x.clock.Spend
	}
	return b
}

// bound takes image[:k] as given and returns the least change of the rest, or
// less. It completes image by the assignment that attains it. If time ends before
// that, the rows that are not placed by then are left out.
func (b *brancher) bound(k int) float64 {
	b.openColumns(k)
	b.countEdges(k)
	if !b.fillCells(k) {
		for i := k; i < b.n; i++ {
			b.image[i] = -1
		}
		return math.Inf(-1)
	}
	b.anchor(k)
	rows, columns := b.n-k, len(b.open)
	least := b.solver.Solve(b.cells, b.zeros[:rows], b.zeros[:columns])
	for r, c := range b.solver.Row {
		if c == assign.None {
			b.image[k+r] = -1
		} else {
			b.image[k+r] = b.open[c]
		}
	}
	return least
}

// openColumns lists the columns that image[:k] does not use.
func (b *brancher) openColumns(k int) {
	clear(b.at)
	for _, j := range b.image[:k] {
		if j >= 0 {
			b.at[j] = -1
		}
	}
	b.open = b.open[:0]
	for j, taken := range b.at {
		if taken == 0 {
			b.at[j] = int32(len(b.open))
			b.open = append(b.open, int32(j))
		}
	}
}

// countEdges counts the edges of every open row and column to open ones.
func (b *brancher) countEdges(k int) {
	labels, stride := b.edges.labels, b.sides*b.edges.labels
	clear(b.rowEdge)
	clear(b.colEdge)
	for side := range b.sides {
		for i := k; i < b.n; i++ {
			for _, a := range b.rowArcs.of(side, i) {
				if int(a.to) >= k {
					b.rowEdge[i*stride+side*labels+int(a.label)]++
				}
			}
		}
		for _, j := range b.open {
			for _, a := range b.columnArcs.of(side, int(j)) {
				if b.at[a.to] >= 0 {
					b.colEdge[int(j)*stride+side*labels+int(a.label)]++
				}
			}
		}
	}
}

// fillCells sets the change of mapping every open row to every open column:
// their nodes, and half of their edges to open nodes. It reports whether there was
// time for that.
func (b *brancher) fillCells(k int) bool {
	b.cells = b.cells[:(b.n-k)*len(b.open)]
	cells := b.cells
	labels, stride := b.edges.labels, b.sides*b.edges.labels
	for i := k; i < b.n; i++ {
		if b.large() && b.clock.Spend(len(b.open)*(2+stride)) {
			return false
		}
		change := b.change[i*b.m : (i+1)*b.m]
		row := b.rowEdge[i*stride : (i+1)*stride]
		if stride == 1 {
			half, degree := b.edges.same/2, row[0]
			for c, j := range b.open {
				cells[c] = change[j] + float64(min(degree, b.colEdge[j]))*half
			}
		} else {
			for c, j := range b.open {
				column := b.colEdge[int(j)*stride : (int(j)+1)*stride]
				sum := 0.0
				for l := 0; l < stride; l += labels {
					if b.fast {
						sum += b.edges.multiset(row[l:l+labels], column[l:l+labels])
					} else {
						sum += b.edges.star(row[l:l+labels], column[l:l+labels])
					}
				}
				cells[c] = change[j] + sum/2
			}
		}
		cells = cells[len(b.open):]
	}
	return true
}

// anchor adds the changes of edges between open and placed nodes.
func (b *brancher) anchor(k int) {
	for i, j := range b.image[:k] {
		if j < 0 {
			continue
		}
		for side := range b.sides {
			columns := b.columnArcs.of(side, int(j))
			for _, x := range b.rowArcs.of(side, i) {
				if int(x.to) < k {
					continue
				}
				cells := b.cells[(int(x.to)-k)*len(b.open):]
				for _, y := range columns {
					if c := b.at[y.to]; c >= 0 {
						cells[c] += b.edges.of(x.label, y.label)
					}
				}
			}
		}
	}
}
