// Package space searches synthon spaces: products that are made on the fly of fragments and reactions, and of
// which there may be more than anybody could store. It reads spaces, makes their products, and finds all products
// near to a molecule by graph edit distance without making the others.
//
// A reaction joins one synthon of each of its components. Equal attachment points of two components become a bond
// of the order that leads to them; two components with two common points close a ring. So what a product is made
// of is a sum over its synthons, and so are lower bounds of distances to it; see [Space.Search].
package space

import (
	"math"
	"math/bits"

	"github.com/greedgraph/greed/graph"
)

// Space is a set of reactions. It is immutable and safe for concurrent use.
type Space struct {
	Reactions []Reaction

	vocab *graph.Vocabulary
	parts []*part
	tag   string
}

// Reaction is a list of components, each of which is a list of synthons.
type Reaction struct {
	ID         string
	Components []Component
	Open       []int // attachment points that only one component has, which products keep as they are written

	joins []join
}

// join is a bond between two components.
type join struct {
	number int    // of the attachment points
	at     [2]int // the components; the first counts the bond
	loose  bool   // its order depends on the product
}

// Component is a place in a reaction for one of some synthons, which have the same attachment points.
type Component struct {
	Number   int // as in the file
	Synthons []Synthon
	ports    []int // the attachment points, increasing
}

// Synthon is a fragment with attachment points.
type Synthon struct {
	ID, SMILES string
	Line       int // in the file

	part *part
}

// Size returns the number of synthons, each counted in every component that has it, and that of products, which is
// at most math.MaxUint64. Products that several reactions make are counted for each.
func (s *Space) Size() (synthons int, products uint64) {
	for _, r := range s.Reactions {
		for _, c := range r.Components {
			synthons += len(c.Synthons)
		}
		products = satAdd(products, r.Size())
	}
	return synthons, products
}

// Size returns the number of products, at most math.MaxUint64.
func (r *Reaction) Size() uint64 {
	n := uint64(1)
	for _, c := range r.Components {
		n = satMul(n, uint64(len(c.Synthons)))
	}
	return n
}

// members are synthons by component.
type members [][]int32

// size returns the number of their products, at most math.MaxUint64.
func (m members) size() uint64 {
	n := uint64(1)
	for _, list := range m {
		n = satMul(n, uint64(len(list)))
	}
	return n
}

// Product is a way to make a product.
type Product struct {
	Reaction *Reaction
	Synthons []*Synthon // one for each component
	// Number is that of the product in the order of reactions, in which the last component changes first;
	// math.MaxUint64 if it is that or more.
	Number uint64
}

// Product returns a product by its number, if there is one.
func (s *Space) Product(number uint64) (p Product, found bool) {
	rest := number
	for i := range s.Reactions {
		r := &s.Reactions[i]
		size := r.Size()
		if size == math.MaxUint64 {
			break
		}
		if rest >= size {
			rest -= size
			continue
		}
		p = Product{r, make([]*Synthon, len(r.Components)), number}
		for k := len(r.Components) - 1; k >= 0; k-- {
			list := r.Components[k].Synthons
			p.Synthons[k] = &list[rest%uint64(len(list))]
			rest /= uint64(len(list))
		}
		return p, true
	}
	return p, false
}

// number returns the number of a product.
func (s *Space) number(o origin) uint64 {
	n := uint64(0)
	for k, c := range s.Reactions[o.reaction].Components {
		n = satAdd(satMul(n, uint64(len(c.Synthons))), uint64(o.synthons[k]))
	}
	for i := range o.reaction {
		n = satAdd(n, s.Reactions[i].Size())
	}
	return n
}

// synthons returns the synthons of a product.
func (s *Space) synthons(o origin) []*Synthon {
	r := &s.Reactions[o.reaction]
	list := make([]*Synthon, len(r.Components))
	for i := range list {
		list[i] = &r.Components[i].Synthons[o.synthons[i]]
	}
	return list
}

// Tag is the same for spaces of equal reactions and synthons, and for no others.
func (s *Space) Tag() string { return s.tag }

// Vocabulary returns the labels of the products, which queries must share.
func (s *Space) Vocabulary() *graph.Vocabulary { return s.vocab }

func satAdd(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return sum
}

func satMul(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high != 0 {
		return math.MaxUint64
	}
	return low
}
