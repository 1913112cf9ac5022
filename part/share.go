// Package part divides the work of one command over machines that share nothing. Each machine
// does its share and writes a part; the parts together hold what a single run writes.
package part

import (
	"fmt"
	"strconv"
	"strings"
)

// block is how many consecutive units of work (pairs, queries, graphs) stay together.
// Blocks are dealt in turn, so that shares take about the same time where the work
// grows or shrinks along a collection, and so that nobody must know its length before
// it was read.
const block = 16

// maxParts bounds the number of shares, and with it what a file may claim.
const maxParts = 1 << 20

// Share is one of Of shares of some work, counted from 1. The zero value is all of it.
type Share struct{ Part, Of int }

// All reports whether the work is not divided.
func (s Share) All() bool { return s.Of == 0 }

// Has reports whether a unit of work, from 0, is of the share.
func (s Share) Has(unit int) bool {
	return s.All() || unit/block%s.Of == s.Part-1
}

// Units returns those of n units of work that are of the share, in order.
func (s Share) Units(n int) []int {
	var units []int
	for i := range n {
		if s.Has(i) {
			units = append(units, i)
		}
	}
	return units
}

// String returns the share as I/N.
func (s Share) String() string { return fmt.Sprintf("%d/%d", s.Part, s.Of) }

// MarshalText returns the share as I/N.
func (s Share) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a share from I/N.
func (s *Share) UnmarshalText(text []byte) error {
	part, of, ok := strings.Cut(string(text), "/")
	i, err := strconv.Atoi(part)
	n, err2 := strconv.Atoi(of)
	if !ok || err != nil || err2 != nil || i < 1 || i > n || n > maxParts {
		return fmt.Errorf("%q: want a share such as 2/5, from 1/5 to 5/5", text)
	}
	*s = Share{i, n}
	return nil
}
