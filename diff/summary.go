package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/greedgraph/greed/edit"
)

// How much of a summary is said in full.
const (
	mostModules = 8 // lines about modules
	mostNamed   = 3 // nodes of a module that are named
)

// Summarise says in a few lines what changed between versions whose nodes have names: which nodes, by the modules that
// the beginnings of names are, and how many edges followed. The modules of most changes come first.
func Summarise(groups []Group) []string {
	modules := make(map[string]*module)
	var order []*module
	changed := make(map[[2]int]bool) // side and node
	var follow int
	var others [4]int // by kind
	for _, g := range groups {
		for _, c := range g.Changes {
			if c.Edge {
				continue
			}
			op := &c.Edits[0]
			for side, nodes := range [2][]int{op.Query, op.Target} {
				for _, v := range nodes {
					changed[[2]int{side, v}] = true
				}
			}
			name := nodeName(op, op.Target != nil)
			at, rest := divide(name)
			m := modules[at]
			if m == nil {
				m = &module{name: at}
				modules[at], order = m, append(order, m)
			}
			if c.Kind == Renamed {
				old := nodeName(op, false)
				if was, last := divide(old); was == at {
					old = last
				} else {
					rest = name
				}
				if rest = old + " → " + rest; old == name {
					rest = fmt.Sprintf("%s (%s → %s)", name, op.From, op.To)
				}
			}
			m.nodes[slices.Index(kinds[:], c.Kind)] = append(m.nodes[slices.Index(kinds[:], c.Kind)], rest)
		}
	}
	for _, g := range groups {
		for _, c := range g.Changes {
			if !c.Edge {
				continue
			}
			touches := false
			for _, op := range c.Edits {
				for side, nodes := range [2][]int{op.Query, op.Target} {
					for _, v := range nodes {
						touches = touches || changed[[2]int{side, v}]
					}
				}
			}
			if touches {
				follow++
			} else {
				others[slices.Index(kinds[:], c.Kind)]++
			}
		}
	}
	slices.SortStableFunc(order, func(a, b *module) int {
		return cmp.Or(cmp.Compare(b.size(), a.size()), strings.Compare(a.name, b.name))
	})
	var lines []string
	for i, m := range order {
		if i == mostModules && len(order) > mostModules+1 {
			rest := 0
			for _, m := range order[i:] {
				rest += m.size()
			}
			lines = append(lines, fmt.Sprintf("%d more nodes in %d other modules", rest, len(order)-i))
			break
		}
		lines = append(lines, m.line())
	}
	if follow > 0 {
		lines = append(lines, plural(follow, "edge")+" of these nodes")
	}
	var parts []string
	for k, n := range others {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kinds[k]))
		}
	}
	if len(parts) > 0 {
		lines = append(lines, "edges between other nodes: "+strings.Join(parts, ", "))
	}
	return lines
}

var kinds = [4]Kind{Removed, Renamed, Moved, Added}

// module is what changed of the nodes whose names begin alike.
type module struct {
	name  string
	nodes [4][]string // by kind
}

func (m *module) size() (n int) {
	for _, nodes := range m.nodes {
		n += len(nodes)
	}
	return n
}

// line says what changed in a module.
func (m *module) line() string {
	var parts []string
	for k, nodes := range m.nodes {
		if len(nodes) == 0 {
			continue
		}
		named := strings.Join(nodes[:min(len(nodes), mostNamed)], ", ")
		if len(nodes) > mostNamed+1 {
			named += fmt.Sprintf(" and %d more", len(nodes)-mostNamed)
		} else {
			named = strings.Join(nodes, ", ")
		}
		parts = append(parts, fmt.Sprintf("%d %s (%s)", len(nodes), kinds[k], named))
	}
	text := strings.Join(parts, ", ")
	if m.name != "" {
		text = m.name + ": " + text
	}
	return text
}

// divide returns the module of a name, which ends before its last separator outside brackets, and the rest. What
// follows a separator within a version is no name.
func divide(name string) (at, rest string) {
	depth := 0
	for i := len(name) - 1; i > 0; i-- {
		switch c := name[i]; {
		case strings.IndexByte(")]}>", c) >= 0:
			depth++
		case strings.IndexByte("([{<", c) >= 0:
			depth--
		case depth == 0 && i < len(name)-1 && strings.IndexByte("./:#\\", c) >= 0 &&
			(name[i+1] < '0' || name[i+1] > '9'):
			return strings.TrimRight(name[:i], ":"), name[i+1:]
		}
	}
	return "", name
}

// nodeName returns the name of the node of an edit, or its label.
func nodeName(op *edit.Operation, after bool) string {
	names, label := op.QueryNames, op.From
	if after {
		names, label = op.TargetNames, op.To
	}
	if len(names) == 1 {
		return names[0]
	}
	return label
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
