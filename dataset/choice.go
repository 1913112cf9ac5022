package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Attributes that are used as the label if there are several, in order of preference. They
// are those of NetworkX, Graphviz, the IAM database and common tools.
var (
	usualNodeLabels = []string{"label", "symbol", "element", "atom", "chem", "type", "class", "kind", "category"}
	usualEdgeLabels = []string{"label", "valence", "bond", "bond_type", "type", "type0", "relation", "kind", "class"}
)

// wildcardAttr is the attribute by which our writers mark a node or edge whose label is
// graph.Wildcard.
const wildcardAttr = "wildcard"

// labelSign separates the values of attributes that together form a label.
const labelSign = "|"

// choice names the attributes that hold the labels of the nodes, or of the edges, of a whole
// collection. It is made once, at the first record with attributes.
type choice struct {
	kind   string   // node or edge
	option string   // what the user asked for, or an earlier reader chose
	parts  []string // what costs compare
	seen   bool     // a record had elements
	made   bool     // one of them had attributes
	names  []string // empty: unlabelled
	// compared reports whether the names are the parts.
	compared bool
	// optional allows elements to lack the attributes that option names.
	optional bool
	// named reports whether [Options.Named] has been applied.
	named bool
}

// candidate summarises an attribute over the elements of a record.
type candidate struct {
	name string
	kind kind
	// drawn marks attributes that only affect drawing. They are labels only if requested by
	// name.
	drawn bool
}

// candidates lists the attributes that occur, in order of first occurrence. An attribute with
// any text value is text.
func (a *attrs) candidates() []candidate {
	found := make([]candidate, 0, a.names.len())
	at := make([]uint32, a.names.len()) // place in found, plus 1
	text := string(a.names.text)        // which all names are parts of
	for i := 1; i < len(a.entries); i++ {
		number, k := a.name(uint32(i)), a.kind(uint32(i))
		if k == unsetKind || k == booleanKind && string(a.names.at(number)) == wildcardAttr {
			continue
		}
		if at[number] == 0 {
			end := int(a.names.ends[number])
			name := text[end-len(a.names.at(number)) : end]
			found = append(found, candidate{name, k, a.drawn != nil && a.drawn(name)})
			at[number] = uint32(len(found))
			continue
		}
		c := &found[at[number]-1]
		c.kind = commonKind(c.kind, k)
	}
	return found
}

// commonKind is the kind of an attribute with values of two kinds.
func commonKind(a, b kind) kind {
	switch {
	case a == b:
		return a
	case (a == integerKind || a == realKind) && (b == integerKind || b == realKind):
		return realKind
	}
	return textKind
}

// choose makes the choice if a determines it.
func (c *choice) choose(e *env, a *attrs) {
	if c.made || c.option == NoLabel {
		return
	}
	found := a.candidates()
	has := func(name string) bool {
		return slices.ContainsFunc(found, func(f candidate) bool { return f.name == name })
	}
	if c.option != "" {
		// A comma separates attributes, unless it is part of an attribute's name.
		c.names = []string{c.option}
		if !has(c.option) {
			c.names = strings.Split(c.option, ",")
		}
		c.made = len(found) > 0
		return
	}
	if len(c.parts) > 0 && !slices.ContainsFunc(c.parts, func(name string) bool { return !has(name) }) {
		c.made, c.names, c.compared = true, c.parts, true
		return
	}
	if !slices.ContainsFunc(found, func(f candidate) bool {
		_, binned := e.opt.Bin[f.name]
		return !f.drawn ||
			binned
	}) {
		return
	}
	c.made = true
	c.names = c.pick(found, e.opt)
	var others []string
	for _, f := range found {
		if !f.drawn && !slices.Contains(c.names, f.name) {
			others = append(others, shorten(f.name))
		}
	}
	others = enough(others)
	switch {
	case len(c.names) == 0:
		e.notes.say("%ss are read without labels, because none of their attributes (%s) is text; %v chooses one, %v "+
			"makes labels of numbers",
			c.kind, strings.Join(others, ", "), c.setting(""), Setting{"bin", "ATTR=WIDTH"})
	case len(others) > 0:
		e.notes.say("%s label: %s (other attributes: %s; %v chooses one)", c.kind, c.title(),
			strings.Join(others, ", "), c.setting(""))
	case len(c.names) > 1 || c.names[0] != usualNodeLabels[0]:
		e.notes.say("%s label: %s", c.kind, c.title())
	}
}

