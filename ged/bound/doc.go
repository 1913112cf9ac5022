// Package bound computes the cheapest lower bound of GED and SED: [Filter], from signatures
// that are computed once per graph.
package bound
