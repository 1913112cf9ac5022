package dataset

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// kind is the type of the value of an attribute.
type kind int8

const (
	textKind kind = iota
	booleanKind
	integerKind
	realKind
	// otherKind is for lists and objects, which cannot be labels.
	otherKind
	// unsetKind takes an attribute back.
	unsetKind
	kinds
)

// guessKind infers the type of a value in a format without types. It checks the text before
// it calls strconv, whose errors cost more than most values.
func guessKind(value string) kind {
	rest := strings.TrimLeft(value, "+-")
	if len(value)-len(rest) > 1 {
		return textKind
	}
	whole := digits(rest)
	rest = rest[whole:]
	if rest == "" && whole > 0 {
		if _, err := strconv.ParseInt(value, 10, 64); err == nil {
			return integerKind
		}
		return realKind
	}
	if rest != "" && rest[0] == '.' {
		n := digits(rest[1:])
		whole += n
		rest = rest[1+n:]
	}
	if whole == 0 {
		return textKind
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		rest = rest[1:]
		if rest != "" && (rest[0] == '+' || rest[0] == '-') {
			rest = rest[1:]
		}
		n := digits(rest)
		if n == 0 {
			return textKind
		}
		rest = rest[n:]
	}
	if rest != "" {
		return textKind
	}
	if x, err := strconv.ParseFloat(value, 64); err != nil || math.IsInf(x, 0) {
		return textKind
	}
	return realKind
}

// digits returns the number of digits at the start of s.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// attrs holds the attributes of all nodes, or of all edges, of a graph. The attributes of an
// element are a chain of entries, from the last to the first; of entries with the same name
// the last counts. Chains may share tails. Defaults are such shared tails, so they use memory
// once and not for every element.
type attrs struct {
	names   names
	entries []attr // entries[0] is the end of all chains
	text    []byte // the values, one behind the other
	// drawn reports whether an attribute only affects drawing; nil means that none does.
	drawn func(name string) bool
	// usual says that elements have attributes only where they are unusual.
	usual bool
}

// attr is an entry. Its value ends where the next entry's starts.
type attr struct {
	before uint32 // the entry before it in its chain
	start  uint32
	what   uint32 // number of the name times kinds, plus the kind
}

// noAttrs is the empty chain.
const noAttrs = uint32(0)

func (a *attrs) reset() {
	a.names.reset()
	a.entries = a.entries[:0]
	a.text = a.text[:0]
}

// add returns chain with one more entry.
func (a *attrs) add(chain uint32, name, value string, k kind) uint32 {
	if len(a.entries) == 0 {
		a.entries = add(a.entries, attr{})
	}
	number, _ := a.names.get(name)
	a.entries = add(a.entries, attr{chain, uint32(len(a.text)), number*uint32(kinds) + uint32(k)})
	a.text = appendTo(a.text, value)
	return uint32(len(a.entries) - 1)
}

// plain returns a chain of one entry, in a format that has one attribute and no name for it.
func (a *attrs) plain(value []byte) uint32 {
	if len(a.entries) == 0 {
		a.entries = add(a.entries, attr{})
	}
	a.entries = add(a.entries, attr{start: uint32(len(a.text))})
	a.text = appendTo(a.text, value)
	return uint32(len(a.entries) - 1)
}

// value returns the value of an entry, which belongs to a.
func (a *attrs) value(entry uint32) []byte {
	end := uint32(len(a.text))
	if int(entry)+1 < len(a.entries) {
		end = a.entries[entry+1].start
	}
	return a.text[a.entries[entry].start:end]
}

func (a *attrs) kind(entry uint32) kind { return kind(a.entries[entry].what % uint32(kinds)) }

func (a *attrs) name(entry uint32) uint32 { return a.entries[entry].what / uint32(kinds) }

// latest holds the last entry of a name in every chain, or noAttrs. It is nil if no entry has
// the name.
type latest []uint32

func (l latest) of(chain uint32) uint32 {
	if l == nil {
		return noAttrs
	}
	return l[chain]
}

// last finds the last entry with the given name in every chain, in one pass over all entries.
func (a *attrs) last(name string) latest {
	number, ok := a.names.find(name)
	if !ok {
		return nil
	}
	at := make(latest, len(a.entries))
	for i := 1; i < len(a.entries); i++ {
		at[i] = at[a.entries[i].before]
		if a.name(uint32(i)) == number {
			at[i] = uint32(i)
			if a.kind(at[i]) == unsetKind {
				at[i] = noAttrs
			}
		}
	}
	return at
}

// chainNames returns the names in a chain, from first to last.
func (a *attrs) chainNames(chain uint32) []string {
	const most = 1000
	var list []string
	for n := 0; chain != noAttrs && n < most; n++ {
		list = append(list, shorten(string(a.names.at(a.name(chain)))))
		chain = a.entries[chain].before
	}
	slices.Reverse(list)
	return list
}

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

// Attributes are [Record.Attributes] that are read from JSON by [UnmarshalAttributes].
type Attributes map[string]any

// UnmarshalJSON implements [json.Unmarshaler].
func (a *Attributes) UnmarshalJSON(text []byte) error {
	return UnmarshalAttributes(text, (*map[string]any)(a))
}

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
