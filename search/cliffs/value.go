package cliffs

import (
	"math"
	"strings"

	"github.com/greedgraph/greed/search"
)

// largest is the greatest size of a number that is compared: squares of changes can be added up.
const largest = 1e150

// value is what is known of a number: all, or that it is above or below a bound, as measurements out of range are.
type value struct {
	bound    float64
	relation string // "", ">" or "<"
}

// valueOf returns the value of an attribute, nil if it is no number and no bound. Bounds are texts such as >10000, < 5,
// >= 3 and ≤ 3. Whether the bound itself belongs to them makes no difference.
func valueOf(attribute any) *value {
	relation := ""
	if text, ok := attribute.(string); ok {
		text = strings.TrimSpace(text)
		for _, sign := range [][2]string{{">=", ">"}, {"<=", "<"}, {"≥", ">"}, {"≤", "<"}, {">", ">"}, {"<", "<"}} {
			if rest, found := strings.CutPrefix(text, sign[0]); found {
				attribute, relation = rest, sign[1]
				break
			}
		}
	}
	x, ok := search.Numeric(attribute)
	if !ok || math.Abs(x) > largest {
		return nil
	}
	return &value{x, relation}
}

// minus returns v - w, nil if it may be anything.
func (v *value) minus(w *value) *value {
	opposite := map[string]string{"": "", ">": "<", "<": ">"}
	switch other := opposite[w.relation]; {
	case other == "" || other == v.relation:
		return &value{v.bound - w.bound, v.relation}
	case v.relation == "":
		return &value{v.bound - w.bound, other}
	}
	return nil
}

// negative returns -v.
func (v *value) negative() *value {
	return (&value{}).minus(v)
}

// sign returns 1 if a value is certainly above 0 or a bound says that it is not below, -1 in the opposite case, and 0
// if it may be either or is 0.
func (v *value) sign() int {
	switch {
	case v.bound > 0 && v.relation != "<", v.bound == 0 && v.relation == ">":
		return 1
	case v.bound < 0 && v.relation != ">", v.bound == 0 && v.relation == "<":
		return -1
	}
	return 0
}

// size returns how far from 0 a value is at the least.
func (v *value) size() float64 {
	if v.sign() == 0 {
		return 0
	}
	return math.Abs(v.bound)
}

// shown returns a value as results have it: nil and "" for none.
func (v *value) shown() (*float64, string) {
	if v == nil {
		return nil, ""
	}
	return &v.bound, v.relation
}
