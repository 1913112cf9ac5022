package dataset

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/internal/jsonwalk"
)

// jsonString returns the text of a string without its quotes; any other value as written,
// without blanks.
func jsonString(value []byte) string {
	if value[0] == '"' {
		return jsonwalk.String(value)
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
	return [...]string{textKind: "a string", booleanKind: "a boolean", integerKind: "a number",
		realKind: "a number"}[jsonKind(value)]
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

// splitJSON ends a record after each top-level object. The text may be one object, several
// objects in a row, or a list of objects.
func splitJSON(data []byte) int {
	start := 0
	for start < len(data) && data[start] != '{' {
		start++
	}
	var n jsonwalk.Nesting
	for i := start; i < len(data); i++ {
		if n.Step(data[i]) < 0 && n.Depth == 0 {
			return i + 1
		}
	}
	return -1
}
