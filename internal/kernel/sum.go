package kernel

import "fmt"

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
