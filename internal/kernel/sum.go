package kernel

import (
	"fmt"
	"unsafe"
)

// Lists are lists of row numbers, one after the other: list r is
// Index[Start[r]:Start[r+1]], or the numbers Start[r], …, Start[r+1]−1
// themselves if Index is nil.
type Lists struct {
	Start []int32 // one more than there are lists, not falling
	Index []int32
}

// Len returns the number of lists.
func (l Lists) Len() int { return max(0, len(l.Start)-1) }

// check panics unless Start is well formed; with Index, the entries of Index
// are checked by the kernels as they read them.
func (l Lists) check(rows int) {
	if len(l.Start) == 0 {
		return
	}
	end := rows
	if l.Index != nil {
		end = len(l.Index)
	}
	last := int32(0)
	for r, s := range l.Start {
		if s < last {
			panic(fmt.Sprintf("kernel: list %d starts at %d, after %d", r, s, last))
		}
		last = s
	}
	if int(last) > end {
		panic(fmt.Sprintf("kernel: lists end at %d of %d", last, end))
	}
}

func badIndex() { panic("kernel: a list names a row that does not exist") }

// SumRows adds up listed rows of src for each row of dst, as in the sum over
// neighbours of GIN, and its gradient, which is the same with the arcs turned
// round:
//
//	for r := range lists.Len() {
//		s := self * src[r,:] // zero and src[r,:] unread if self is 0
//		for _, i := range list r {
//			s += src[i,:]
//		}
//		dst[r,:] = s // or dst[r,:] + s if accumulate
//	}
//
// Rows are [width].
func (o Ops) SumRows(dst, src Matrix, width int, lists Lists, self float32, accumulate bool) {
	n := lists.Len()
	checkWidth(width)
	dst.check("dst", n, width)
	rows := 0
	if self != 0 {
		rows = n
	}
	src.check("src", rows, width)
	rows = src.rows(width)
	lists.check(rows)
	if n > 0 && width > 0 && !sumRows(o.level, dst, src, width, rows, lists, self, accumulate) {
		badIndex()
	}
}

// Messages describes the messages of GINE along the arcs of graphs: list v
// holds the neighbours of node v, and the arc in the same place of Label has
// a label, whose embedding is a row of Table.
type Messages struct {
	Arcs  Lists   // with Index
	Label []int32 // as long as Arcs.Index
	Src   Matrix  // [nodes, Width]
	Table Matrix  // [labels, Width]
	Width int
	Self  float32 // 1+ε
}

// SumMessages computes
//
//	for v := range nodes {
//		s := Self * Src[v,:] // zero and Src[v,:] unread if Self is 0
//		for e, u := range arcs of v {
//			s += max(0, Src[u,:] + Table[Label[e],:]) // NaN stays NaN
//		}
//		dst[v,:] = s
//	}
func (o Ops) SumMessages(dst Matrix, m *Messages) {
	n := m.check()
	dst.check("dst", n, m.Width)
	if n > 0 && m.Width > 0 && !sumMessages(o.level, dst, m) {
		badIndex()
	}
}

// SumMessagesGrad computes the gradients of [Ops.SumMessages] from grad, that
// of its result, when each arc has its opposite with the same label:
//
//	for u := range nodes {
//		s := Self * grad[u,:]
//		for e, v := range arcs of u {
//			g := grad[v,:] where Src[u,:] + Table[Label[e],:] > 0, else 0
//			s += g
//			dTable[Label[e],:] += g
//		}
//		dSrc[u,:] = s
//	}
func (o Ops) SumMessagesGrad(dSrc, dTable, grad Matrix, m *Messages) {
	n := m.check()
	dSrc.check("dSrc", n, m.Width)
	grad.check("grad", n, m.Width)
	labels := m.Table.rows(m.Width)
	dTable.check("dTable", labels, m.Width)
	m.Src.check("Src", n, m.Width)
	if n > 0 && m.Width > 0 && !sumMessagesGrad(o.level, dSrc, dTable, grad, m, labels) {
		badIndex()
	}
}

func (m *Messages) check() int {
	n := m.Arcs.Len()
	checkWidth(m.Width)
	if m.Arcs.Index == nil && n > 0 && m.Arcs.Start[n] > 0 {
		panic("kernel: arcs without Index")
	}
	checkLength("Label", len(m.Label), len(m.Arcs.Index))
	rows := 0
	if m.Self != 0 {
		rows = n
	}
	m.Src.check("Src", rows, m.Width)
	m.Table.check("Table", 0, m.Width)
	m.Arcs.check(0)
	return n
}

// sumHeight bounds the rows in one call, which cannot be preempted.
const sumHeight = 4096

func sumRows(level Level, dst, src Matrix, width, rows int, lists Lists, self float32, accumulate bool) bool {
	if level == Generic {
		return sumRowsGeneric(dst, src, width, rows, lists, self, accumulate)
	}
	s, index := src.from(0), unsafe.SliceData(lists.Index)
	for r := 0; r < lists.Len(); r += sumHeight {
		d, own, start := dst.from(r), src.from(r), &lists.Start[r]
		n := min(lists.Len()-r, sumHeight)
		if !sumRowsAVX2(d, own, s, 4*dst.Stride, 4*src.Stride, 4*width, start, index, n, rows, self, bit(self != 0),
			bit(accumulate)) {
			return false
		}
	}
	return true
}

func sumMessages(level Level, dst Matrix, m *Messages) bool {
	if level == Generic {
		return sumMessagesGeneric(dst, m)
	}
	s, t := m.Src.from(0), m.Table.from(0)
	rows, labels := m.Src.rows(m.Width), m.Table.rows(m.Width)
	index, label := unsafe.SliceData(m.Arcs.Index), unsafe.SliceData(m.Label)
	ldd, lds, ldt, width := 4*dst.Stride, 4*m.Src.Stride, 4*m.Table.Stride, 4*m.Width
	for r := 0; r < m.Arcs.Len(); r += sumHeight {
		d, own, start := dst.from(r), m.Src.from(r), &m.Arcs.Start[r]
		n := min(m.Arcs.Len()-r, sumHeight)
		if !sumMessagesAVX2(d, own, s, t, ldd, lds, ldt, width, start, index, label, n, rows, labels, m.Self,
			bit(m.Self != 0)) {
			return false
		}
	}
	return true
}

func sumMessagesGrad(level Level, dSrc, dTable, grad Matrix, m *Messages, labels int) bool {
	if level == Generic {
		return sumMessagesGradGeneric(dSrc, dTable, grad, m, labels)
	}
	g, t, dt := grad.from(0), m.Table.from(0), dTable.from(0)
	index, label := unsafe.SliceData(m.Arcs.Index), unsafe.SliceData(m.Label)
	ldds, lddt, ldg, lds, ldt, width := 4*dSrc.Stride, 4*dTable.Stride, 4*grad.Stride, 4*m.Src.Stride, 4*m.Table.Stride, 4*m.Width
	rows := m.Arcs.Len()
	for r := 0; r < rows; r += sumHeight {
		d, own, x, start := dSrc.from(r), grad.from(r), m.Src.from(r), &m.Arcs.Start[r]
		n := min(rows-r, sumHeight)
		if !sumMessagesGradAVX2(d, dt, own, g, x, t, ldds, lddt, ldg, lds, ldt, width, start, index, label, n, rows, labels,
			m.Self, bit(m.Self != 0)) {
			return false
		}
	}
	return true
}

// from returns where row r starts, or nil if there is none.
func (m Matrix) from(r int) *float32 {
	if r*m.Stride >= len(m.Data) {
		return nil
	}
	return &m.Data[r*m.Stride]
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
