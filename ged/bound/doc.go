// Package bound has the cheapest lower bound of GED and SED: [Filter], over signatures
// that are computed once per graph.
package bound
