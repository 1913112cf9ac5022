package kernel

import "math"

// block is as many lanes as the loops here go through at a time.
type block = [StarLane]int16

func boundStarsGeneric(b *StarBounds, s *Stars, base, less []int16) int16 {
	n := s.Lanes
	greatest := int16(math.MinInt16)
	for at := 0; at < n; at += StarLane {
		var rows, cols block
		for c := range s.Cols {
			*(*block)(b.ColMost[c*n+at:]) = block{}
		}
		for r := range s.Rows {
			var row block
			for c := range s.Cols {
				share := (*block)(s.Shares[(r*s.Cols+c)*n+at:])
				col := (*block)(b.ColMost[c*n+at:])
				for v, x := range share {
					row[v] = max(row[v], x)
					col[v] = max(col[v], x)
				}
			}
			*(*block)(b.RowMost[r*n+at:]) = row
			for v, x := range row {
				rows[v] = saturated(int32(rows[v]) + int32(x))
			}
		}
		for c := range s.Cols {
			for v, x := range (*block)(b.ColMost[c*n+at:]) {
				cols[v] = saturated(int32(cols[v]) + int32(x))
			}
		}
		total, byCol := (*block)(b.Total[at:]), (*block)(b.ByCol[at:])
		base, less := (*block)(base[at:]), (*block)(less[at:])
		for v := range total {
			byCol[v] = 0
			if rows[v] > cols[v] {
				byCol[v] = -1
			}
			total[v] = saturated(int32(base[v]) + int32(min(rows[v], cols[v])))
			greatest = max(greatest, saturated(int32(total[v])-int32(less[v])))
		}
	}
	return greatest
}

func raiseStarsGeneric(s *Stars, most []int16, b *StarBounds, less, part []int16, u, rowPart int16) {
	n := s.Lanes
	for at := 0; at < n; at += StarLane {
		var each block
		byCol, total := (*block)(b.ByCol[at:]), (*block)(b.Total[at:])
		less, part := (*block)(less[at:]), (*block)(part[at:])
		for v := range each {
			p := rowPart
			if byCol[v] != 0 {
				p = part[v]
			}
			spare := saturated(int32(saturated(int32(u)+int32(less[v]))) - int32(total[v]))
			each[v] = int16(int32(saturated(2*int32(spare))) * int32(p) >> 16)
		}
		for r := range s.Rows {
			row := (*block)(b.RowMost[r*n+at:])
			for c := range s.Cols {
				col := (*block)(b.ColMost[c*n+at:])
				i := (r*s.Cols+c)*n + at
				share, most := (*block)(s.Shares[i:]), (*block)(most[i:])
				for v, x := range share {
					// Masks instead of branches, which would be mispredicted often.
					from := row[v]&^byCol[v] | col[v]&byCol[v]
					share[v] = min(most[v], saturated(int32(from)+int32(each[v]))) | x>>15
				}
			}
		}
	}
}

func nearestLanesGeneric(near, from, open, length, gain []int16, line, origin int16) (lanes uint64, distance int16) {
	distance = math.MaxInt16
	for v := range near {
		if open[v] < 0 {
			continue
		}
		if x := saturated(int32(saturated(int32(line)+int32(length[v]))) - int32(gain[v])); x < near[v] {
			near[v], from[v] = x, origin
		}
		switch {
		case near[v] < distance:
			lanes, distance = 1<<uint(v), near[v]
		case near[v] == distance && lanes != 0:
			lanes |= 1 << uint(v)
		}
	}
	return lanes, distance
}

func saturated(x int32) int16 { return int16(min(max(x, math.MinInt16), math.MaxInt16)) }
