package greed

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/search"
)

// AttributeSummary says which values an attribute has in a collection.
type AttributeSummary struct {
	Name  string   `json:"name"`
	Count int      `json:"count" doc:"Graphs that have it"`
	Min   *float64 `json:"min,omitempty" doc:"The least value, where all are numbers"`
	Max   *float64 `json:"max,omitempty" doc:"The greatest value, where all are numbers"`
	// Values are the most frequent ones; More is set if there are others.
	Values []ValueCount `json:"values" doc:"The most frequent values"`
	More   bool         `json:"more,omitempty" doc:"There are other values"`
}

// ValueCount is a value of an attribute, as text, and how many graphs have it.
type ValueCount struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

const (
	attributeValues = 50   // listed for each attribute
	countedValues   = 5000 // told apart for each attribute
	countedNames    = 500  // attributes told apart
)

// Attributes sums up the attributes of the first graphs of the collection, at most
// most of them, in the order of their names. It returns also how many graphs it has
// looked at. If the context ends before, it returns the context's error. Products of a synthon space have their
// reactions, which are counted without making them.
func (c *Collection) Attributes(ctx context.Context, most int) (list []AttributeSummary, seen int, err error) {
	tallies := make(map[string]*tally)
	if c.space != nil {
		t := &tally{values: make(map[string]int)}
		for i := range c.space.Reactions {
			r := &c.space.Reactions[i]
			t.values[r.ID] = int(min(r.Size(), math.MaxInt64))
		}
		t.count = c.Len()
		return []AttributeSummary{t.summary(attributeReaction)}, c.Len(), nil
	}
	err = c.first(ctx, most, func(about *Record) {
		seen++
		for name, value := range about.Attributes {
			if value == nil {
				continue
			}
			t := tallies[name]
			if t == nil {
				if len(tallies) == countedNames {
					continue
				}
				t = &tally{numbers: true, values: make(map[string]int)}
				tallies[name] = t
			}
			t.add(value)
		}
	})
	if err != nil {
		return nil, 0, err
	}
	for _, name := range slices.Sorted(maps.Keys(tallies)) {
		list = append(list, tallies[name].summary(name))
	}
	return list, seen, nil
}

// tally counts the values of an attribute.
type tally struct {
	count    int
	numbers  bool // all so far
	min, max float64
	values   map[string]int
	more     bool // than values has
}

func (t *tally) add(value any) {
	x, ok := search.Numeric(value)
	if t.numbers = t.numbers && ok; ok {
		if t.count == 0 {
			t.min, t.max = x, x
		}
		t.min, t.max = min(t.min, x), max(t.max, x)
	}
	t.count++
	text := dataset.AttributeText(value)
	if _, known := t.values[text]; !known && len(t.values) == countedValues {
		t.more = true
		return
	}
	t.values[text]++
}

func (t *tally) summary(name string) AttributeSummary {
	a := AttributeSummary{Name: name, Count: t.count, More: t.more, Values: []ValueCount{}}
	if t.numbers {
		a.Min, a.Max = &t.min, &t.max
	}
	for value, count := range t.values {
		a.Values = append(a.Values, ValueCount{value, count})
	}
	slices.SortFunc(a.Values, func(x, y ValueCount) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Value, y.Value))
	})
	if len(a.Values) > attributeValues {
		a.Values, a.More = a.Values[:attributeValues], true
	}
	return a
}

// AttributeValues returns the value that an attribute has in each of the first graphs of
// the collection, at most most of them, by their ids: nil where a graph lacks it.
func (c *Collection) AttributeValues(ctx context.Context, name string,
	most int) (ids []string, values []any, err error) {
	err = c.first(ctx, most, func(about *Record) {
		ids, values = append(ids, about.ID), append(values, about.Attributes[name])
	})
	return ids, values, err
}

// first visits the records of the first graphs, at most most of them. They may lack their graphs.
func (c *Collection) first(ctx context.Context, most int, visit func(*Record)) error {
	in := c.live.Acquire()
	defer in.Release()
	return in.Read(func() error {
		seen := 0
		for p := range in.Live() {
			if seen == most {
				break
			}
			if seen++; seen%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			about := in.About(p)
			visit(&about)
		}
		return nil
	})
}
