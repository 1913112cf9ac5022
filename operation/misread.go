package operation

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
)

// Misread puts an error of [json.Unmarshal] in plain words. Where it knows the field, the error
// is an [Error].
func Misread(err error) error {
	typed, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		if err != nil && strings.HasPrefix(err.Error(), "json: ") {
			err = errors.New(strings.TrimPrefix(err.Error(), "json: "))
		}
		return err
	}
	text := article(typed.Value) + ", want " + takes(typed.Type)
	if number, is := strings.CutPrefix(typed.Value, "number "); is && typed.Type.Kind() == reflect.Float64 {
		text = "the number " + number + " is too large"
	}
	if typed.Field == "" {
		return errors.New(text)
	}
	return wrong(typed.Field[strings.LastIndexByte(typed.Field, '.')+1:], "%s", text)
}

// article names a value of JSON as encoding/json does: array, number 3.0.
func article(value string) string {
	if value == "array" || value == "object" {
		return "an " + value
	}
	return "a " + value
}

// takes says in words what a field takes.
func takes(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "a whole number such as 3"
	case reflect.Float64, reflect.Float32:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "an array"
	}
	return "an object"
}
