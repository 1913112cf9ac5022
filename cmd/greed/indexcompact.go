package main

import (
	"fmt"

	"github.com/greedgraph/greed/store"
)

// indexCompact frees the space of deleted graphs.
type indexCompact struct {
	Index string `arg:"" help:"The index."`
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