// setting is the option that decides the choice, with a value.
func (c *choice) setting(value string) Setting { return Setting{c.kind + "_label", value} }

// unread reports whether elements with these attributes have no label because none was chosen.
func (c *choice) unread(a *attrs) bool {
	return c.made && c.option == "" && len(c.names) == 0 &&
		slices.ContainsFunc(a.candidates(), func(f candidate) bool { return !f.drawn })
}

// fallBack uses the names of n nodes as labels if [Options.Named] is set; name is nil if
// there are none. The first record with nodes decides for all.
func (c *choice) fallBack(e *env, n int, name func(int) []byte) {
	if !e.opt.Named || c.named || c.kind != "node" || n == 0 {
		return
	}
	c.named = true
	if c.option != "" || len(c.names) > 0 || name == nil {
		return
	}
	for v := range n {
		if guessKind(string(name(v))) == textKind {
			c.made, c.names = true, []string{NodeName}
			e.notes.say("nodes have no labels, so their names are compared; %v compares the structure alone",
				c.setting(NoLabel))
			return
		}
	}
}

// asks reports whether the user requested an attribute by this name.
func (c *choice) asks(name string) bool {
	return slices.Contains(strings.Split(c.option, ","), name)
}

// required reports whether an element without an attribute of the label is an error.
func (c *choice) required() bool { return c.option != "" && !c.optional || c.compared }

// title is how messages refer to the attributes of the label.
func (c *choice) title() string {
	var list []string
	for _, name := range c.names {
		list = append(list, shorten(name))
	}
	if len(list) == 1 {
		return "attribute " + list[0]
	}
	return "attributes " + strings.Join(enough(list), ", ")
}

// pick chooses by default: first attributes with a bin width, then a name where names are compared, then the first
// of the usual names that is not a real number, then the first text.
func (c *choice) pick(found []candidate, opt Options) []string {
	var binned []string
	for _, f := range found {
		if _, ok := opt.Bin[f.name]; ok && (f.kind == integerKind || f.kind == realKind) {
			binned = append(binned, strings.Clone(f.name))
		}
	}
	if len(binned) > 0 {
		return binned
	}
	usual := usualNodeLabels
	switch {
	case c.kind == "edge":
		usual = usualEdgeLabels
	case opt.Named:
		usual = append([]string{nameMember}, usual...)
	}
	for _, name := range usual {
		for _, f := range found {
			if f.name == name && !f.drawn && f.kind != realKind && f.kind != otherKind {
				return []string{name}
			}
		}
	}
	for _, f := range found {
		if f.kind == textKind && !f.drawn {
			return []string{strings.Clone(f.name)} // not a part of a long text
		}
	}
	return nil
}

// enough shortens a list for a message.
func enough(names []string) []string {
	const shown = 8
	if len(names) <= shown {
		return names
	}
	return append(names[:shown:shown], fmt.Sprintf("%d more", len(names)-shown))
}

// binLabel returns the label of a number for a bin width.
func binLabel(name string, value []byte, width float64) (string, error) {
	x, err := strconv.ParseFloat(string(value), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return "", Errorf("attribute %s is %s, not a number that %v can group", shorten(name), quoted(value),
			Setting{Option: "bin"})
	}
	if width == 0 {
		return string(value), nil
	}
	low := math.Floor(x/width)*width + 0 // no negative zero
	return strconv.FormatFloat(low, 'g', 12, 64), nil
}
