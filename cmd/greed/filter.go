package main

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/search"
)

// listing is records to filter, each with its position.
type listing = iter.Seq2[int, dataset.Record]

// keep returns which records of a collection pass all filters, or nil if there are no
// filters. An attribute that no graph has is an error: a typing error is more likely
// than a wish for no answers.
func keep(s *session, c listing, name string, texts []string) (func(position int) bool, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	filters := make([]search.Filter, len(texts))
	for i, text := range texts {
		var err error
		if filters[i], err = search.ParseFilter(text); err != nil {
			return nil, usageError("--" + err.Error())
		}
	}
	var kept []bool
	known := make([]bool, len(filters))
	passed, all := 0, 0
	for position, r := range c {
		fits := true
		for i, f := range filters {
			known[i] = known[i] || f.Known(&r)
			fits = fits && f.Match(&r)
		}
		if all++; fits {
			passed++
		}
		kept = slices.Grow(kept, max(0, position+1-len(kept)))[:max(len(kept), position+1)]
		kept[position] = fits
	}
	for i, f := range filters {
		if !known[i] {
			return nil, fmt.Errorf("--filter %q: no graph of %s has the attribute %q; there are %s",
				texts[i], name, f.Attribute, strings.Join(attributes(c), ", "))
		}
	}
	s.note("%d of %s fit the filter", passed, grouped(all, "graph"))
	return func(position int) bool { return position < len(kept) && kept[position] }, nil
}

// attributes returns the names that a filter can use.
func attributes(c listing) []string {
	found := map[string]bool{"id": true}
	for _, r := range c {
		if r.Name != "" {
			found["name"] = true
		}
		for key := range r.Attributes {
			found[key] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}
