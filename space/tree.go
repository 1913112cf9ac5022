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

// find calls visit for every class that may be in a product within the radius, together with what has counts from low
// to high. It returns how many bounds it took.
func (t *tree) find(x *profile, radius int, low, high *counts, visit func(class int)) (looked int) {
	if len(t.classes) == 0 {
		return 0
	}
	stack := append(make([]int32, 0, 64), 0)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		b := &t.boxes[at]
		looked++
		if !x.near(radius, low, high, &b.least, &b.most) {
			continue
		}
		if b.right > 0 {
			stack = append(stack, at+1, b.right)
			continue
		}
		for i := b.from; i < b.to; i++ {
			looked++
			if c := &t.classes[i].counts; x.near(radius, low, high, c, c) {
				visit(int(i))
			}
		}
	}
	return looked
}

// near reports whether a product may be within the radius that adds counts from least to most to counts from low to
// high.
func (x *profile) near(radius int, low, high, least, most *counts) bool {
	l, h := *low, *high
	l.add(least)
	h.add(most)
	return x.lower(&l, &h) <= radius
}
