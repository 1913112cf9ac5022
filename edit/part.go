package edit

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/graph"
)

// PartSign stands between the values of several attributes that make one label.
const PartSign = "|"

// Difference says what it costs that nodes, or edges, differ in some of their attributes.
// Numbers cost Weight times their Euclidean distance, for one attribute the absolute
// difference; with a Period, the shorter way around. Texts cost Differ if they are not
// equal.
//
// A label has the values of all attributes of a table's parts, in their order, joined by
// [PartSign].
type Difference struct {
	Attributes []string `json:"attributes"`
	Weight     float64  `json:"weight,omitempty"` // of numbers: costs by unit of the difference
	Period     float64  `json:"period,omitempty"` // of a number that goes round, such as an angle; 0: it does not
	Differ     float64  `json:"differ,omitempty"` // of texts
}

// numeric reports whether the attributes are numbers.
func (p *Difference) numeric() bool { return p.Weight > 0 }

// check returns an error unless p can be used.
func (p *Difference) check(name string) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s %s", ErrCosts, name, fmt.Sprintf(format, args...))
	}
	switch {
	case len(p.Attributes) == 0:
		return wrong("names no attributes")
	case (p.Weight != 0) == (p.Differ != 0):
		return wrong("of %s needs either a weight, for numbers, or differ, for texts", strings.Join(p.Attributes, ", "))
	case p.Period != 0 && (!p.numeric() || len(p.Attributes) != 1):
		return wrong("of %s has a period, which is for one number", strings.Join(p.Attributes, ", "))
	case p.Period < 0 || math.IsNaN(p.Period) || math.IsInf(p.Period, 0):
		return wrong("of %s has the period %v, want a number above 0", strings.Join(p.Attributes, ", "), p.Period)
	}
	if err := usable(name+".differ", p.Differ); err != nil {
		return err
	}
	return usable(name+".weight", p.Weight)
}

// value is a label taken apart: a number and a text for each attribute, of which the
// part says which counts.
type value struct {
	numbers []float64
	texts   []string
}

// readValue takes a label apart.
func readValue(parts []Difference, label string) (value, error) {
	var names []string
	for i := range parts {
		names = append(names, parts[i].Attributes...)
	}
	v := value{numbers: make([]float64, len(names)), texts: []string{label}}
	if len(names) > 1 {
		v.texts = strings.Split(label, PartSign)
	}
	if len(v.texts) != len(names) {
		return value{}, fmt.Errorf("has %d values joined by %s, want %d: %s", len(v.texts), PartSign, len(names),
			strings.Join(names, PartSign))
	}
	k := 0
	for i := range parts {
		for range parts[i].Attributes {
			if parts[i].numeric() {
				x, err := strconv.ParseFloat(v.texts[k], 64)
				if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
					return value{}, fmt.Errorf("has %q for %s, which must be a number", v.texts[k], names[k])
				}
				v.numbers[k] = x
			}
			k++
		}
	}
	return v, nil
}

// difference returns the cost of a becoming b, without a limit.
func difference(parts []Difference, a, b value) float64 {
	total, k := 0.0, 0
	for i := range parts {
		p := &parts[i]
		end := k + len(p.Attributes)
		if !p.numeric() {
			for ; k < end; k++ {
				if a.texts[k] != b.texts[k] {
					total += p.Differ
				}
			}
			continue
		}
		d := 0.0
		for ; k < end; k++ {
			d = math.Hypot(d, apart(a.numbers[k], b.numbers[k], p.Period))
		}
		total += p.Weight * d
	}
	return total
}

// apart returns the distance of two numbers, on a circle if period is above 0.
func apart(x, y, period float64) float64 {
	d := math.Abs(x - y)
	if period > 0 {
		d = math.Mod(d, period)
		d = min(d, period-d)
	}
	return d
}

// Attributes lists the attributes that the parts of t compare, in the order in which a
// label has their values; none if t has no parts.
func (t *Table) Attributes() []string {
	if t == nil {
		return nil
	}
	var names []string
	for i := range t.Parts {
		names = append(names, t.Parts[i].Attributes...)
	}
	return names
}

// measured reports whether parts of t compare numbers.
func (t *Table) measured() bool {
	return t != nil && slices.ContainsFunc(t.Parts, func(p Difference) bool { return p.numeric() })
}

// checkParts returns an error unless the parts of t can be used.
func (t *Table) checkParts(name string) error {
	for i := range t.Parts {
		if err := t.Parts[i].check(fmt.Sprintf("%s.parts[%d]", name, i)); err != nil {
			return err
		}
	}
	if t.Most != 0 && len(t.Parts) == 0 {
		return fmt.Errorf("%w: %s.most limits what parts cost, but there are no parts", ErrCosts, name)
	}
	return usable(name+".most", t.Most)
}

// readValues takes the labels apart that p prices. The error names a label that cannot be.
func (p *prices) readValues(name string, labels map[graph.Label]bool) error {
	if p.table == nil || len(p.table.Parts) == 0 {
		return nil
	}
	p.values = make(map[graph.Label]value, len(labels))
	for _, l := range slices.Sorted(maps.Keys(labels)) { // the error is always the same
		if p.wild && l == graph.Wildcard {
			continue
		}
		v, err := readValue(p.table.Parts, p.text(l))
		if err != nil {
			return fmt.Errorf("%w: %s: label %q %w", ErrCosts, name, p.text(l), err)
		}
		p.values[l] = v
	}
	return nil
}

// byParts returns the cost of a becoming b by the parts of the table.
func (p *prices) byParts(a, b graph.Label) float64 {
	most := p.table.Most
	if most == 0 {
		most = p.table.insert(p.text(b)) + p.table.delete(p.text(a))
	}
	if p.wild && b == graph.Wildcard { // of the target, where it is nothing special
		return most
	}
	x, known := p.values[a]
	y, also := p.values[b]
	if !known || !also {
		panic("edit: a label that was not priced")
	}
	return min(difference(p.table.Parts, x, y), most)
}

// Numbers returns the attributes that the table compares as numbers, in their order.
func (t *Table) Numbers() (names []string) {
	if t == nil {
		return nil
	}
	for i := range t.Parts {
		if p := &t.Parts[i]; p.numeric() {
			names = append(names, p.Attributes...)
		}
	}
	return names
}
