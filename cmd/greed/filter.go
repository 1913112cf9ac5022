package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/search"
)

// records are a list to filter.
type records interface {
	Len() int
	Record(i int) dataset.Record
}

// recordList is records in memory.
type recordList []dataset.Record

func (l recordList) Len() int                    { return len(l) }
func (l recordList) Record(i int) dataset.Record { return l[i] }

// keep returns which graphs of a collection pass all filters, nil if there are
// no filters. An attribute that no graph has is an error, as it is a typing
// error more often than a wish for no answers.
func keep(s *session, c records, name string, texts []string) (func(position int) bool, error) {
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
	kept := make([]bool, c.Len())
	known := make([]bool, len(filters))
	passed := 0
	for position := range kept {
		r := c.Record(position)
		fits := true
		for i, f := range filters {
			known[i] = known[i] || f.Known(&r)
			fits = fits && f.Match(&r)
		}
		if kept[position] = fits; fits {
			passed++
		}
	}
	for i, f := range filters {
		if !known[i] {
			return nil, fmt.Errorf("--filter %q: no graph of %s has the attribute %q; there are %s",
				texts[i], name, f.Attribute, strings.Join(attributes(c), ", "))
		}
	}
	s.note("%d of %s fit the filter", passed, grouped(len(kept)))
	return func(position int) bool { return kept[position] }, nil
}

// attributes returns the names that a filter can use.
func attributes(c records) []string {
	found := map[string]bool{"id": true}
	for i := range c.Len() {
		r := c.Record(i)
		if r.Name != "" {
			found["name"] = true
		}
		for key := range r.Meta {
			found[key] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}
