//go:build !noasm

package kernel

func screenCodes(level Level, dst, q []float32, c *Codes, n *Norm) {
	if level == Generic {
		screenCodesGeneric(dst, q, c, n)
		return
	}
	codedAVX2(&dst[0], &q[0], &c.Base[0], &c.Step[0], &c.Codes[0], &n.Widths[0], len(n.Widths), c.Slots, n.flags())
}
