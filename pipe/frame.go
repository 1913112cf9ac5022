package pipe

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Protocol is the version of the frames and requests. The two sides must agree.
const Protocol = 6

// Kinds of frames.
const (
	kindRequest uint32 = iota
	kindCancel
	kindAnswer
	kindProgress
	kindLog
)

const headBytes = 24

// maxFrame bounds the text and the arrays of one frame, so that a stream that is
// no stream of frames ends in an error and not in all the memory.
const maxFrame = 16 << 30

type frame struct {
	id, kind uint32
	text     []byte
	data     []byte
}

// errFrame is wrapped by errors about streams that are not of this protocol.
var errFrame = errors.New("broken frame")

// readFrame returns the next frame, or io.EOF at the end.
func readFrame(r *bufio.Reader) (frame, error) {
	var head [headBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%w: the stream ends in a head", errFrame)
		}
		return frame{}, err
	}
	f := frame{id: binary.LittleEndian.Uint32(head[0:]), kind: binary.LittleEndian.Uint32(head[4:])}
	text, data := binary.LittleEndian.Uint64(head[8:]), binary.LittleEndian.Uint64(head[16:])
	if f.kind > kindCancel || text > maxFrame || data > maxFrame {
		return frame{}, fmt.Errorf("%w: kind %d, %d and %d bytes", errFrame, f.kind, text, data)
	}
	var err error
	if f.text, err = readBytes(r, text); err == nil {
		f.data, err = readBytes(r, data)
	}
	return f, err
}

// readAtOnce is how much memory is taken before any of it has been read.
const readAtOnce = 16 << 20

func readBytes(r io.Reader, n uint64) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	buf := make([]byte, 0, min(n, readAtOnce))
	for uint64(len(buf)) < n {
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, min(n, 2*uint64(cap(buf)))), buf...)
		}
		part := buf[len(buf):min(uint64(cap(buf)), n)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, fmt.Errorf("%w: the stream ends in a frame", errFrame)
		}
		buf = buf[:len(buf)+len(part)]
	}
	return buf, nil
}

// frameWriter writes frames of several goroutines, each in one piece.
type frameWriter struct {
	mu  sync.Mutex
	w   io.Writer
	buf []byte
}

func (w *frameWriter) write(f frame) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := binary.LittleEndian.AppendUint32(w.buf[:0], f.id)
	b = binary.LittleEndian.AppendUint32(b, f.kind)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(f.text)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(f.data)))
	b = append(b, f.text...)
	if len(f.data) < smallData {
		b = append(b, f.data...)
	}
	w.buf = b
	if cap(w.buf) > 2*smallData {
		w.buf = nil
	}
	if _, err := w.w.Write(b); err != nil {
		return err
	}
	if len(f.data) < smallData {
		return nil
	}
	_, err := w.w.Write(f.data)
	return err
}

// smallData is what is copied to save a system call.
const smallData = 1 << 16
