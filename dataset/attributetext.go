package dataset

import (
	"bytes"
	"encoding/json"
)

// AttributeText returns an attribute of a record where there is only text, in a table or a
// file: as JSON has it, but a string as it is, and nothing for null.
func AttributeText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case nil:
		return ""
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return "" // records hold only what JSON has
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// exactDigits is how many digits of an integer a float64 certainly holds.
const exactDigits = 15

// UnmarshalAttributes is [json.Unmarshal] for attributes: if a number has more digits than a
// float64 holds, such as an id of 64 bits, numbers become [json.Number].
func UnmarshalAttributes(text []byte, v any) error {
	run := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			run = 0
		} else if run++; run > exactDigits {
			d := json.NewDecoder(bytes.NewReader(text))
			d.UseNumber()
			return d.Decode(v)
		}
	}
	return json.Unmarshal(text, v)
}
