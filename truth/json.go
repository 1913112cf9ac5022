package truth

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// ReadJSON reads pairs as a list of lists, each of the ids of two graphs, their
// distance, and whatever follows, which is passed over: [[1, 2, 3.0], ...], as
// programs of the family of SimGNN keep them. An error names the file as name,
// and the pair, from 0.
func ReadJSON(r io.Reader, name string, queryIDs, targetIDs []string) (*Table, error) {
	t := new(Table)
	ids := newResolver(queryIDs, targetIDs)
	dec := json.NewDecoder(bufio.NewReader(r))
	if first, err := dec.Token(); err != nil || first != json.Delim('[') {
		return nil, fmt.Errorf("%s: expected a list of pairs [ID, ID, DISTANCE, ...]", name)
	}
	for dec.More() {
		var row []json.RawMessage
		err := dec.Decode(&row)
		if err == nil && len(row) < 3 {
			err = fmt.Errorf("%d members, want [ID, ID, DISTANCE, ...]", len(row))
		}
		var p Pair
		if err == nil {
			p, err = ids.pair(idText(row[0]), idText(row[1]))
		}
		if err == nil {
			p.Lower, err = bound(string(row[2]))
			p.Upper = p.Lower
		}
		if err != nil {
			return nil, fmt.Errorf("%s: pair %d: %w", name, len(t.Pairs), err)
		}
		t.Pairs = append(t.Pairs, p)
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("%s: pair %d: %w", name, len(t.Pairs), err)
	}
	return t, nil
}

// idText returns an id, a string or a number, as text.
func idText(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	return string(value)
}
