package chem

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// ringSystem returns the places of the atoms of a block of rings: the rings one after another as polygons, each at a
// side of one that is there, and bridges as arcs. Where that puts atoms on each other, places follow from the lengths
// of shortest paths.
func (l *layout) ringSystem(block int32) map[int32]point {
	if at, ok := l.local[block]; ok {
		return at
	}
	if bonds := l.workspace.rings.block(int(block)); len(bonds) > mostRingBonds {
		at := make(map[int32]point)
		for _, bond := range bonds {
			for _, v := range [2]int32{l.m.Bonds[bond].From, l.m.Bonds[bond].To} {
				if _, ok := at[v]; !ok {
					at[v] = polygonAt(len(bonds), len(at))
				}
			}
		}
		l.local[block] = at
		return at
	}
	cycles := l.ringsOf(block)
	at := make(map[int32]point)
	for i, v := range cycles[0] {
		at[v] = polygonAt(len(cycles[0]), i)
	}
	done := make([]bool, len(cycles))
	done[0] = true
	for range cycles[1:] {
		best, fewest := -1, math.MaxInt
		for i, c := range cycles {
			if done[i] {
				continue
			}
			shared := 0
			for k, v := range c {
				_, one := at[v]
				_, two := at[c[(k+1)%len(c)]]
				if one && two {
					shared++
				}
			}
			if shared == 0 {
				continue
			}
			// Rings that share one side come first, and small before large ones.
			if score := 100*min(shared-1, 9) + len(c); score < fewest {
				best, fewest = i, score
			}
		}
		if best < 0 {
			break
		}
		done[best] = true
		l.attach(at, cycles[best])
	}
	missing := false // rings that meet in single atoms, and go around
	for _, bond := range l.workspace.rings.block(int(block)) {
		if v := l.m.Bonds[bond].From; !missing {
			_, ok := at[v]
			missing = !ok
		}
	}
	if missing {
		for _, bond := range l.workspace.rings.block(int(block)) {
			for _, v := range []int32{l.m.Bonds[bond].From, l.m.Bonds[bond].To} {
				if _, ok := at[v]; !ok {
					at[v] = polygonAt(len(l.m.Atoms), int(v))
				}
			}
		}
	}
	if missing || l.crowded(block, at) {
		at = l.relaxed(block, at)
	}
	l.local[block] = at
	return at
}

// mostRingBonds is how many bonds a ring system may have: the atoms of others are on a circle. The time grows with the
// square.
const mostRingBonds = 500

func polygonAt(n, i int) point {
	return toward(2 * math.Pi * float64(i) / float64(n)).times(0.5 / math.Sin(math.Pi/float64(n)))
}

// ringsOf returns a smallest ring through every bond of a block, the one that shares the most bonds with others first.
func (l *layout) ringsOf(block int32) (cycles [][]int32) {
	seen := make(map[[2]int32]int) // how many rings a bond is in
	found := make(map[string]bool)
	for _, bond := range l.workspace.rings.block(int(block)) {
		b := l.m.Bonds[bond]
		known := seen[[2]int32{min(b.From, b.To), max(b.From, b.To)}] > 0
		if known && l.inChain(b.From, block) && l.inChain(b.To, block) {
			continue // the ring through the bonds beside it
		}
		c := l.cycleThrough(bond)
		sorted := slices.Sorted(slices.Values(c))
		key := make([]byte, 0, 4*len(c))
		for _, v := range sorted {
			key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
		if found[string(key)] {
			continue
		}
		found[string(key)] = true
		cycles = append(cycles, c)
		for i, v := range c {
			w := c[(i+1)%len(c)]
			seen[[2]int32{min(v, w), max(v, w)}]++
		}
	}
	shared := func(c []int32) (n int) {
		for i, v := range c {
			w := c[(i+1)%len(c)]
			n += seen[[2]int32{min(v, w), max(v, w)}] - 1
		}
		return n
	}
	slices.SortStableFunc(cycles, func(a, b []int32) int {
		return cmp.Or(cmp.Compare(shared(b), shared(a)), cmp.Compare(len(a), len(b)))
	})
	return cycles
}

// inChain reports whether an atom has two bonds in its ring system.
func (l *layout) inChain(v, block int32) bool {
	n := 0
	for _, a := range l.workspace.at(v) {
		if l.workspace.rings.of[a.bond] == block {
			n++
		}
	}
	return n == 2
}

// cycleThrough returns the atoms of a smallest ring with a bond, in order.
func (l *layout) cycleThrough(bond int32) []int32 {
	from, to := l.m.Bonds[bond].From, l.m.Bonds[bond].To
	before := map[int32]int32{from: noAtom}
	queue := []int32{from}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, a := range l.workspace.at(v) {
			if _, ok := before[a.to]; ok || a.bond == bond {
				continue
			}
			before[a.to] = v
			if a.to == to {
				var c []int32
				for v := to; v != noAtom; v = before[v] {
					c = append(c, v)
				}
				return c
			}
			queue = append(queue, a.to)
		}
	}
	panic("chem: a bond of a block of rings is in no ring")
}

// attach places what is missing of a ring: each run of missing atoms on an arc between its ends.
func (l *layout) attach(at map[int32]point, c []int32) {
	n := len(c)
	first := slices.IndexFunc(c, func(v int32) bool { _, ok := at[v]; return ok })
	var centre point
	count := 0.0
	for _, p := range at {
		centre, count = centre.plus(p), count+1
	}
	centre = centre.times(1 / count)
	for i := first; i < first+n; i++ {
		if _, ok := at[c[(i+1)%n]]; ok {
			continue
		}
		j := i + 1 // to the next that is placed
		for {
			if _, ok := at[c[j%n]]; ok {
				break
			}
			j++
		}
		a, b := at[c[i%n]], at[c[j%n]]
		around := l.nearbyCentre(at, c[i%n], c[j%n], centre)
		// Places on the side of the line a–b that is away from what is there.
		side := 1.0
		if b.minus(a).cross(around.minus(a)) > 0 {
			side = -1
		}
		for k, p := range arcBetween(a, b, j-i, side) {
			at[c[(i+1+k)%n]] = p
		}
		i = j - 1
	}
}

