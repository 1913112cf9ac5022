//go:build !noasm

package kernel

// The bits of flags of distances.
const (
	flagL2    = 1
	flagHinge = 2
	flagMax   = 4
)

// groupsPart bounds the groups in one call, which cannot be preempted.
const groupsPart = 1024

func exact(level Level, dst []float64, q, groups []float32, n *Norm) {
	if level == Generic {
		exactGeneric(dst, q, groups, n)
		return
	}
	group, flags := Lane*len(q), n.flags()
	for g := 0; g < len(dst)/Lane; g += groupsPart {
		count := min(len(dst)/Lane-g, groupsPart)
		exactAVX2(&dst[g*Lane], &q[0], &groups[g*group], &n.Widths[0], len(n.Widths), count, 4*group, flags)
	}
}

func screen(level Level, dst, q, groups []float32, n *Norm) {
	if level == Generic {
		screenGeneric(dst, q, groups, n)
		return
	}
	group, flags := Lane*len(q), n.flags()
	for g := 0; g < len(dst)/Lane; g += groupsPart {
		count := min(len(dst)/Lane-g, groupsPart)
		screenAVX2(&dst[g*Lane], &q[0], &groups[g*group], &n.Widths[0], len(n.Widths), count, 4*group, flags)
	}
}

func (n *Norm) flags() int {
	return flagL2*bit(n.L2) | flagHinge*bit(n.Hinge) | flagMax*bit(n.Max)
}

func find(level Level, values []float32, limit float32) int {
	whole := len(values) &^ (Lane - 1)
	if level == Generic || whole == 0 {
		return findGeneric(values, limit)
	}
	if at := findAVX2(&values[0], whole, limit); at < whole {
		return at
	}
	return whole + findGeneric(values[whole:], limit)
}
