package greed

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/jsonwalk"
	"github.com/greedgraph/greed/live"
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
	if c.space != nil {
		t := newTally()
		for i := range c.space.Reactions {
			r := &c.space.Reactions[i]
			t.values[r.ID] = new(int(min(r.Size(), math.MaxInt64)))
		}
		t.count, t.numbers = c.Len(), false
		return []AttributeSummary{t.summary(attributeReaction)}, c.Len(), nil
	}
	all := tallies{make(map[string]*tally), make(map[string]*tally)}
	err = c.first(ctx, most, func(in *live.State, position int) {
		seen++
		values, text := in.Attributes(position)
		for name, value := range values {
			if value == nil {
				continue
			}
			if t := all.of(name); t != nil {
				t.take(t.reading(dataset.AttributeText(value), value))
			}
		}
		if text != nil {
			all.addText(text)
		}
	})
	if err != nil {
		return nil, 0, err
	}
	for _, name := range slices.Sorted(maps.Keys(all.byName)) {
		list = append(list, all.byName[name].summary(name))
	}
	return list, seen, nil
}

// tallies are those of all attributes: by their names, and by these as JSON has them.
type tallies struct{ byName, written map[string]*tally }

// of returns the tally of an attribute, or nil if there are too many.
func (a *tallies) of(name string) *tally {
	t := a.byName[name]
	if t == nil && len(a.byName) < countedNames {
		t = newTally()
		a.byName[name] = t
	}
	return t
}

// addText counts the attributes of a record, which is valid JSON. It decodes only values that are new.
func (a *tallies) addText(text []byte) {
	walk := jsonwalk.Walk{Text: text}
	_ = walk.Members(func(name, value []byte, _ int) error {
		if string(value) == "null" {
			return nil
		}
		t := a.written[string(name)]
		if t == nil {
			if t = a.of(jsonwalk.String(name)); t == nil {
				return nil
			}
			a.written[string(name)] = t
		}
		t.addText(value)
		return nil
	})
}

// tally counts the values of an attribute.
type tally struct {
	count    int
	numbers  bool // all so far
	min, max float64
	values   map[string]*int
	written  map[string]reading // by how JSON has them
	more     bool               // than values has
}

func newTally() *tally {
	return &tally{numbers: true, values: make(map[string]*int), written: make(map[string]reading)}
}

// reading is what a value counts for.
type reading struct {
	count   *int // of its text; nil if that is not told apart
	numeric bool
	number  float64
}

// addText counts a value that is given as JSON.
func (t *tally) addText(text []byte) {
	r, known := t.written[string(text)]
	if !known {
		switch text[0] {
		case '"':
			value := jsonwalk.String(text)
			r = t.reading(value, value)
		case '{', '[', 't', 'f':
			var value any
			_ = json.Unmarshal(text, &value) // it is valid
			r = t.reading(dataset.AttributeText(value), value)
		default:
			r = t.reading(string(text), json.Number(text))
		}
		if r.count != nil {
			t.written[string(text)] = r
		}
	}
	t.take(r)
}

// reading returns what a value counts for, whose text is given.
func (t *tally) reading(text string, value any) (r reading) {
	r.number, r.numeric = search.Numeric(value)
	r.count = t.values[text]
	if r.count == nil && len(t.values) < countedValues {
		r.count = new(int)
		t.values[text] = r.count
	}
	return r
}

func (t *tally) take(r reading) {
	if t.numbers = t.numbers && r.numeric; r.numeric {
		if t.count == 0 {
			t.min, t.max = r.number, r.number
		}
		t.min, t.max = min(t.min, r.number), max(t.max, r.number)
	}
	t.count++
	if r.count == nil {
		t.more = true
		return
	}
	*r.count++
}

func (t *tally) summary(name string) AttributeSummary {
	a := AttributeSummary{Name: name, Count: t.count, More: t.more, Values: []ValueCount{}}
	if t.numbers {
		a.Min, a.Max = &t.min, &t.max
	}
	for value, count := range t.values {
		a.Values = append(a.Values, ValueCount{value, *count})
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
	err = c.first(ctx, most, func(in *live.State, position int) {
		ids, values = append(ids, in.ID(position)), append(values, in.Attribute(position, name))
	})
	return ids, values, err
}

// first visits the positions of the first graphs, at most most of them.
func (c *Collection) first(ctx context.Context, most int, visit func(in *live.State, position int)) error {
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
			visit(in, p)
		}
		return nil
	})
}
