package main

import (
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// listMapper maps the values of flags that are lists or maps as usual does, one part after another. It takes them apart
// itself, as kong's own way takes the square of the length of a part.
func listMapper(usual kong.Mapper) kong.Mapper {
	return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		next := ctx.Scan.Peek()
		text, isText := next.Value.(string)
		tag := *ctx.Value.Tag
		separator := tag.Sep
		if target.Kind() == reflect.Map {
			separator = tag.MapSep
		}
		list := target.Kind() == reflect.Slice || target.Kind() == reflect.Map
		if ctx.Value.Flag == nil || !list || separator == -1 || !isText || next.IsEOL() {
			return usual.Decode(ctx, target)
		}
		ctx.Scan.Pop()
		tag.Sep, tag.MapSep = -1, -1
		value := *ctx.Value
		value.Tag = &tag
		for _, part := range partsOf(text, separator) {
			child := ctx.WithScanner(kong.ScanAsType(next.Type, part))
			child.Value = &value
			if err := usual.Decode(child, target); err != nil {
				return err
			}
		}
		return nil
	})
}

// partsOf returns what is between separators, of which those behind a backslash are none. The last part is left out if
// it is empty.
func partsOf(text string, separator rune) (parts []string) {
	var part strings.Builder
	escaped := false
	for i, c := range text {
		switch {
		case escaped:
			if c != separator {
				part.WriteByte('\\')
			}
			part.WriteRune(c)
			escaped = false
		case c == '\\' && i < len(text)-1:
			escaped = true
		case c == separator:
			parts = append(parts, part.String())
			part.Reset()
		default:
			part.WriteRune(c)
		}
	}
	if part.Len() > 0 {
		parts = append(parts, part.String())
	}
	return parts
}
