package space

import (
	"cmp"
	"slices"
)

// tree is a list of classes under boxes of counts.
type tree struct {
	classes []class
	boxes   []box
}

// box has the least and the greatest counts of classes[from:to], and two boxes for the halves unless it is a leaf.
type box struct {
	least, most counts
	from, to    int32
	right       int32 // the left half comes next; 0: a leaf
}

// leafSize is the greatest number of classes of a leaf.
const leafSize = 6

// newTree returns a tree of classes, which it reorders.
func newTree(list []class) *tree {
	t := &tree{classes: list}
	t.build(0, len(list))
	return t
}

func (t *tree) build(from, to int) {
	at := len(t.boxes)
	b := box{from: int32(from), to: int32(to)}
	b.least, b.most = extremes(t.classes[from:to])
	t.boxes = append(t.boxes, b)
	if to-from <= leafSize {
		return
	}
	widest := 0
	for i := range b.most {
		if b.most[i]-b.least[i] > b.most[widest]-b.least[widest] {
			widest = i
		}
	}
	slices.SortFunc(t.classes[from:to], func(a, b class) int { return cmp.Compare(a.counts[widest], b.counts[widest]) })
	middle := (from + to) / 2
	t.build(from, middle)
	t.boxes[at].right = int32(len(t.boxes))
	t.build(middle, to)
}

// byCounts joins classes by lower bounds of their counts.
type byCounts struct {
	*profile
	radius      int
	trees       []*tree
	least, most []counts // what the components from one on add
}

func (x *byCounts) prepare(lists [][]class) {
	n := len(lists)
	x.trees = nil
	x.least, x.most = make([]counts, n+1), make([]counts, n+1)
	for i := range lists {
		x.trees = append(x.trees, newTree(lists[i]))
	}
	for i := n - 1; i >= 0; i-- {
		x.least[i], x.most[i] = x.trees[i].boxes[0].least, x.trees[i].boxes[0].most
		x.least[i].add(&x.least[i+1])
		x.most[i].add(&x.most[i+1])
	}
}

func (x *byCounts) start() kind { return kind{} }

func (x *byCounts) merge(a, b *class) kind {
	k := kind{counts: a.counts}
	k.counts.add(&b.counts)
	return k
}

func (x *byCounts) find(before *class, i int, visit func(j int)) (looked int) {
	low, high := before.counts, before.counts
	low.add(&x.least[i+1])
	high.add(&x.most[i+1])
	t := x.trees[i]
	for stack := append(make([]int32, 0, 64), 0); len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		b := &t.boxes[at]
		looked++
		if !x.near(&low, &high, &b.least, &b.most) {
			continue
		}
		if b.right > 0 {
			stack = append(stack, at+1, b.right)
			continue
		}
		for k := b.from; k < b.to; k++ {
			looked++
			if c := &t.classes[k].counts; x.near(&low, &high, c, c) {
				visit(int(k))
			}
		}
	}
	return looked
}

// near reports whether a product may be within the radius that adds counts from least to most to counts from low to
// high.
func (x *byCounts) near(low, high, least, most *counts) bool {
	l, h := *low, *high
	l.add(least)
	h.add(most)
	return x.lower(&l, &h) <= x.radius
}
