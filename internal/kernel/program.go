package kernel

import (
	"fmt"
	"unsafe"
)

// CellLane is the number of cells in a group of [Program].
const CellLane = 8

// Program is a point of the linear program of two graphs' edges (see package ged) between
// two steps of the primal-dual hybrid gradient method. Cells pair a node of the rows with a
// node of the columns. They are stored in groups of [CellLane], value by value: value i of a
// group is that of its cell in lane 0, then that of lane 1, and so on.
//
// A group of r by c has r + c constraints, first those of the edges at the row, then those of
// the edges at the column, and r·c pairs of edges, row by row. A pair of edges is in the
// cells at both of its ends, with the same values. The first constraints of all, before those of
// the groups, are the sides: rows and columns, in vectors of [CellLane] and in any order. Lanes, constraints and pairs
// that a cell
// does not have are filled: Node and Weight are [Unused] there, Width is [Unmoved], Step is 1,
// the rest 0, and a pair is its own reverse.
type Program struct {
	Groups []CellGroup

	X, X0       []float32 // by cell: its value, and that of the anchor
	Node        []float32 // profit
	Step        []float32 // length of its steps
	Row, Col    []int32   // the sides that it is in
	Far         []float32 // set by the step: the reflected value; and CellLane times 0
	Counts      []int32   // by vector of sides: how many cells its lanes have, filled up
	Cells       []int32   // by vector of sides, cell and lane: the place of the cell in Far
	Dual, Dual0 []float32 // by constraint: its dual value, and that of the anchor
	Last        []float32 // set by the step: where it led to
	Width       []float32 // length of its steps
	Y, Y0       []float32 // by pair of edges: its value, and that of the anchor
	Weight      []float32
	Reverse     []int32   // the same pair in the cell at its other end
	Sum, Next   []float32 // sum of its two Dual; Next is that after the step

	// How far the step moved, by lane: Σ(far - x)²/Step, Σ(far - y)² and Σ(last - dual)²/Width.
	Moved [3][CellLane]float32

	columns []float32
}

// CellGroup is a group of cells: the shape of its largest cells and where its constraints
// and pairs of edges begin.
type CellGroup struct{ Rows, Cols, Dual, Pair int32 }

const (
	// Unused is the profit of what a program only has to fill its groups.
	Unused = -1 << 60
	// Unmoved is so short a step that a dual value stays 0 next to others, and not so short
	// that its square is no normal number, under small loads too.
	Unmoved = 1e-10
)

// StepProgram makes a step of length pace of the values and of length long of the dual
// values, reflects it, and moves by the share keep of it from the anchor (Lu and Yang, 2024,
// with the reflected Halpern form):
//
//	far  = 2·min(1, max(0, x + pace·Step·(Node - Dual[Row] - Dual[Col] + Σ Dual))) - x
//	far  = 2·min(1, max(0, y + pace/4·(Weight - Sum - Sum[Reverse]))) - y
//	load = Σ far of the pairs of a constraint - far of its cell, of a side Σ far of its cells - 1
//	last = max(0, dual + long·Width·load)
//
// X = keep·far + (1 - keep)·X0, and so Y, and Dual = keep·(2·last - dual) + (1 - keep)·Dual0.
// Sum is swapped with Next. [Program.SetSums] must have been called since the groups or a length changed.
func (o Ops) StepProgram(p *Program, keep, pace, long float32) {
	p.Moved = [3][CellLane]float32{}
	switch {
	case len(p.Groups) == 0:
	case o.level == Generic:
		stepProgramGeneric(p, keep, pace, long)
	default:
		stepProgramAVX2((*byte)(unsafe.Pointer(p)), &p.columns[0], len(p.Groups), keep, 1-keep, pace, pace/4, long)
	}
	p.Sum, p.Next = p.Next, p.Sum
}

// SetSums makes p ready for steps: it sets Sum from Dual. It panics if lengths do not fit the groups.
func (p *Program) SetSums() {
	p.check()
	p.sums(p.Sum, p.Dual)
}

// LastSums sets Next to the sums of Last.
func (p *Program) LastSums() { p.sums(p.Next, p.Last) }

func (p *Program) sums(to, from []float32) {
	for _, g := range p.Groups {
		cols := from[int(g.Dual+g.Rows*CellLane):int(g.Dual+(g.Rows+g.Cols)*CellLane)]
		at := int(g.Pair)
		for e := range int(g.Rows) {
			row := (*cells)(from[int(g.Dual)+e*CellLane:])
			for f := 0; f < len(cols); f += CellLane {
				col, sum := (*cells)(cols[f:]), (*cells)(to[at:])
				for v := range sum {
					sum[v] = row[v] + col[v]
				}
				at += CellLane
			}
		}
	}
}

// Sides returns how many constraints come before those of the groups.
func (p *Program) Sides() int { return len(p.Counts) * CellLane }

func (p *Program) check() {
	n := len(p.Groups) * CellLane
	for _, s := range [][]float32{p.X, p.X0, p.Node, p.Step} {
		checkLength("cells", len(s), n)
	}
	checkLength("rows", len(p.Row), n)
	checkLength("columns", len(p.Col), n)
	listed := 0
	for _, count := range p.Counts {
		listed += int(count) * CellLane
	}
	checkLength("cells of sides", len(p.Cells), listed)
	checkLength("reflected cells", len(p.Far), n+CellLane)
	duals, pairs, widest := p.Sides(), 0, 0
	for _, g := range p.Groups {
		if int(g.Dual) != duals || int(g.Pair) != pairs || g.Rows < 0 || g.Cols < 0 {
			panic(fmt.Sprintf("kernel: group %v of a program begins elsewhere", g))
		}
		duals += int(g.Rows+g.Cols) * CellLane
		pairs += int(g.Rows) * int(g.Cols) * CellLane
		widest = max(widest, int(g.Cols))
	}
	for _, s := range [][]float32{p.Dual, p.Dual0, p.Last, p.Width} {
		checkLength("constraints", len(s), duals)
	}
	for _, s := range [][]float32{p.Y, p.Y0, p.Weight, p.Sum, p.Next} {
		checkLength("pairs", len(s), pairs)
	}
	checkLength("reverses", len(p.Reverse), pairs)
	if need := (widest + 1) * CellLane; len(p.columns) < need {
		p.columns = make([]float32, need)
	}
}
