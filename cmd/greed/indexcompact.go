package main

import (
	"fmt"

	"github.com/greedgraph/greed/store"
)

// indexCompact frees the space of deleted graphs.
type indexCompact struct {
	Index string `arg:"" help:"The index."`
}

// Help is printed below the usage of the command.
func (indexCompact) Help() string {
	return `
Writes a new copy of the index beside the old one and then swaps the two at once. Others
can search and change the index meanwhile. The copy leaves out deleted graphs and the
labels that only they had, and contains what makes opening fast. If the old index lacked
that, the copy may be larger.

    greed index compact molecules.index
`
}

func (c *indexCompact) Run(s *session) error {
	var before, after int64
	outside := 0
	err := withIndex(c.Index, func(st *store.Store) error {
		err := st.View(s.ctx, func(snap *store.Snapshot) error {
			outside = snap.Slots() - snap.SegmentSlots()
			return nil
		})
		if err != nil {
			return err
		}
		before, after, err = st.Compact(s.ctx, s.workers)
		return err
	})
	if err != nil {
		return err
	}
	grown := ""
	if after > before && outside > 0 {
		grown = fmt.Sprintf("; it now has what makes opening fast for %s more", grouped(outside, "graph"))
	}
	return s.answer(struct {
		Index  string `json:"index"`
		Before int64  `json:"bytes_before"`
		After  int64  `json:"bytes_after"`
	}{c.Index, before, after}, "%s: %.1f MB, was %.1f MB%s\n", c.Index, float64(after)/1e6, float64(before)/1e6, grown)
}
