package search

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/greedgraph/greed/dataset"
)

// Filter is a condition on a record's id, its name or one of its attributes.
// [ParseFilter] makes one; the zero Filter matches nothing, and searches refuse it.
type Filter struct {
	// Attribute is "id", "name" or a key of [dataset.Record.Attributes], where "attribute id" and
	// "attribute name" stand for the keys "id" and "name".
	Attribute string
	text      string
	test      func(value any) bool
	as        string // what values are compared as, "number" or "date"; "" if by their texts
	comparand func(value any) bool
}

// String returns the text that the filter was made of.
func (f Filter) String() string { return f.text }

// operators of a filter. If two begin at the same offset, the first in the list wins.
var operators = []string{"<=", ">=", "<", ">", "=", " in "}

// ParseFilter reads a filter:
//
//	class=toxic       the value is this text or, of two numbers, this number; an id or a
//	                  name is this text
//	class in a,"b, c" the value is one of these; quoted, it may have commas
//	weight>=250       the value is a number that compares so: <, <=, >, >=
//	made<2019-06-01   the value is a date, or a date and a time, whose date compares so
//	weight exists     there is a value
//
// An attribute that is itself called id or name is written attribute id or attribute name.
// Space around names and values is ignored. A value that is not a number
// compares with none, and one that is not a date with no date.
func ParseFilter(text string) (Filter, error) {
	at, operator := len(text), ""
	for _, o := range operators {
		if i := strings.Index(text, o); i >= 0 && i < at {
			at, operator = i, o
		}
	}
	attribute, operand := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+len(operator):])
	if operator == "" {
		var exists bool
		if attribute, exists = strings.CutSuffix(attribute, " exists"); !exists {
			return Filter{}, fmt.Errorf("filter %q: want ATTR=VALUE, ATTR in A,B, a comparison such as ATTR>=X, or "+
				"ATTR exists", text)
		}
		attribute = strings.TrimSpace(attribute)
	}
	if operator == "=" && strings.HasSuffix(text[:at], "!") {
		return Filter{}, fmt.Errorf("filter %q: != is not supported: want ATTR=VALUE, ATTR in A,B, a comparison "+
			"such as "+
			"ATTR>=X, or ATTR exists", text)
	}
	if operator == "=" && operand != "" && strings.IndexByte("=<>", operand[0]) >= 0 {
		sign, value := operand[:1], strings.TrimSpace(operand[1:])
		instead := strings.TrimSuffix(sign, "=") + "="
		return Filter{}, fmt.Errorf("filter %q: =%s is not supported: write %s%s%s, or %s in \"%s%s\" for a text that "+
			"begins with %s",
			text, sign, attribute, instead, value, attribute, sign, value, sign)
	}
	if attribute == "" {
		return Filter{}, fmt.Errorf("filter %q names no attribute", text)
	}
	f := Filter{Attribute: attribute, text: strings.TrimSpace(text)}
	same := equal
	if attribute == "id" || attribute == "name" {
		same = func(value any, text string) bool { return dataset.AttributeText(value) == text }
	}
	switch operator {
	case "":
		f.test = func(any) bool { return true }
	case "=":
		f.test = func(value any) bool { return same(value, operand) }
	case " in ":
		if operand == "" {
			return Filter{}, fmt.Errorf("filter %q names no value: want %s in A,B, or %s in \"\" for the empty text",
				text, attribute, attribute)
		}
		values := splitList(operand)
		f.test = func(value any) bool {
			return slices.ContainsFunc(values, func(v string) bool { return same(value, v) })
		}
	default:
		limit, ok := Numeric(operand)
		_, err := time.Parse(time.DateOnly, operand)
		compare := func(value any) (int, bool) { return order(value, operand, limit) }
		f.as = "number"
		switch {
		case !ok && err != nil:
			return Filter{}, fmt.Errorf("filter %q: %q is not a number to compare with, nor a date such as 2019-12-31",
				text, operand)
		case err == nil:
			f.as = "date"
			compare = func(value any) (int, bool) {
				d, ok := date(dataset.AttributeText(value))
				return strings.Compare(d, operand), ok
			}
		}
		f.comparand = func(value any) bool { _, ok := compare(value); return ok }
		f.test = func(value any) bool {
			by, ok := compare(value)
			return ok && compares(by, operator)
		}
	}
	return f, nil
}

