package space

import (
	"slices"

	"github.com/greedgraph/greed/internal/clock"
)

// joiner finds the products of a reaction that may be answers without looking at each. Synthons that make no difference
// to a search are a class, and classes of a component are under a tree of boxes. Boxes, one for each component, are
// left out, kept as a whole or halved, by what is known of all of their products.
type joiner struct {
	measure
	clock *clock.Clock
	trees []*box // by component
	sure  bool   // all products that may be answers are
}

// class is a set of synthons that make no difference to a search.
type class struct {
	kind
	members []int32
}

// kind is what is the same for all members of a class.
type kind struct {
	counts counts
	places string // in a search for what contains the query: a bit for each split that is left
}

// box is a list of classes.
type box struct {
	classes     []class
	synthons    uint64
	least, most kind // bounds of all classes
	width       int  // how far these are apart; 0: it is one class
	halves      [2]*box
	parent      *box
	used        bool // all classes are in products that may be answers
}

// measure says which products may be answers.
type measure interface {
	// bound sets the bounds of a box and its width.
	bound(b *box)
	// sort sorts the classes of a box, of which it will be halves that are as narrow as possible.
	sort(b *box)
	// decide says which of the products of boxes, one for each component, may be answers. Of one class each, it is none
	// or all.
	decide(boxes []*box) verdict
}

type verdict int8

const (
	noneOf verdict = iota
	someOf
	allOf
)

// newTree returns the tree of some classes, nil if there are none.
func newTree(m measure, list []class) *box {
	if len(list) == 0 {
		return nil
	}
	b := &box{classes: list}
	m.bound(b)
	if b.width == 0 {
		b.synthons = uint64(len(list[0].members))
		return b
	}
	m.sort(b)
	for i, half := range [2][]class{list[:len(list)/2], list[len(list)/2:]} {
		b.halves[i] = newTree(m, half)
		b.halves[i].parent = b
		b.synthons += b.halves[i].synthons
	}
	return b
}

// walk calls visit with boxes, one for each component, whose products may all be answers, until it returns false or
// time is up. No other product may.
func (j *joiner) walk(visit func(boxes []*box) bool) bool {
	return slices.Contains(j.trees, nil) || j.halve(slices.Clone(j.trees), visit)
}

func (j *joiner) halve(boxes []*box, visit func(boxes []*box) bool) bool {
	if j.clock.Spend(50) {
		return false
	}
	switch j.decide(boxes) {
	case noneOf:
		return true
	case allOf:
		return visit(boxes)
	}
	widest := 0
	for i, b := range boxes {
		if b.width > boxes[widest].width {
			widest = i
		}
	}
	b := boxes[widest]
	for _, half := range b.halves {
		if boxes[widest] = half; !j.halve(boxes, visit) {
			return false
		}
	}
	boxes[widest] = b
	return true
}

// count returns the number of products that may be answers.
func (j *joiner) count() (products uint64, done bool) {
	done = j.walk(func(boxes []*box) bool {
		n := uint64(1)
		for _, b := range boxes {
			n = satMul(n, b.synthons)
		}
		products = satAdd(products, n)
		return true
	})
	return products, done
}

// used returns the synthons that are in products that may be answers, by component.
func (j *joiner) used() (synthons members, done bool) {
	rest := &joiner{measure: unused{j.measure}, clock: j.clock, trees: j.trees}
	done = rest.walk(func(boxes []*box) bool {
		for _, b := range boxes {
			for b.used = true; b.parent != nil && b.parent.halves[0].used && b.parent.halves[1].used; {
				b = b.parent
				b.used = true
			}
		}
		return true
	})
	for _, b := range j.trees {
		synthons = append(synthons, b.collect(nil))
	}
	return synthons, done
}

// mark marks the boxes all of whose classes are in use, which of says of one, and reports whether it is the whole box.
func (b *box) mark(of func(*class) bool) bool {
	switch {
	case b == nil:
		return true
	case b.width == 0:
		b.used = of(&b.classes[0])
	default:
		first := b.halves[0].mark(of)
		b.used = b.halves[1].mark(of) && first
	}
	return b.used
}

// unused decides only products of classes that are not all in use.
type unused struct{ measure }

func (u unused) decide(boxes []*box) verdict {
	if !slices.ContainsFunc(boxes, func(b *box) bool { return !b.used }) {
		return noneOf
	}
	return u.measure.decide(boxes)
}

// collect appends the synthons that are in use.
func (b *box) collect(list []int32) []int32 {
	switch {
	case b == nil:
	case b.used:
		for _, c := range b.classes {
			list = append(list, c.members...)
		}
	case b.width > 0:
		list = b.halves[1].collect(b.halves[0].collect(list))
	}
	return list
}

// products calls visit with the synthons, by component, of every product that may be an answer, until it returns false
// or time is up.
func (j *joiner) products(visit func(synthons []int32) bool) bool {
	synthons := make([]int32, len(j.trees))
	var each func(boxes []*box) bool
	each = func(boxes []*box) bool {
		i := len(synthons) - len(boxes)
		if len(boxes) == 0 {
			return visit(synthons)
		}
		for _, c := range boxes[0].classes {
			for _, synthons[i] = range c.members {
				if !each(boxes[1:]) {
					return false
				}
			}
		}
		return true
	}
	return j.walk(each)
}

// classify puts numbers, which of gets by their places in the list, into classes of the same kind, but those that it
// leaves out.
func classify(list []int32, of func(i int) (k kind, ok bool)) []class {
	var classes []class
	at := map[kind]int{}
	for i, n := range list {
		k, ok := of(i)
		if !ok {
			continue
		}
		place, found := at[k]
		if !found {
			place = len(classes)
			at[k] = place
			classes = append(classes, class{kind: k})
		}
		classes[place].members = append(classes[place].members, n)
	}
	return classes
}
