package nn

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
)

// Tally counts the nodes or edges of a graph whose statistic is at least 1, 2 and so on, each
// count up to a cap. So no count falls when the graph grows. Labels and edges are rows of a
// model's tables. Nodes with labels that the tables lack, such as wildcards, count only where
// the label is 0, and such edges nowhere.
type Tally struct {
	Statistic Statistic `json:"statistic"`
	Label     int32     `json:"label,omitempty"` // of the node; 0: any
	Other     int32     `json:"other,omitempty"` // of the neighbour; StatTowards and StatEdge only
	Edge      int32     `json:"edge,omitempty"`  // row of the edge; StatTowards and StatEdge only
	Caps      []int32   `json:"caps"`            // by threshold, from 1; they do not rise
}

// MostCounts is the greatest number of counts.
const MostCounts = 4096

// CheckTallies returns an error unless the tallies are valid for tables with the given
// numbers of node and edge rows.
func CheckTallies(tallies []Tally, nodeRows, edgeRows int) error {
	total := 0
	seen := make(map[tallied]bool)
	for i, t := range tallies {
		of, ok := t.of()
		edges := of.stat == atTowards || of.stat == atEdge
		switch {
		case !ok:
			return fmt.Errorf("tally %d: unknown statistic %q", i, t.Statistic)
		case seen[of]:
			return fmt.Errorf("tally %d: the same as an earlier one", i)
		case t.Label < 0 || int(t.Label) >= nodeRows || t.Other < 0 || int(t.Other) >= nodeRows || t.Edge < 0 ||
			int(t.Edge) >= max(edgeRows, 2):
			return fmt.Errorf("tally %d: label %d, other %d and edge %d, of %d and %d rows", i, t.Label, t.Other,
				t.Edge, nodeRows, edgeRows)
		case !edges && (t.Other != 0 || t.Edge != 0):
			return fmt.Errorf("tally %d: %s has no other label and no edge", i, t.Statistic)
		case len(t.Caps) == 0 || len(t.Caps) > mostStatistic:
			return fmt.Errorf("tally %d: %d caps, want 1 to %d", i, len(t.Caps), mostStatistic)
		}
		for k, c := range t.Caps {
			if c < 1 || k > 0 && c > t.Caps[k-1] {
				return fmt.Errorf("tally %d: caps %v, want positive numbers that do not rise", i, t.Caps)
			}
		}
		seen[of] = true
		total += len(t.Caps)
	}
	if total > MostCounts {
		return fmt.Errorf("%d counts, want at most %d", total, MostCounts)
	}
	return nil
}

func (t Tally) of() (tallied, bool) {
	at := slices.Index(Statistics(), t.Statistic)
	return tallied{stat: uint8(max(0, at)), label: t.Label, other: t.Other, edge: t.Edge}, at >= 0
}

// Counts computes tallies. It is safe for concurrent use.
type Counts struct {
	first map[tallied]int32 // the place of a tally's first count
	caps  []int32           // of all tallies
	ends  []bool            // the last count of a tally
	width int
}

// NewCounts returns the Counts of tallies that pass [CheckTallies].
func NewCounts(tallies []Tally) *Counts {
	c := &Counts{first: make(map[tallied]int32)}
	for _, t := range tallies {
		of, _ := t.of()
		c.first[of] = int32(len(c.caps))
		c.caps = append(c.caps, t.Caps...)
		for k := range t.Caps {
			c.ends = append(c.ends, k == len(t.Caps)-1)
		}
	}
	c.width = kernel.Pad(len(c.caps))
	return c
}

// Width returns the number of counts of a graph, padded with zeros to a multiple of 16.
func (c *Counts) Width() int { return c.width }

// read writes the counts of the graph that o has read to dst, which holds [Width] zeros.
func (c *Counts) read(dst []float32, s *observer, o *orderer, directed bool, rows Rows) {
	s.observe(o, directed, rows, func(of tallied, value int32) {
		if at, ok := c.first[of]; ok {
			for last := at + value - 1; at < last && !c.ends[at]; at++ {
			}
			dst[at]++
		}
	})
	for i := len(c.caps) - 2; i >= 0; i-- {
		if !c.ends[i] {
			dst[i] += dst[i+1]
		}
	}
	for i, most := range c.caps {
		dst[i] = min(dst[i], float32(most))
	}
}

// Counts returns the counts of every graph of b, [G, Counts.Width], if its rows have Counts.
// They have no gradient and are valid until b is reset.
func (t *Tape) Counts(b *Batch) *Var {
	mustMatch("number of graphs with counts", len(b.Counted), b.Graphs()*b.width)
	return &Var{Rows: b.Graphs(), Cols: b.width, Value: b.Counted}
}

// Tallies returns tallies of everything that occurs in graphs, which share a vocabulary. Its
// caps are the greatest counts of any graph. If there are more than most counts, it keeps
// those that are non-zero in the most graphs.
func Tallies(graphs []*graph.Graph, rows Rows, most int) []Tally {
	type level struct{ cap, graphs int32 }
	var all, one = make(map[tallied][]level), make(map[tallied][]int32)
	var o orderer
	var s observer
	for _, g := range graphs {
		clear(one)
		o.read(g, rows)
		s.observe(&o, g.Directed(), rows, func(of tallied, value int32) {
			list := one[of]
			for int(value) > len(list) {
				list = append(list, 0)
			}
			list[value-1]++
			one[of] = list
		})
		for of, list := range one {
			levels := all[of]
			for len(levels) < len(list) {
				levels = append(levels, level{})
			}
			sum := int32(0)
			for k := len(list) - 1; k >= 0; k-- {
				sum += list[k]
				levels[k] = level{max(levels[k].cap, sum), levels[k].graphs + 1}
			}
			all[of] = levels
		}
	}
	type threshold struct {
		of     tallied
		at     int
		graphs int32
	}
	var thresholds []threshold
	for of, levels := range all {
		for k, l := range levels {
			thresholds = append(thresholds, threshold{of, k, l.graphs})
		}
	}
	// Ever fewer graphs reach the thresholds of a tally, so the first ones are kept.
	slices.SortFunc(thresholds, func(a, b threshold) int {
		return cmp.Or(cmp.Compare(b.graphs, a.graphs), cmp.Compare(a.at, b.at), a.of.compare(b.of))
	})
	kept := make(map[tallied]int)
	for _, p := range thresholds[:min(most, len(thresholds))] {
		kept[p.of]++
	}
	var tallies []Tally
	for of, n := range kept {
		t := Tally{Statistic: Statistics()[of.stat], Label: of.label, Other: of.other, Edge: of.edge}
		for _, l := range all[of][:n] {
			t.Caps = append(t.Caps, l.cap)
		}
		tallies = append(tallies, t)
	}
	slices.SortFunc(tallies, func(a, b Tally) int {
		x, _ := a.of()
		y, _ := b.of()
		return x.compare(y)
	})
	return tallies
}
