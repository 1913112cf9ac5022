package dataset

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// jsonText walks over valid JSON text without decoding it. It returns values as written.
type jsonText struct {
	text []byte
	i    int
}

// blank skips blanks.
func (j *jsonText) blank() {
	for j.i < len(j.text) && j.text[j.i] <= ' ' {
		j.i++
	}
}

// value takes the next value.
func (j *jsonText) value() []byte {
	j.blank()
	start := j.i
	var d jsonDepth
	for ; j.i < len(j.text); j.i++ {
		c := j.text[j.i]
		if d.depth == 0 && !d.inString && j.i > start && (c == ',' || c == ']' || c == '}' || c == ':' || c <= ' ') {
			break
		}
		d.step(c)
	}
	return j.text[start:j.i]
}

// each calls take at each item of the current list or object, up to the first error.
func (j *jsonText) each(take func() error) error {
	j.blank()
	j.i++ // [ or {
	for {
		j.blank()
		switch j.text[j.i] {
		case ']', '}':
			return nil
		case ',':
			j.i++
			continue
		}
		if err := take(); err != nil {
			return err
		}
	}
}

// elements calls visit for each value of the current list, with its offset in the text, up to
// the first error.
func (j *jsonText) elements(visit func(value []byte, at int) error) error {
	return j.each(func() error {
		at := j.i
		return visit(j.value(), at)
	})
}

// members calls visit for each member of the current object, with the offset of its value in
// the text, up to the first error. It passes names as written, in quotes.
func (j *jsonText) members(visit func(name, value []byte, at int) error) error {
	return j.each(func() error {
		name := j.value()
		j.blank()
		j.i++ // :
		j.blank()
		at := j.i
		return visit(name, j.value(), at)
	})
}

// jsonString returns the text of a string without its quotes; any other value as written,
// without blanks.
func jsonString(value []byte) string {
	if value[0] == '"' {
		if bytes.IndexByte(value, '\\') < 0 {
			return string(value[1 : len(value)-1])
		}
		var s string
		if json.Unmarshal(value, &s) == nil {
			return s
		}
	}
	if value[0] != '{' && value[0] != '[' {
		return string(value)
	}
	var compact bytes.Buffer
	if json.Compact(&compact, value) != nil {
		return string(value)
	}
	return compact.String()
}

// jsonName is jsonString for what names a node: 1 and 1.0 are the same number. Tables with
// missing values make such numbers of integers.
func jsonName(value []byte) string {
	text := jsonString(value)
	if value[0] != '"' {
		text = strings.TrimSuffix(text, ".0")
	}
	return text
}

func jsonKind(value []byte) kind {
	switch value[0] {
	case '"':
		return textKind
	case 't', 'f':
		return booleanKind
	case '{', '[':
		return otherKind
	}
	if _, err := strconv.ParseInt(string(value), 10, 64); err == nil {
		return integerKind
	}
	return realKind
}

// jsonTypeName names the type of a value, for errors.
func jsonTypeName(value []byte) string {
	switch {
	case value[0] == '{':
		return "an object"
	case value[0] == '[':
		return "a list"
	case value[0] == 'n':
		return "null"
	}
	return [...]string{textKind: "a string", booleanKind: "a boolean", integerKind: "a number", realKind: "a number"}[jsonKind(value)]
}

// checkJSON returns the first syntax error in text, which begins at line, as a lineError.
func checkJSON(text []byte, line int) error {
	var raw json.RawMessage
	err := json.Unmarshal(text, &raw)
	if err == nil {
		return nil
	}
	offset := int64(math.MaxInt64)
	if syntax, ok := err.(*json.SyntaxError); ok {
		offset = syntax.Offset
	}
	before := text[:min(offset, int64(len(text)))]
	return errAt(line+bytes.Count(before, []byte{'\n'}), "JSON: %w", err)
}

// jsonDepth tracks the nesting of JSON text byte by byte.
type jsonDepth struct {
	depth    int
	inString bool
	escaped  bool
}

// step takes the next byte and returns +1 if it opens an object or list, -1 if it closes one,
// else 0.
func (j *jsonDepth) step(b byte) int {
	switch {
	case j.inString:
		switch {
		case j.escaped:
			j.escaped = false
		case b == '\\':
			j.escaped = true
		case b == '"':
			j.inString = false
		}
	case b == '"':
		j.inString = true
	case b == '{' || b == '[':
		j.depth++
		return 1
	case b == '}' || b == ']':
		j.depth--
		return -1
	}
	return 0
}

// splitJSON ends a record after each top-level object. The text may be one object, several
// objects in a row, or a list of objects.
func splitJSON(data []byte) int {
	start := 0
	for start < len(data) && data[start] != '{' {
		start++
	}
	var j jsonDepth
	for i := start; i < len(data); i++ {
		if j.step(data[i]) < 0 && j.depth == 0 {
			return i + 1
		}
	}
	return -1
}
