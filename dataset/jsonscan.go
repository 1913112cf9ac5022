package dataset

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
