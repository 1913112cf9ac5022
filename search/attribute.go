package search

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/levenshtein"
)

// ErrAttribute is wrapped if a search names an attribute that no graph has.
var ErrAttribute = errors.New("no graph has the attribute")

// CheckFilters returns an error that wraps [ErrAttribute] for a filter on an attribute
// that no graph has, or that none has as what the filter compares. In a collection without
// graphs every filter is as good.
func (c *Collection) CheckFilters(filters []Filter) error {
	for _, f := range filters {
		if err := c.check(f); err != nil {
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
func (c *Collection) CheckAttribute(name string) error { return c.check(Filter{Attribute: name}) }

func (c *Collection) check(f Filter) error {
	key := f.as + " " + f.Attribute
	if key == " id" {
		return nil
	}
	if known, ok := c.labels.attributes.Load(key); ok {
		err, _ := known.(error)
		return err
	}
	lack, seen := Lack{Filter: f}, 0
	for p := range c.Live() {
		var r dataset.Record
		if seen++; seen <= namesSought || f.Attribute == "name" {
			r = c.About(p)
		} else if r.Attributes = c.decoded(p); r.Attributes == nil {
			continue
		} else {
			r.ID = c.ID(p)
		}
		if !lack.Add(&r) {
			c.labels.attributes.Store(key, nil)
			return nil
		}
	}
	err := lack.Err()
	if c.labels.named.Add(1) < mostNamed { // anyone may ask for any name
		c.labels.attributes.Store(key, err)
	}
	return err
}

// namesSought is how many graphs are asked whether they have a name, which messages say that filters can use.
const namesSought = 1000

// mostNamed is how many attributes that no graph has are remembered.
const mostNamed = 1000

// Lack finds out whether all records lack what a filter compares.
type Lack struct {
	Filter  Filter
	there   map[string]bool // what filters can name
	example dataset.Record  // that has the attribute, if one does
	met     bool            // a record lacks nothing
}

// Add takes up a record and reports whether all so far lack it.
func (l *Lack) Add(r *dataset.Record) bool {
	value, has := l.Filter.value(r)
	if l.Filter.as == "" {
		_, null := r.Attributes[l.Filter.Attribute]
		l.met = l.met || has || null
	} else {
		l.met = l.met || has && l.Filter.comparand(value)
	}
	if l.met {
		return false
	}
	if has && l.example.ID == "" {
		l.example = *r
	}
	if l.there == nil {
		l.there = map[string]bool{"id": true}
	}
	if r.Name != "" {
		l.there["name"] = true
	}
	for key, value := range r.Attributes {
		if value != nil {
			l.there[key] = true
			if key == "id" || key == "name" {
				l.there[byKey+key] = true
			}
		}
	}
	return true
}

// Err returns an error that wraps [ErrAttribute] and says what the records have instead, or
// nil if one lacks nothing or there are none.
func (l *Lack) Err() error {
	if l.met || l.there == nil {
		return nil
	}
	if l.example.ID == "" {
		names, meant := slices.Sorted(maps.Keys(l.there)), ""
		if near := levenshtein.Nearest(l.Filter.Attribute, names); near != "" {
			meant = " (is it " + near + "?)"
		}
		return fmt.Errorf("%w %q%s; the attributes are %s", ErrAttribute, l.Filter.Attribute, meant,
			strings.Join(names, ", "))
	}
	value, _ := l.Filter.value(&l.example)
	text, hint := dataset.AttributeText(value), ""
	if _, dated := date(text); dated {
		hint = ", which is compared with a date such as 2019-12-31"
	}
	return fmt.Errorf("%w %q as a %s; graph %q has %.40q%s", ErrAttribute, l.Filter.Attribute, l.Filter.as,
		l.example.ID, text, hint)
}
