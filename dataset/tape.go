package dataset

import (
	"bufio"
	"fmt"
	"io"
)

// tape passes a stream on byte by byte and keeps what it passed since the last
// mark, up to a limit. It bounds what the decoder above it can hold.
type tape struct {
	r     *bufio.Reader
	kept  []byte
	limit int
}

// ReadByte makes package xml read no further than it must.
func (t *tape) ReadByte() (byte, error) {
	if len(t.kept) >= t.limit {
		return 0, fmt.Errorf("%w: more than %d bytes (--max-record raises the limit)", ErrRecordTooLarge, t.limit)
	}
	b, err := t.r.ReadByte()
	if err == nil {
		t.kept = append(t.kept, b)
	}
	return b, err
}

// Read is there to make tape an io.Reader; package xml calls ReadByte.
func (t *tape) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := t.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}

// mark forgets what was kept.
func (t *tape) mark() { t.kept = t.kept[:0] }

var _ io.ByteReader = (*tape)(nil)
