// Package bound holds the bounds and heuristics of graph and subgraph edit
// distance as parts of their own, under the names of the papers they come from,
// for any edit costs, directed graphs included. [Methods] lists them. Package ged
// has the solver that combines such ideas; these are for comparison, for
// teaching, and where a fixed price per pair matters more than the answer.
//
// [Filter] is the cheapest bound, over signatures computed once per graph.
package bound