// date returns the date that a text is, or begins with before a time, as 2019-12-31.
func date(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if len(text) > 10 && (text[10] == 'T' || text[10] == ' ') {
		text = text[:10]
	}
	_, err := time.Parse(time.DateOnly, text)
	return text, err == nil
}

// splitList splits a list at commas that are not between quotation marks. Within a
// value that begins and ends with one, two stand for one.
func splitList(text string) []string {
	var list []string
	for more := true; more; {
		value := strings.TrimSpace(text)
		if end := closing(value); end > 0 {
			list = append(list, strings.ReplaceAll(value[1:end], `""`, `"`))
			_, text, more = strings.Cut(value[end:], ",")
			continue
		}
		value, text, more = strings.Cut(text, ",")
		list = append(list, strings.TrimSpace(value))
	}
	return list
}

// closing returns where the quotation ends that a text begins with, or 0 if it begins
// with none that ends a value.
func closing(text string) int {
	if !strings.HasPrefix(text, `"`) {
		return 0
	}
	for i := 1; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		if i+1 < len(text) && text[i+1] == '"' {
			i++
			continue
		}
		if rest := strings.TrimSpace(text[i+1:]); rest == "" || rest[0] == ',' {
			return i
		}
		return 0
	}
	return 0
}

// Pass reports whether a record passes all filters.
func Pass(r *dataset.Record, filters []Filter) bool {
	return !slices.ContainsFunc(filters, func(f Filter) bool { return !f.Match(r) })
}

// Match reports whether the record has the attribute and its value fits.
func (f Filter) Match(r *dataset.Record) bool {
	value, ok := f.value(r)
	return ok && f.test != nil && f.test(value)
}

// value returns the attribute; empty names and nulls are none.
func (f Filter) value(r *dataset.Record) (any, bool) {
	switch f.Attribute {
	case "id":
		return r.ID, true
	case "name": // of records without one, an attribute of this name
		if r.Name != "" {
			return r.Name, true
		}
	}
	value, ok := r.Attributes[f.Attribute]
	if key, hidden := strings.CutPrefix(f.Attribute, byKey); hidden && !ok && (key == "id" || key == "name") {
		value, ok = r.Attributes[key]
	}
	return value, ok && value != nil
}

// ofRecord reports whether more than an attribute of the name is looked at.
func (f Filter) ofRecord() bool {
	return f.Attribute == "id" || f.Attribute == "name" || strings.HasPrefix(f.Attribute, byKey)
}

// byKey begins the name of an attribute in a filter that is not the field of the same name.
const byKey = "attribute "

func equal(value any, text string) bool {
	if dataset.AttributeText(value) == text {
		return true
	}
	y, ok := Numeric(text)
	if !ok {
		return false
	}
	by, ok := order(value, text, y)
	return ok && by == 0
}

// order compares a value with a number y, which is given as text, too. It returns false where
// the value is no number.
func order(value any, text string, y float64) (by int, ok bool) {
	x, ok := Numeric(value)
	if !ok || x != y || math.Abs(x) < 1<<53 {
		return cmp.Compare(x, y), ok
	}
	// integers that are one float64 may differ
	a, ok := new(big.Rat).SetString(strings.TrimSpace(dataset.AttributeText(value)))
	b, also := new(big.Rat).SetString(strings.TrimSpace(text))
	if !ok || !also {
		return 0, false
	}
	return a.Cmp(b), true
}

func compares(by int, operator string) bool {
	switch operator {
	case "<":
		return by < 0
	case "<=":
		return by <= 0
	case ">":
		return by > 0
	}
	return by >= 0
}

// Numeric returns a value that is a finite number or the decimal text of one: what filters
// compare. Inf, 0x10 and 1_000 are texts, as they are where graphs are read.
func Numeric(value any) (float64, bool) {
	var x float64
	switch v := reflect.ValueOf(value); {
	case !v.IsValid():
		return 0, false
	case v.CanFloat():
		x = v.Float()
	case v.CanInt():
		x = float64(v.Int())
	case v.CanUint():
		x = float64(v.Uint())
	default:
		text, ok := value.(string)
		if number, is := value.(json.Number); is {
			text, ok = number.String(), true
		}
		text = strings.TrimSpace(text)
		var err error
		if x, err = strconv.ParseFloat(text, 64); !ok || err != nil || strings.Trim(text, "+-.0123456789eE") != "" {
			return 0, false
		}
	}
	return x, !math.IsNaN(x) && !math.IsInf(x, 0)
}
