//go:build !noasm

package kernel

func boundStars(level Level, b *StarBounds, s *Stars, base, less []int16) int16 {
	if level == Generic || s.Rows == 0 || s.Cols == 0 {
		return boundStarsGeneric(b, s, base, less)
	}
	return int16(boundStarsAVX2(&b.Total[0], &b.ByCol[0], &b.RowMost[0], &b.ColMost[0], &s.Shares[0], &base[0], &less[0], s.Rows, s.Cols, s.Lanes))
}

func raiseStars(level Level, s *Stars, most []int16, b *StarBounds, less, part []int16, u, rowPart int16) {
	if level == Generic {
		raiseStarsGeneric(s, most, b, less, part, u, rowPart)
		return
	}
	raiseStarsAVX2(&s.Shares[0], &most[0], &b.Total[0], &b.ByCol[0], &b.RowMost[0], &b.ColMost[0], &less[0], &part[0], s.Rows, s.Cols, s.Lanes, u, rowPart)
}

func nearestLanes(level Level, near, from, open, length, gain []int16, line, origin int16) (lanes uint64, distance int16) {
	if level == Generic {
		return nearestLanesGeneric(near, from, open, length, gain, line, origin)
	}
	lanes, d := nearestLanesAVX2(&near[0], &from[0], &open[0], &length[0], &gain[0], len(near), line, origin)
	return lanes, int16(d)
}
