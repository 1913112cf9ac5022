package greed

import "github.com/greedgraph/greed/dataset"

// Rules returns the rules by which the graphs of the collection were read, and whether
// they are known. What is compared with the graphs, or put beside them, is to be read by
// the same rules: see [dataset.Options].
func (c *Collection) Rules() (rules dataset.Rules, known bool) {
	in := c.live.Acquire()
	defer in.Release()
	if in.Rules == nil {
		return dataset.Rules{}, false
	}
	return *in.Rules, true
}

// SetRules says by which rules the graphs of a collection in memory were read. Call it
// before others use the collection.
func (c *Collection) SetRules(rules dataset.Rules) {
	in := c.live.Acquire()
	defer in.Release()
	in.Rules = &rules
}
