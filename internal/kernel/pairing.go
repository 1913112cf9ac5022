package kernel

// Sizes of a [Pairing].
const (
	PairingSize  = 16 // the most rows, and the most columns
	PairingKinds = 8  // the most kinds of edges
)

// Forbidden is the profit of a pair that is excluded; what is less than half of it counts as
// excluded. MostProfit is the most that any pair may earn.
const (
	Forbidden  = -20000
	MostProfit = 2000
)

// PairingLine has a number for each row or column.
type PairingLine = [PairingSize]int16

// PairingGraphs are two graphs, of rows and of columns. Their edges are of kinds, and an edge may
// be of several. Two edges, one of either graph, earn Weight[k] for every kind k that they
// share; every edge is of kind 0.
type PairingGraphs struct {
	RowNext, ColNext [PairingKinds][PairingSize]uint16 // a bit for each neighbour by an edge of the kind
	Weight           [PairingKinds]int16
	Kinds            int
}

// Pairing is a state of a search that maps all rows to columns of their own. A pair of a row
// and a column has a profit, of which at most Star is earned by edges between free nodes. The
// duals are feasible, U[a] + V[b] ≥ Profit[a, b] with U, V ≥ 0, and where a is matched to b
// the two are equal. Bound exceeds the sum of the duals by what fixed pairs earn.
//
// Profits of rows and columns that are not free are Forbidden, their duals 0.
type Pairing struct {
	Profit, Star       [PairingSize]PairingLine // by row and column
	U, V               PairingLine
	RowMatch, ColMatch PairingLine // -1: none
	Rows, Cols         int         // a bit for each that is free
	Bound              int
	_                  int
	RowEdges, ColEdges [PairingKinds]PairingLine // edges to free nodes, by kind
}

// Empty makes p a state of so many free rows and columns, none matched, with all pairs
// Forbidden, and the duals and the bound 0. Stars and edges stay what they are.
func (p *Pairing) Empty(rows, cols int) {
	for a := range p.Profit {
		p.Profit[a] = forbidden
	}
	p.U, p.V, p.RowMatch, p.ColMatch = PairingLine{}, PairingLine{}, unmatched, unmatched
	p.Rows, p.Cols, p.Bound = 1<<rows-1, 1<<cols-1, 0
}

// Lines of a state in which nothing is matched or allowed.
var unmatched, forbidden = lineOf(-1), lineOf(Forbidden)

func lineOf(x int16) (l PairingLine) {
	for i := range l {
		l[i] = x
	}
	return l
}

// Exclude forbids the pair of row a and column b.
func (p *Pairing) Exclude(a, b int) {
	p.Profit[a][b] = Forbidden
	if int(p.RowMatch[a]) == b {
		p.RowMatch[a], p.ColMatch[b] = -1, -1
	}
}

// SolvePairing lowers the duals of p until their sum is least, by the Hungarian method;
// the matches are then an assignment of greatest profit. It returns false as soon as Bound
// is less than need.
func (o Ops) SolvePairing(p *Pairing, need int) bool {
	if o.level == Generic {
		return solvePairingGeneric(p, need)
	}
	return solvePairingAVX2(&p.Profit[0][0], need)
}

// NarrowPairing excludes the pairs that no map contains whose profit is at least spare less than
// Bound allows, and lowers the profits of others: an edge at a row earns something at a
// column only if a pair of their ends is not excluded. It returns the free row with the least (pairs
// left) − 4·(edges), the first of equals, or -1 if some row has no pair left; and whether a match
// was lost. There must be a free row.
func (o Ops) NarrowPairing(p *Pairing, g *PairingGraphs, spare int16) (row int, lost bool) {
	if o.level == Generic {
		return narrowPairingGeneric(p, g, spare)
	}
	row, l := narrowPairingAVX2(&p.Profit[0][0], &g.RowNext[0][0], int(spare))
	return row, l != 0
}

// FixPairing sets p to the state that follows from the state from when the pair of row i and
// column j is fixed. Both are free, and the pair is not excluded.
func (o Ops) FixPairing(p, from *Pairing, g *PairingGraphs, i, j int) {
	if uint(i) >= PairingSize || uint(j) >= PairingSize {
		panic("kernel: no such pair")
	}
	if o.level == Generic {
		fixPairingGeneric(p, from, g, i, j)
		return
	}
	fixPairingAVX2(&p.Profit[0][0], &from.Profit[0][0], &g.RowNext[0][0], i, j)
}
