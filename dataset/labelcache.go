package dataset

import "github.com/greedgraph/greed/graph"

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
