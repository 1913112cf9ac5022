package mces

import (
	"slices"

	"github.com/greedgraph/greed/anchor"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// begin makes what a first map of large graphs keeps the best one.
func (s *growth) begin(q, t *graph.Graph) {
	if m := anchor.Common(q, t, s.opt.IgnoreEdgeLabels, &s.clock); m != nil {
		s.offer(m, s.opt.Connected)
	}
}

// offer makes what a map keeps, or the largest connected part of that, the best one if it is larger.
func (s *growth) offer(m edit.NodeMap, connected bool) {
	kept := slices.Repeat([]int32{edit.Deleted}, len(m))
	ends := 0
	for v, w := range m {
		for _, a := range s.q.arcs[v] {
			if w != edit.Deleted && m[a.to] != edit.Deleted && s.keeps(int32(w), int32(m[a.to]), a.half) {
				kept[v] = int32(w)
				ends++
			}
		}
	}
	size := ends / 2
	if connected {
		kept, size = s.largestPart(kept)
	}
	if size > s.best {
		s.best = size
		copy(s.bestMap, kept)
	}
}
