package dataset

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// xmlSource holds the part of an XML stream from its last mark on, up to a limit, which
// bounds the memory of its reader.
type xmlSource struct {
	env   *env
	r     io.Reader
	buf   []byte
	start int // the last mark; what came before is forgotten
	i     int // what is read next
	limit int
	err   error // of the stream, io.EOF included
	// latin1 says that the bytes of the stream are characters.
	latin1 bool
	// counted is how far lines are counted.
	counted, lines int
}

func newXMLSource(r io.Reader, e *env) *xmlSource {
	return &xmlSource{env: e, r: r, limit: e.opt.maxRecord(), lines: 1}
}

// mark forgets what was read.
func (t *xmlSource) mark() { t.start = t.i }

// kept returns what was read since the mark.
func (t *xmlSource) kept() []byte { return t.buf[t.start:t.i] }

// held returns all that is held since the mark, whether it was read or not.
func (t *xmlSource) held() []byte { return t.buf[t.start:] }

// line returns the line that was reached.
func (t *xmlSource) line() int {
	t.lines += bytes.Count(t.buf[t.counted:t.i], []byte{'\n'})
	t.counted = t.i
	return t.lines
}

// more reads more of the stream. It reports whether there was any; if not, t.err says
// why.
func (t *xmlSource) more() bool {
	if t.err != nil {
		return false
	}
	if t.err = t.env.ctxErr(); t.err != nil {
		return false
	}
	if len(t.buf)-t.start > t.limit {
		t.err = t.oversized()
		return false
	}
	if t.start > 0 && len(t.buf) > cap(t.buf)/2 {
		t.line()
		n := copy(t.buf, t.buf[t.start:])
		t.buf = t.buf[:n]
		t.i -= t.start
		t.counted -= t.start
		t.start = 0
	}
	if t.buf == nil || len(t.buf) > cap(t.buf)/2 {
		buf := make([]byte, len(t.buf), max(2*cap(t.buf), xmlBuffer))
		copy(buf, t.buf)
		t.buf = buf
	}
	const patience = 100 // empty reads, as in bufio
	held := len(t.buf)
	free := t.buf[held:cap(t.buf)]
	if t.latin1 {
		free = free[:len(free)/2] // a character takes up to two bytes of UTF-8
	}
	for range patience {
		n, err := t.r.Read(free)
		t.buf = t.buf[:held+n]
		t.err = err
		if n > 0 {
			if t.latin1 {
				t.decode(held)
			}
			return true
		}
		if err != nil {
			return false
		}
	}
	t.err = fmt.Errorf("dataset: %w", io.ErrNoProgress)
	return false
}

func (t *xmlSource) oversized() error {
	return errAt(t.line(), "%w", tooLarge(t.limit))
}

// xmlBuffer is the size of the first buffer.
const xmlBuffer = 64 << 10

// decode converts what is held, from an offset on, from ISO 8859-1 to UTF-8.
func (t *xmlSource) decode(from int) {
	plain := true
	for _, b := range t.buf[from:] {
		plain = plain && b < 0x80
	}
	if plain {
		return
	}
	text := make([]byte, 0, 2*(len(t.buf)-from))
	for _, b := range t.buf[from:] {
		text = append(text, string(rune(b))...)
	}
	t.buf = append(t.buf[:from], text...)
}

// encoding takes the name of the encoding that a declaration gives: the two that
// are common besides UTF-8 are decoded.
func (t *xmlSource) encoding(name string) error {
	switch strings.ToLower(name) {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		return nil
	case "iso-8859-1", "latin1":
		if !t.latin1 {
			t.latin1 = true
			t.decode(t.i)
		}
		return nil
	}
	return errAt(t.line(), "XML: the encoding %s is not known: convert the file to UTF-8", quoted(name))
}

// has reports whether n bytes are held from t.i on, and reads them if needed.
func (t *xmlSource) has(n int) bool {
	for len(t.buf)-t.i < n {
		if !t.more() {
			return false
		}
	}
	return true
}

// find returns the offset, counted from t.i, of the first occurrence of a text at or
// after t.i + from, or -1.
func (t *xmlSource) find(text string, from int) int {
	for {
		if at := bytes.Index(t.buf[min(t.i+from, len(t.buf)):], []byte(text)); at >= 0 {
			return from + at
		}
		from = max(from, len(t.buf)-t.i-len(text)+1)
		if !t.more() {
			return -1
		}
	}
}

// at returns the byte n after t.i, which has or find has made available.
func (t *xmlSource) at(n int) byte { return t.buf[t.i+n] }
