// Package bound has published bounds and heuristics of GED and SED under the names of
// their papers, for any edit costs and for directed graphs, too. [Methods] lists them.
// The solver of package ged combines such ideas. These methods are for comparison, for
// teaching, and for uses where predictable time matters more than tight bounds.
//
// [Filter] is the cheapest bound, over signatures computed once per graph.
package bound
