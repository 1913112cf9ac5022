//go:build !noasm

package kernel

import "unsafe"

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
		if !sumRowsAVX2(d, own, s, 4*dst.Stride, 4*src.Stride, 4*width, start, index, n, rows, self, bit(self != 0), bit(accumulate)) {
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
		if !sumMessagesAVX2(d, own, s, t, ldd, lds, ldt, width, start, index, label, n, rows, labels, m.Self, bit(m.Self != 0)) {
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
		if !sumMessagesGradAVX2(d, dt, own, g, x, t, ldds, lddt, ldg, lds, ldt, width, start, index, label, n, rows, labels, m.Self, bit(m.Self != 0)) {
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