// nearbyCentre returns the centre of the placed neighbours of two atoms, or if these are in a line that of all.
func (l *layout) nearbyCentre(at map[int32]point, v, w int32, all point) point {
	var sum point
	count := 0.0
	for _, u := range []int32{v, w} {
		for _, a := range l.workspace.at(u) {
			if p, ok := at[a.to]; ok && a.to != v && a.to != w {
				sum, count = sum.plus(p), count+1
			}
		}
	}
	if count == 0 {
		return all
	}
	sum = sum.times(1 / count)
	if math.Abs(at[w].minus(at[v]).cross(sum.minus(at[v]))) < 0.1 {
		return all
	}
	return sum
}

// arcBetween returns n-1 points between a and b, with steps of length 1 where these are near enough: on the left for a
// side of 1, on the right for -1.
func arcBetween(a, b point, n int, side float64) []point {
	chord := b.minus(a)
	d := chord.length()
	list := make([]point, n-1)
	if d < 1e-6 || d >= float64(n)-1e-6 {
		for i := range list {
			list[i] = a.plus(chord.times(float64(i+1) / float64(n)))
		}
		return list
	}
	// Half of the angle of a step, t, is such that sin(n t) / sin t = d.
	low, high := 1e-9, math.Pi/float64(n)
	for range 60 {
		t := (low + high) / 2
		if math.Sin(float64(n)*t)/math.Sin(t) > d {
			low = t
		} else {
			high = t
		}
	}
	t := (low + high) / 2
	step := chord.times(1 / d).turned(side * (float64(n) - 1) * t)
	p := a
	for i := range list {
		p = p.plus(step)
		list[i] = p
		step = step.turned(-side * 2 * t)
	}
	return list
}

// crowded reports whether atoms of a ring system are too near to each other, or bonds too long.
func (l *layout) crowded(block int32, at map[int32]point) bool {
	for _, bond := range l.workspace.rings.block(int(block)) {
		if d := at[l.m.Bonds[bond].From].far(at[l.m.Bonds[bond].To]); d < 0.6 || d > 1.5 {
			return true
		}
	}
	atoms := sortedAtoms(at)
	for i, v := range atoms {
		for _, u := range atoms[:i] {
			if at[v].far(at[u]) < 0.45 {
				return true
			}
		}
	}
	return false
}

func sortedAtoms(at map[int32]point) []int32 {
	atoms := make([]int32, 0, len(at))
	for v := range at {
		atoms = append(atoms, v)
	}
	slices.Sort(atoms)
	return atoms
}

const (
	relaxTries = 3
	relaxSteps = 150
)

// relaxed returns places whose distances are about as long as shortest paths, by majorization (Gansner, Koren and
// North, 2004), from the given places and from random ones: those with the least stress.
func (l *layout) relaxed(block int32, at map[int32]point) map[int32]point {
	atoms := sortedAtoms(at)
	n := len(atoms)
	want := l.paths(atoms, block)
	var best []point
	least := math.Inf(1)
	for try := range relaxTries {
		places := make([]point, n)
		rng := rand.New(rand.NewPCG(uint64(try), 0x2d1a))
		for i, v := range atoms {
			places[i] = at[v].plus(point{rng.Float64(), rng.Float64()}.times(0.1 + 2*float64(try)))
		}
		for range relaxSteps {
			majorize(places, want)
		}
		if s := tension(places, want); s < least {
			best, least = places, s
		}
	}
	out := make(map[int32]point, n)
	for i, v := range atoms {
		out[v] = best[i]
	}
	return out
}

// paths returns the distances that atoms should have, [n][n]: bonds 1, others the chord of a chain with so many bonds.
func (l *layout) paths(atoms []int32, block int32) [][]float64 {
	index := make(map[int32]int)
	for i, v := range atoms {
		index[v] = i
	}
	want := make([][]float64, len(atoms))
	for i, v := range atoms {
		want[i] = make([]float64, len(atoms))
		steps := map[int32]int{v: 0}
		queue := []int32{v}
		for len(queue) > 0 {
			u := queue[0]
			queue = queue[1:]
			for _, a := range l.workspace.at(u) {
				if _, ok := steps[a.to]; ok || l.workspace.rings.of[a.bond] != block {
					continue
				}
				steps[a.to] = steps[u] + 1
				want[i][index[a.to]] = math.Pow(float64(steps[a.to]), 0.85)
				queue = append(queue, a.to)
			}
		}
	}
	return want
}

// majorize moves every atom to where the others want it, with weights 1/d⁴, so that bonds count most.
func majorize(at []point, want [][]float64) {
	for i := range at {
		var sum point
		weight := 0.0
		for j := range at {
			if i == j {
				continue
			}
			d := want[i][j]
			w := 1 / (d * d * d * d)
			way := at[i].minus(at[j])
			pull := 0.0
			if length := way.length(); length > 1e-9 {
				pull = d / length
			}
			sum = sum.plus(at[j].plus(way.times(pull)).times(w))
			weight += w
		}
		at[i] = sum.times(1 / weight)
	}
}

func tension(at []point, want [][]float64) (sum float64) {
	for i := range at {
		for j := range i {
			d := want[i][j]
			e := at[i].far(at[j]) - d
			sum += e * e / (d * d * d * d)
		}
	}
	return sum
}
