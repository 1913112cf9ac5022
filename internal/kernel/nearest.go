package kernel

import "math"

// NearestNode relaxes the nodes of a shortest-path search from one more, and returns the first of
// those that are nearest, if it is nearer than most:
//
//	at, distance := -1, most
//	for y := range dist {
//		if x := line + length[y] - gain[y]; x < dist[y] {
//			dist[y], from[y] = x, origin
//		}
//		if d := dist[y] & math.MaxInt; d < distance {
//			at, distance = y, d
//		}
//	}
//
// So a node whose distance is negative is closed: it stays as it is and is far away.
func (o Ops) NearestNode(dist, from, length, gain []int, line, origin, most int) (at, distance int) {
	n := len(dist)
	checkLength("from", len(from), n)
	checkLength("length", len(length), n)
	checkLength("gain", len(gain), n)
	if o.level == Generic || n < 8 {
		return nearestNodeGeneric(dist, from, length, gain, line, origin, most)
	}
	return nearestNodeAVX2(&dist[0], &from[0], &length[0], &gain[0], n, line, origin, most)
}

func nearestNodeGeneric(dist, from, length, gain []int, line, origin, most int) (at, distance int) {
	n := len(dist)
	from, length, gain = from[:n], length[:n], gain[:n]
	at, distance = -1, most
	for y, d := range dist {
		// Sign bits instead of branches, which would be mispredicted half the time.
		shorter := (line + length[y] - gain[y] - d) >> 63
		d += (line + length[y] - gain[y] - d) & shorter
		dist[y] = d
		from[y] += (origin - from[y]) & shorter
		d &= math.MaxInt
		less := (d - distance) >> 63
		distance += (d - distance) & less
		at += (y - at) & less
	}
	return at, distance
}
