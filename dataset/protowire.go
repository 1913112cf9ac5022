package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// wire reads a message of protocol buffers field by field, without schema and without holding it: what is not wanted is
// skipped in the stream.
type wire struct {
	*input
	env  *env
	at   int64   // bytes so far
	read int64   // those that were not skipped
	ends []int64 // of the messages around the next field, which is none
}

// Limits of messages within each other, and of a text.
const (
	mostNested = 64
	mostBytes  = 64 << 10
)

func (w *wire) bad(format string, args ...any) error {
	return errAt(1, "byte %d: %w", w.at, fmt.Errorf(format, args...))
}

// end is where the innermost message ends.
func (w *wire) end() int64 {
	if len(w.ends) == 0 {
		return math.MaxInt64
	}
	return w.ends[len(w.ends)-1]
}

// peek returns the next bytes of the innermost message, up to as many as a number may have.
func (w *wire) peek() ([]byte, error) {
	head, err := w.input.peek(int(min(10, w.end()-w.at)))
	if err == nil && len(head) == 0 {
		err = w.bad("the message is cut short")
	}
	return head, err
}

// advance passes bytes that were read.
func (w *wire) advance(n int) error {
	if _, err := w.r.Discard(n); err != nil {
		return err
	}
	w.at, w.read = w.at+int64(n), w.read+int64(n)
	if most := w.env.opt.maxRecord(); w.read > int64(most) {
		return errAt(1, "%w", tooLarge(most))
	}
	return nil
}

// field returns the number and the type of the next field, or io.EOF at the end of the message.
func (w *wire) field() (protowire.Number, protowire.Type, error) {
	if w.at == w.end() {
		return 0, 0, io.EOF
	}
	head, err := w.input.peek(1)
	if err == nil && len(head) == 0 && len(w.ends) == 0 {
		return 0, 0, io.EOF
	}
	if head, err = w.peek(); err != nil {
		return 0, 0, err
	}
	number, kind, n := protowire.ConsumeTag(head)
	if n < 0 {
		return 0, 0, w.bad("found no field of a message: %w", protowire.ParseError(n))
	}
	return number, kind, w.advance(n)
}

func (w *wire) varint() (uint64, error) {
	head, err := w.peek()
	if err != nil {
		return 0, err
	}
	x, n := protowire.ConsumeVarint(head)
	if n < 0 {
		return 0, w.bad("found no number: %w", protowire.ParseError(n))
	}
	return x, w.advance(n)
}

// length reads that of a field of bytes, which ends within the message.
func (w *wire) length() (int64, error) {
	n, err := w.varint()
	if err == nil && n > uint64(w.end()-w.at) {
		err = w.bad("found a field of %d bytes, which is longer than what holds it", n)
	}
	return int64(n), err
}

// text reads a field of bytes.
func (w *wire) text() (string, error) {
	n, err := w.length()
	if err != nil {
		return "", err
	}
	if n > mostBytes {
		return "", w.bad("found a text of %d bytes, expected at most %d", n, mostBytes)
	}
	head, err := w.r.Peek(int(n))
	if err != nil {
		return "", w.bad("the text is cut short")
	}
	text := string(w.utf8(head, w.env))
	return text, w.advance(int(n))
}

// float reads a number of four bytes.
func (w *wire) float() (float32, error) {
	head, err := w.peek()
	if err != nil {
		return 0, err
	}
	x, n := protowire.ConsumeFixed32(head)
	if n < 0 {
		return 0, w.bad("found no number: %w", protowire.ParseError(n))
	}
	return math.Float32frombits(x), w.advance(n)
}

// message reads a message within the one that is open: each its fields with f, which may leave a field to be skipped by
// returning errSkip.
func (w *wire) message(f func(number protowire.Number, kind protowire.Type) error) error {
	n, err := w.length()
	if err != nil {
		return err
	}
	if len(w.ends) == mostNested {
		return w.bad("found messages %d deep, expected at most %d", mostNested+1, mostNested)
	}
	w.ends = append(w.ends, w.at+n)
	err = w.fields(f)
	w.ends = w.ends[:len(w.ends)-1]
	return err
}

// errSkip says that a field is of no interest.
var errSkip = errors.New("skip")

func (w *wire) fields(f func(number protowire.Number, kind protowire.Type) error) error {
	for {
		number, kind, err := w.field()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(number, kind)
		}
		if err == errSkip {
			err = w.skip(kind)
		}
		if err != nil {
			return err
		}
	}
}

// skip passes the value of a field.
func (w *wire) skip(kind protowire.Type) error {
	n := int64(0)
	switch kind {
	case protowire.VarintType:
		_, err := w.varint()
		return err
	case protowire.Fixed32Type:
		n = 4
	case protowire.Fixed64Type:
		n = 8
	case protowire.BytesType:
		var err error
		if n, err = w.length(); err != nil {
			return err
		}
	default:
		return w.bad("found a field of type %d, which messages of today do not have", kind)
	}
	if n > w.end()-w.at {
		return w.bad("the message is cut short")
	}
	const step = 1 << 20
	for n > 0 {
		k, err := w.r.Discard(int(min(n, step)))
		w.at, n = w.at+int64(k), n-int64(k)
		if err == io.EOF {
			return w.bad("the message is cut short")
		}
		if err = cmp.Or(err, w.env.ctxErr()); err != nil {
			return err
		}
	}
	return nil
}

// numbers appends the numbers of a field that repeats, packed or one by one.
func (w *wire) numbers(kind protowire.Type, one func() error) error {
	if kind != protowire.BytesType {
		return one()
	}
	n, err := w.length()
	if err != nil {
		return err
	}
	w.ends = append(w.ends, w.at+n)
	for err == nil && w.at < w.end() {
		err = one()
	}
	w.ends = w.ends[:len(w.ends)-1]
	return err
}
