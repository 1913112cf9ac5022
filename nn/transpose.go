package nn

// Transpose sets dst, [cols, rows], to the transpose of src, [rows, cols]. It processes eight
// rows at a time, so that it writes consecutive memory, too.
func Transpose(dst, src []float32, rows, cols int) {
	const tile = 8
	i := 0
	for ; i+tile <= rows; i += tile {
		var r [tile][]float32
		for k := range r {
			r[k] = src[(i+k)*cols:][:cols]
		}
		transposeTile(dst[i:], rows, r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7])
	}
	for ; i < rows; i++ {
		for j, x := range src[i*cols:][:cols] {
			dst[j*rows+i] = x
		}
	}
}

// transposeTile writes eight rows of equal length as the first columns of dst, whose rows are
// stride apart.
func transposeTile(dst []float32, stride int, a, b, c, d, e, f, g, h []float32) {
	n := len(a)
	b, c, d, e, f, g, h = b[:n], c[:n], d[:n], e[:n], f[:n], g[:n], h[:n]
	for j, x := range a {
		to := (*[8]float32)(dst[j*stride:])
		to[0], to[1], to[2], to[3] = x, b[j], c[j], d[j]
		to[4], to[5], to[6], to[7] = e[j], f[j], g[j], h[j]
	}
}
