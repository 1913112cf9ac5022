package server

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// twiceIn reports whether an object in a valid JSON text has a member twice.
func twiceIn(d *json.Decoder) bool {
	token, err := d.Token()
	if err != nil {
		return false
	}
	delim, open := token.(json.Delim)
	if !open {
		return false
	}
	seen, twice := make(map[string]bool), false
	for d.More() {
		if delim == '{' {
			name, _ := d.Token()
			twice = twice || seen[name.(string)]
			seen[name.(string)] = true
		}
		twice = twiceIn(d) || twice
	}
	d.Token()
	return twice
}

// unread reports whether encoding/json takes something in a valid JSON text that has no U+FFFD
// for that character.
func unread(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	d.Decode(&value)
	again, _ := json.Marshal(value)
	return bytes.ContainsRune(again, utf8.RuneError)
}

// FuzzPlainBody compares the walk through a body with what encoding/json reads.
func FuzzPlainBody(f *testing.F) {
	for _, text := range []string{
		`{"a":1,"b":[{"a":2},{"a":3}],"c":{"a":{}}}`, `{"a":1,"\u0061":2}`, "[{\"a\":\"\\\\\" , \"b\":-1e5},\t{}]\n", `"\""`, `12`, ` null`, `{"a":[[],{"x":"}","x":"{"}]}`,
		`{"0":0,"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"a":0,"b":0,"c":0,"d":0,"e":0,"f":0,"g":0,"h":{"0":0},"3":0}`,
	} {
		f.Add([]byte(text))
	}
	for _, text := range []string{"[\"\xcd\"]", "{\"\xff\":1}", `{"\ud800":1}`, `["\uD83D\uDE00"]`, `["\uDE00\uD83D"]`, `["\\ud800"]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) || bytes.Contains(text, []byte("\ufffd")) || bytes.Contains(bytes.ToLower(text), []byte(`\ufffd`)) {
			return
		}
		if err := plainBody(text, nil, nil); (err != nil) != (unread(text) || twiceIn(json.NewDecoder(bytes.NewReader(text)))) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
