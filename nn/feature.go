package nn

import "math/bits"

// Feature is a property of a node's surroundings. [Batch.Local] has its value, a table row,
// for each node. Cycles ignore directions.
type Feature int

// The features. Message passing finds degrees, but cannot distinguish a ring from a long
// chain, or two small rings from a large one (Xu et al., 2019). Giving nodes what it cannot
// see is the idea of Bouritsas et al. (2022).
const (
	// Degree counts the edges of a node, in both directions. It has a row for each number
	// below 16 and for each power of two from there on.
	Degree Feature = iota
	// ShortestCycle is the length of the shortest cycle through the node: none, 3 to 8, or
	// longer. In dense graphs the search stops early, and long cycles count as longer.
	ShortestCycle
	// CycleEdges counts the edges of the node that are on cycles: 0 to 6, or more.
	CycleEdges

	features
)

// Features lists all features.
func Features() []Feature { return []Feature{Degree, ShortestCycle, CycleEdges} }

const (
	ownDegrees    = 16 // degrees below have a row each
	degreeRows    = 24
	cycleRows     = longestCycle // none, 3 to 8, longer
	cycleEdgeRows = 8
)

// Rows returns the number of rows of the feature.
func (f Feature) Rows() int { return [features]int{degreeRows, cycleRows, cycleEdgeRows}[f] }

// String returns the feature's name, as it is used in files.
func (f Feature) String() string { return [features]string{"degree", "cycle", "cycle_edges"}[f] }

func degreeRow(degree int32) int32 {
	if degree < ownDegrees {
		return degree
	}
	return int32(min(degreeRows, ownDegrees+bits.Len32(uint32(degree/ownDegrees))) - 1)
}
