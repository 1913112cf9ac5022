package dataset

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Attributes that are taken for the label where several could be, best first.
// They are those of NetworkX, Graphviz, the IAM database, and common tools.
var (
	usualNodeLabels = []string{"label", "symbol", "element", "atom", "chem", "type", "class", "kind", "category"}
	usualEdgeLabels = []string{"label", "valence", "bond", "bond_type", "type", "type0", "relation", "kind", "class"}
)

// wildcardAttr is the attribute by which our own writers mark a node or edge
// whose label is graph.Wildcard.
const wildcardAttr = "wildcard"

// choice is the attribute that holds the labels of the nodes, or of the edges,
// of a whole collection. It is made once, at the first record that has any.
type choice struct {
	kind   string // node or edge
	option string // the user's wish
	made   bool
	name   string // empty: unlabelled
}

// candidate sums up one attribute over the elements of a record.
type candidate struct {
	name string
	kind kind
}

// candidates lists the attributes that occur, in the order of their first
// occurrence. An attribute that is text anywhere is text.
func candidates(lists [][]attr) []candidate {
	var found []candidate
	at := make(map[string]int)
	for _, attrs := range lists {
		for _, a := range attrs {
			if a.name == wildcardAttr && a.kind == booleanKind {
				continue
			}
			i, ok := at[a.name]
			if !ok {
				at[a.name] = len(found)
				found = append(found, candidate{a.name, a.kind})
				continue
			}
			found[i].kind = commonKind(found[i].kind, a.kind)
		}
	}
	return found
}

// commonKind is the kind of an attribute that has values of two kinds.
func commonKind(a, b kind) kind {
	switch {
	case a == b:
		return a
	case (a == integerKind || a == realKind) && (b == integerKind || b == realKind):
		return realKind
	}
	return textKind
}

// choose makes the choice if lists tell enough.
func (c *choice) choose(e *env, lists [][]attr) {
	if c.made {
		return
	}
	switch c.option {
	case NoLabel:
		c.made = true
		return
	case "":
	default:
		c.made, c.name = true, c.option
		return
	}
	found := candidates(lists)
	if len(found) == 0 {
		return
	}
	c.made = true
	c.name = c.pick(found, e.opt.Bin)
	var others []string
	for _, f := range found {
		if f.name != c.name {
			others = append(others, shorten(f.name))
		}
	}
	others = enough(others)
	switch {
	case c.name == "":
		e.notes.say("%ss are read without labels: of their attributes (%s) none is text; --%s-label chooses one, --bin ATTR=WIDTH makes labels of numbers",
			c.kind, strings.Join(others, ", "), c.kind)
	case len(others) > 0:
		e.notes.say("%s label: attribute %s (also there: %s; --%s-label chooses another)", c.kind, c.name, strings.Join(others, ", "), c.kind)
	case c.name != usualNodeLabels[0]:
		e.notes.say("%s label: attribute %s", c.kind, c.name)
	}
}

// pick chooses by rule: an attribute the user gave a bin width, the first of
// the usual names that is not a real number, the first text.
func (c *choice) pick(found []candidate, bin map[string]float64) string {
	for _, f := range found {
		if _, ok := bin[f.name]; ok && (f.kind == integerKind || f.kind == realKind) {
			return f.name
		}
	}
	usual := usualNodeLabels
	if c.kind == "edge" {
		usual = usualEdgeLabels
	}
	for _, name := range usual {
		for _, f := range found {
			if f.name == name && f.kind != realKind && f.kind != otherKind {
				return name
			}
		}
	}
	for _, f := range found {
		if f.kind == textKind {
			return f.name
		}
	}
	return ""
}

// label returns the text of the label of an element with the given attributes.
func (c *choice) label(e *env, attrs []attr) (string, error) {
	if c.name == "" {
		return Unlabelled, nil
	}
	a, ok := findAttr(attrs, c.name)
	if !ok {
		if c.option == "" {
			e.notes.count(c.kind+"s have no attribute "+shorten(c.name)+": their label is "+Unlabelled, 1)
			return Unlabelled, nil
		}
		var names []string
		for _, a := range attrs {
			names = append(names, shorten(a.name))
		}
		return "", fmt.Errorf("no attribute %s, which --%s-label asks for; it has %s", quoted(c.name), c.kind, orNone(enough(names)))
	}
	width, binned := e.opt.Bin[a.name]
	switch {
	case a.kind == otherKind:
		return "", fmt.Errorf("attribute %s is a list or an object: choose another with --%s-label", a.name, c.kind)
	case binned:
		return binLabel(a, width)
	case a.kind == realKind:
		return "", fmt.Errorf("attribute %s is a number (%s), which is no label: group its values with --bin %s=WIDTH or choose another with --%s-label",
			a.name, shorten(a.value), a.name, c.kind)
	}
	return a.value, nil
}

func binLabel(a attr, width float64) (string, error) {
	x, err := strconv.ParseFloat(a.value, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return "", fmt.Errorf("attribute %s is %s, not a number that --bin can group", a.name, quoted(a.value))
	}
	if !(width > 0) || math.IsInf(width, 0) {
		return "", fmt.Errorf("--bin %s=%v: the width must be positive", a.name, width)
	}
	low := math.Floor(x/width)*width + 0 // no negative zero
	return strconv.FormatFloat(low, 'g', 12, 64), nil
}

// enough shortens a list for a message.
func enough(names []string) []string {
	const shown = 8
	if len(names) <= shown {
		return names
	}
	return append(names[:shown:shown], fmt.Sprintf("%d more", len(names)-shown))
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
