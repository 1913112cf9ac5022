package kernel

func screenCodesGeneric(dst, q []float32, c *Codes, n *Norm) {
	for from := 0; from < c.Slots; from += Lane {
		total := dst[from : from+Lane : from+Lane]
		clear(total)
		at := 0
		for _, w := range n.Widths {
			var sums [Lane]float32
			for i := at; i < at+w; i++ {
				var row [Lane]float32
				a, step := q[i]-c.Base[i], c.Step[i]
				for l, x := range c.Codes[i*c.Slots+from:][:Lane] {
					row[l] = a - float32(step*float32(x))
				}
				addTerms(&sums, &row, n)
			}
			at += w
			endBlock(total, &sums, n)
		}
	}
}
