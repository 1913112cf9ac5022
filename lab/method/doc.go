// Package method has published bounds and heuristics of GED and SED under the names of
// their papers, for any edit costs and for directed graphs, too. [Methods] lists them.
// The solver of package ged combines such ideas; these are what it is compared with.
package method
