package kernel

func sumRowsGeneric(dst, src Matrix, width, rows int, lists Lists, self float32, accumulate bool) bool {
	var buffer [Lane]float32
	for r := range lists.Len() {
		d := dst.row(r, width)
		for at := 0; at < width; at += Lane {
			s := buffer[:]
			selfTerm(s, src, r, at, self)
			for e := lists.Start[r]; e < lists.Start[r+1]; e++ {
				i := e
				if lists.Index != nil {
					i = lists.Index[e]
				}
				if uint(i) >= uint(rows) {
					return false
				}
				addGeneric(s, src.lane(int(i), at))
			}
			if accumulate {
				addGeneric(d[at:at+Lane], s)
			} else {
				copy(d[at:], s)
			}
		}
	}
	return true
}

func sumMessagesGeneric(dst Matrix, m *Messages) bool {
	var buffer [Lane]float32
	rows, labels := m.Src.rows(m.Width), m.Table.rows(m.Width)
	for v := range m.Arcs.Len() {
		d := dst.row(v, m.Width)
		for at := 0; at < m.Width; at += Lane {
			s := buffer[:]
			selfTerm(s, m.Src, v, at, m.Self)
			for e := m.Arcs.Start[v]; e < m.Arcs.Start[v+1]; e++ {
				u, l := m.Arcs.Index[e], m.Label[e]
				if uint(u) >= uint(rows) || uint(l) >= uint(labels) {
					return false
				}
				x, t := m.Src.lane(int(u), at), m.Table.lane(int(l), at)
				for j := range s[:Lane] {
					s[j] += positive(x[j] + t[j])
				}
			}
			copy(d[at:], s)
		}
	}
	return true
}

func sumMessagesGradGeneric(dSrc, dTable, grad Matrix, m *Messages, labels int) bool {
	var buffer [Lane]float32
	rows := m.Arcs.Len()
	for u := range rows {
		d := dSrc.row(u, m.Width)
		for at := 0; at < m.Width; at += Lane {
			s := buffer[:]
			selfTerm(s, grad, u, at, m.Self)
			x := m.Src.lane(u, at)
			for e := m.Arcs.Start[u]; e < m.Arcs.Start[u+1]; e++ {
				v, l := m.Arcs.Index[e], m.Label[e]
				if uint(v) >= uint(rows) || uint(l) >= uint(labels) {
					return false
				}
				g, t, dt := grad.lane(int(v), at), m.Table.lane(int(l), at), dTable.lane(int(l), at)
				for j := range s[:Lane] {
					y := where(g[j], x[j]+t[j])
					s[j] += y
					dt[j] += y
				}
			}
			copy(d[at:], s)
		}
	}
	return true
}

// lane returns the Lane values of row r that start at column at.
func (m Matrix) lane(r, at int) []float32 {
	at += r * m.Stride
	return m.Data[at : at+Lane : at+Lane]
}

// selfTerm sets s to self times a part of row r.
func selfTerm(s []float32, src Matrix, r, at int, self float32) {
	if self == 0 {
		clear(s)
		return
	}
	for j, x := range src.lane(r, at) {
		s[j] = self * x
	}
}
