package varint

import (
	"encoding/binary"
	"errors"
	"testing"
)

// TestReader: what is written comes back, whatever is missing at the end is an error, and
// after an error all is zero.
func TestReader(t *testing.T) {
	whole := AppendText(binary.AppendUvarint([]byte{7}, 300), "two words")
	whole = AppendText(whole, "skipped")
	read := func(b []byte) (*Reader, byte, int, string) {
		r := &Reader{Rest: b}
		x, n, s := r.Byte(), r.Number(300), r.Text()
		r.Skip()
		return r, x, n, s
	}
	if r, x, n, s := read(whole); r.Err != nil || x != 7 || n != 300 || s != "two words" || len(r.Rest) > 0 {
		t.Errorf("%d, %d, %q, %v", x, n, s, r)
	}
	for end := range whole {
		if r, _, _, _ := read(whole[:end]); !errors.Is(r.Err, ErrShort) || r.Number(9) != 0 || r.Text() != "" {
			t.Errorf("%d of %d bytes: %v", end, len(whole), r.Err)
		}
	}
	if r := (&Reader{Rest: whole[1:]}); r.Number(299) != 0 || r.Err == nil {
		t.Error("a number beyond its limit is read")
	}
}
