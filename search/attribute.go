package search

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/greedgraph/greed/dataset"
)

// ErrAttribute is wrapped if a search names an attribute that no graph has.
var ErrAttribute = errors.New("no graph has the attribute")

// NoAttribute returns an error that wraps [ErrAttribute] and names what there is instead.
func NoAttribute(name string, there []string) error {
	return fmt.Errorf("%w %q; the attributes are %s", ErrAttribute, name, strings.Join(there, ", "))
}

// CheckFilters returns an error that wraps [ErrAttribute] for a filter on an attribute
// that no graph has. In a collection without graphs every filter is as good.
func (c *Collection) CheckFilters(filters []Filter) error {
	for _, f := range filters {
		if err := c.CheckAttribute(f.Attribute); err != nil {
			return fmt.Errorf("filter %q: %w", f.text, err)
		}
	}
	return nil
}

// unmet returns a warning of each filter that no graph passes.
func (c *Collection) unmet(filters []Filter) (list []string) {
	for i, f := range filters {
		met := c.Len() == 0
		for p := range c.Live() {
			if met = c.Passes(p, filters[i:i+1]); met {
				break
			}
		}
		if !met {
			list = append(list, fmt.Sprintf("no graph passes the filter %q", f.text))
		}
	}
	return list
}

// CheckAttribute returns an error that wraps [ErrAttribute] if there are graphs and none
// has an attribute.
func (c *Collection) CheckAttribute(name string) error {
	f := Filter{Attribute: name}
	if _, known := c.labels.attributes.Load(name); known || name == "id" {
		return nil
	}
	there := map[string]bool{"id": true}
	for p := range c.Live() {
		about := c.About(p)
		if _, has := about.Attributes[name]; has || f.Known(&about) {
			c.labels.attributes.Store(name, true)
			return nil
		}
		AddAttributes(there, &about)
	}
	if c.Len() == 0 {
		return nil
	}
	return NoAttribute(name, slices.Sorted(maps.Keys(there)))
}

// AddAttributes adds what filters can name of a record.
func AddAttributes(there map[string]bool, r *dataset.Record) {
	if r.Name != "" {
		there["name"] = true
	}
	for key, value := range r.Attributes {
		if value != nil {
			there[key] = true
			if key == "id" || key == "name" {
				there[byKey+key] = true
			}
		}
	}
}
