package dataset

import (
	"math"
	"strconv"
)

// kind is the type of the value of an attribute.
type kind int8

const (
	textKind kind = iota
	booleanKind
	integerKind
	realKind
	// otherKind is a list or an object, which cannot be a label.
	otherKind
)

// attr is one attribute of a node or an edge.
type attr struct {
	name, value string
	kind        kind
}

// guessKind tells the type of a value in a format that does not.
func guessKind(value string) kind {
	if _, err := strconv.ParseInt(value, 10, 64); err == nil {
		return integerKind
	}
	if x, err := strconv.ParseFloat(value, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return realKind
	}
	return textKind
}

func findAttr(attrs []attr, name string) (attr, bool) {
	for _, a := range attrs {
		if a.name == name {
			return a, true
		}
	}
	return attr{}, false
}
