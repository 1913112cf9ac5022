package dataset

import (
	"regexp"
	"slices"
	"strconv"
)

// madeUp matches ids that programs make up and that say nothing to people: numbers, addresses, digests, and letters
// with one of these, such as n12, Node0x55d1c or node_b1369f3e.
var madeUp = regexp.MustCompile(`^(([A-Za-z]{1,12}[-_.:]?)?(0x)?[0-9]+|([A-Za-z]{1,12}[-_.:])?(0x)?[0-9a-fA-F-]{6,}|[A-Za-z]{1,12}0x[0-9a-fA-F]+)$`)

// address matches ids that are places in memory, which are others each time that a program runs.
var address = regexp.MustCompile(`^[A-Za-z]{0,12}[-_.:]?0x[0-9a-fA-F]+$`)

// NodeNames returns what people call the nodes of a record, [N], or nil if nothing names them: their ids or, where
// there are none or a program made them up, and half of the labels are words of one node each, their labels. A label
// of several nodes is followed by the id. If the ids are addresses, nodes are called by their labels if half of these
// are words, be they of several nodes, and then counted.
func (r Record) NodeNames() []string {
	named := func(id string) bool { return !madeUp.MatchString(id) }
	if r.IsMolecule() || slices.ContainsFunc(r.NodeIDs, named) {
		return r.NodeIDs
	}
	n := r.Graph.N()
	times := make(map[string]int, n)
	for v := range n {
		times[r.Graph.LabelText(v)]++
	}
	const word = 3 // bytes
	other := func(id string) bool { return !address.MatchString(id) }
	addresses := r.NodeIDs != nil && !slices.ContainsFunc(r.NodeIDs, other)
	words := 0
	for label, k := range times {
		if len(label) >= word && (k == 1 || addresses) {
			words += k
		}
	}
	if 2*words < n || n == 0 {
		return r.NodeIDs
	}
	names := make([]string, n)
	number := make(map[string]int)
	for v := range n {
		names[v] = r.Graph.LabelText(v)
		number[names[v]]++
		switch {
		case times[names[v]] == 1:
		case addresses:
			names[v] += " (" + strconv.Itoa(number[names[v]]) + ")"
		case r.NodeIDs != nil:
			names[v] += " (" + r.NodeIDs[v] + ")"
		default:
			names[v] += " (" + strconv.Itoa(v) + ")"
		}
	}
	return names
}
