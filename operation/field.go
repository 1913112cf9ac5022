package operation

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Field describes a field of an operation.
type Field struct {
	Name    string // in JSON and in addresses
	Flag    string // on the command line, without dashes
	Type    reflect.Type
	Default string
	Values  []string // that it may have; nil: any of its type
	Least   string   // the least number; "": any
	Most    string   // the greatest number of items; "": any
	Doc     string   // what it does, in a sentence or as a name of package help
	Index   []int    // for [reflect.Value.FieldByIndex]
}

// Fields describes the fields of an operation, in their order.
func Fields(operation any) []Field {
	return fields(reflect.TypeOf(operation), nil)
}

func fields(t reflect.Type, at []int) []Field {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var list []Field
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int{}, at...), i)
		if f.Anonymous {
			list = append(list, fields(f.Type, index)...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Tag.Get("doc") == "" { // what nobody asks for
			continue
		}
		described := Field{
			Name: name, Flag: strings.ReplaceAll(name, "_", "-"), Type: f.Type, Default: f.Tag.Get("default"),
			Least: f.Tag.Get("minimum"), Most: f.Tag.Get("maxItems"), Doc: f.Tag.Get("doc"), Index: index,
		}
		if values := f.Tag.Get("enum"); values != "" {
			described.Values = strings.Split(values, ",")
		}
		list = append(list, described)
	}
	return list
}

// Kind returns what a field takes, in a word for people.
func (f Field) Kind() string {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case len(f.Values) > 0:
		return strings.Join(f.Values, ", ")
	case t == reflect.TypeFor[Costs]():
		return "name or object"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Int:
		return "list of whole numbers"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Slice:
		return "list of lists of numbers"
	case t.Kind() == reflect.Slice:
		return "list of texts"
	case t.Kind() == reflect.Map:
		return "values by name"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64, t.Kind() == reflect.Uint64:
		return "whole number"
	case t.Kind() == reflect.Float64:
		return "number"
	}
	return "text"
}

// SetDefaults sets the fields of an operation, a pointer to a struct, that have a default.
func SetDefaults(operation any) {
	v := reflect.ValueOf(operation).Elem()
	for _, f := range Fields(operation) {
		if f.Default == "" {
			continue
		}
		if err := set(v.FieldByIndex(f.Index), f, strings.Split(f.Default, ",")); err != nil {
			panic("operation: the default of " + err.Error())
		}
	}
}

// check returns an [Error] for a list that is longer than its tags allow, and for a text that is none of those
// they list.
func check(request any) error {
	v := reflect.ValueOf(request).Elem()
	for _, f := range Fields(request) {
		x := v.FieldByIndex(f.Index)
		if x.Kind() == reflect.Pointer && !x.IsNil() {
			x = x.Elem()
		}
		switch most, err := strconv.Atoi(f.Most); {
		case err == nil && x.Len() > most:
			return wrong(f.Name, "there are %d; at most %d are allowed", x.Len(), most)
		case x.Kind() == reflect.String && x.String() != "" && len(f.Values) > 0 &&
			!slices.Contains(f.Values, x.String()):
			return wrong(f.Name, "%q: want %s", x.String(), strings.Join(f.Values, ", "))
		}
	}
	return nil
}

// FromAddress sets the fields of an operation, a pointer to a struct, from the parameters
// of an address. Those of other names are left to the caller.
func FromAddress(operation any, values url.Values) error {
	v := reflect.ValueOf(operation).Elem()
	for _, f := range Fields(operation) {
		given, ok := values[f.Name]
		if !ok {
			continue
		}
		if err := set(v.FieldByIndex(f.Index), f, given); err != nil {
			return err
		}
	}
	return nil
}

func set(v reflect.Value, f Field, given []string) error {
	text := given[len(given)-1]
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	var err error
	switch v.Kind() {
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Int {
			v.Set(reflect.ValueOf(given))
			break
		}
		list := make([]int, len(given))
		for i := range list {
			if list[i], err = strconv.Atoi(given[i]); err != nil {
				break
			}
		}
		v.Set(reflect.ValueOf(list))
	case reflect.Bool:
		var x bool
		x, err = strconv.ParseBool(text)
		v.SetBool(x)
	case reflect.Uint64:
		var x uint64
		x, err = strconv.ParseUint(text, 10, 64)
		v.SetUint(x)
	case reflect.Int, reflect.Int64:
		var x int64
		x, err = strconv.ParseInt(text, 10, strconv.IntSize)
		v.SetInt(x)
	case reflect.Float64:
		var x float64
		x, err = strconv.ParseFloat(text, 64)
		v.SetFloat(x)
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		v.Set(reflect.ValueOf(CostsOf(text)))
	default:
		panic(fmt.Sprintf("operation: %s has no form in an address", f.Name))
	}
	if err != nil {
		return wrong(f.Name, "%q: want %s", text, strings.Replace("a "+f.Kind(), "a true", "true", 1))
	}
	return nil
}
