package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/levenshtein"
)

// Labels that are not the value of an entry of attrs.
const (
	unlabelled = noAttrs
	wildLabel  = ^uint32(0)
)

// labels determines the label of every element. chain(i) is the chain of element i of n, and
// name(i) its name; name is nil if elements have none. A result is an entry of a, unlabelled
// or wildLabel. Errors come with the element.
func (e *env) labels(c *choice, a *attrs, n int, chain func(int) uint32, name func(int) []byte) (list []uint32, at int,
	err error) {
	c.seen = c.seen || n > 0
	c.choose(e, a)
	c.fallBack(e, n, name)
	list = make([]uint32, n)
	if len(a.entries) == 0 && !(name != nil && slices.Contains(c.names, NodeName)) {
		if c.required() && c.option != NoLabel && n > 0 {
			return nil, 0, c.missing(a, noAttrs, c.option)
		}
		return list, 0, nil
	}
	wild := a.last(wildcardAttr)
	values := make([]latest, len(c.names))
	for i, attr := range c.names {
		values[i] = a.last(attr)
	}
	missing := make([]int, len(c.names))
	for v := range list {
		own := chain(v)
		if w := wild.of(own); w != noAttrs && a.kind(w) == booleanKind && string(a.value(w)) == "true" {
			list[v] = wildLabel
			continue
		}
		if list[v], err = e.label(c, a, own, values, missing, v, name); err != nil {
			return nil, v, err
		}
	}
	if a.usual {
		return list, 0, nil
	}
	for i, attr := range c.names {
		e.notes.count(missing[i], c.kind+" has no attribute "+shorten(attr)+": its label is "+Unlabelled, c.kind+
			"s have no attribute "+shorten(attr)+": their label is "+Unlabelled)
	}
	return list, 0, nil
}

// label returns the label of element v with the given chain. values holds, for each attribute
// of the choice, its entry in every chain, or nil if the graph has none. A label that is not
// exactly the value of an attribute becomes a new entry.
func (e *env) label(c *choice, a *attrs, chain uint32, values []latest, missing []int, v int,
	named func(int) []byte) (uint32, error) {
	var joined []byte
	found := false
	for i, name := range c.names {
		entry := values[i].of(chain)
		text := ""
		isName := name == NodeName && values[i] == nil && named != nil
		found = found || isName || entry != noAttrs
		if isName {
			text = string(named(v))
		} else if entry == noAttrs {
			if c.required() {
				return 0, c.missing(a, chain, name)
			}
			missing[i]++
			text = Unlabelled
		}
		width, binned := e.opt.Bin[name]
		switch {
		case isName:
		case entry == noAttrs:
			if len(c.names) == 1 {
				return unlabelled, nil
			}
		case a.kind(entry) == otherKind:
			return 0, advise(fmt.Errorf("attribute %s is a list or an object, which cannot be a label", shorten(name)),
				"%v chooses another", c.setting(""))
		case binned:
			var err error
			if text, err = binLabel(name, a.value(entry), width); err != nil {
				return 0, err
			}
		case a.kind(entry) == realKind && !slices.Contains(c.parts, name):
			return 0, advise(fmt.Errorf("attribute %s is a number, %s, which cannot be a label", shorten(name),
				shorten(string(a.value(entry)))),
				"%v makes labels of its values, %v chooses another", Setting{"bin", shorten(name) + "=WIDTH"},
				c.setting(""))
		case len(c.names) == 1:
			return entry, nil
		default:
			text = string(a.value(entry))
		}
		if len(c.names) == 1 {
			return a.add(noAttrs, name, text, textKind), nil
		}
		if i > 0 {
			joined = append(joined, labelSign...)
		}
		joined = append(joined, text...)
	}
	if !found {
		return unlabelled, nil
	}
	return a.add(noAttrs, "", string(joined), textKind), nil
}

func (c *choice) missing(a *attrs, chain uint32, name string) error {
	names, meant := a.chainNames(chain), ""
	has := cmp.Or(strings.Join(enough(names), ", "), "none")
	if c.compared {
		return fmt.Errorf("no attribute %s, which the costs compare; it has %s", quoted(name), has)
	}
	if near := levenshtein.Nearest(name, names); near != "" {
		meant = " (is it " + near + "?)"
	}
	return Errorf("no attribute %s%s, which %v asks for; it has %s", quoted(name), meant, c.setting(""), has)
}

// labelCache numbers label texts without locks, and without allocating strings for texts seen
// before. It belongs to one Reader.
type labelCache struct {
	add   func(string) graph.Label
	short [256]shortLabel
	all   map[string]graph.Label
}

// shortLabel is a text of at most 7 bytes, packed with its length into a word.
type shortLabel struct {
	key   uint64 // 0: free; no text packs to 0 but the empty one, which is not kept
	label graph.Label
}

func (c *labelCache) get(text []byte) graph.Label {
	if len(text) > 7 || len(text) == 0 {
		return c.long(text)
	}
	key := uint64(len(text))
	for _, b := range text {
		key = key<<8 | uint64(b)
	}
	slot := &c.short[key*0x9e3779b97f4a7c15>>56] // Fibonacci hashing, Knuth vol. 3, 6.4
	if slot.key != key {
		*slot = shortLabel{key, c.long(text)}
	}
	return slot.label
}

func (c *labelCache) long(text []byte) graph.Label {
	if l, ok := c.all[string(text)]; ok {
		return l
	}
	if c.all == nil {
		c.all = make(map[string]graph.Label)
	}
	s := string(text)
	l := c.add(s)
	c.all[s] = l
	return l
}
