// Package journal records the finished units of long work in an append-only file, so that
// the work can be resumed after a kill.
//
// A journal is a header and frames:
//
//	header   7 bytes   magic: what work
//	         1 byte    version of its records
//	         rest      fingerprint of the job
//	frame    4 bytes   length of the records, little endian
//	         4 bytes   CRC-32C of the records
//	         records   one or more
//
// A killed process may leave a truncated frame at the end. Open cuts it off.
package journal

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/greedgraph/greed/internal/filelock"
)

// ErrUnusable is wrapped by the error for a journal that cannot be resumed.
var ErrUnusable = errors.New("unusable journal")

// ErrBusy is wrapped by the error for a journal that another process writes.
var ErrBusy = errors.New("the same work is already running")

// magicSize is the length of a magic in bytes, frameHeader that of what precedes the
// records of a frame.
const (
	magicSize   = 8
	frameHeader = 8
)

// Ending is what the name of a journal has behind that of the file that is made by it.
const Ending = ".journal"

// maker begins all magics.
const maker = "greed"

// Is reports whether there is a journal at path, of whatever work.
func Is(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, magicSize)
	_, err = io.ReadFull(f, head)
	// no text
	return err == nil && string(head[:len(maker)]) == maker && head[magicSize-1] > 0 && head[magicSize-1] < ' '
}

// Journal is a journal that is open for appending. It may be used concurrently.
type Journal struct {
	mu   sync.Mutex
	file *os.File
	head int64 // where the frames begin
}

// Open opens the journal at path, or makes it, and locks it. magic has 8 bytes, of which
// the last is the version. Open
// passes the records of each complete frame to replay, whose error says that they make
// no sense. An error about the content wraps [ErrUnusable], one about a journal that is
// in use [ErrBusy].
func Open(path, magic string, fingerprint []byte, replay func(records []byte) error) (*Journal, error) {
	if len(magic) != magicSize || !strings.HasPrefix(magic, maker) {
		panic(fmt.Sprintf("journal: magic %q", magic))
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := resume(file, magic, fingerprint, replay); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Journal{file: file, head: int64(len(magic) + len(fingerprint))}, nil
}

// Replay passes the records of each frame written so far to replay, whose error it returns.
func (j *Journal) Replay(replay func(records []byte) error) error {
	j.mu.Lock()
	size, err := j.file.Seek(0, io.SeekCurrent)
	j.mu.Unlock()
	if err != nil {
		return err
	}
	valid, err := frames(j.file, j.head, size, replay)
	if err == nil && valid != size {
		err = fmt.Errorf("%w: %s was changed meanwhile", ErrUnusable, j.file.Name())
	}
	return err
}

// resume locks a journal, replays it and prepares it for appending.
func resume(file *os.File, magic string, fingerprint []byte, replay func(records []byte) error) error {
	unusable := func(why string) error {
		return fmt.Errorf("%w: %s %s; remove it to begin anew", ErrUnusable, file.Name(), why)
	}
	if filelock.Supported {
		// Hold reports false, too, if the other process has just finished and removed
		// the file.
		if held, err := filelock.Hold(file, file.Name()); err != nil {
			return err
		} else if !held {
			return fmt.Errorf("%w: another process writes %s", ErrBusy, file.Name())
		}
	}
	header := append([]byte(magic), fingerprint...)
	info, err := file.Stat()
	if err != nil {
		return err
	}
	data := make([]byte, len(header))
	n, err := io.ReadFull(file, data)
	if data = data[:n]; err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	begun := len(data) == len(header)
	switch {
	case begun && bytes.HasPrefix(data, header), !begun && bytes.HasPrefix(header, data):
	case bytes.HasPrefix(data, []byte(magic)):
		return unusable("belongs to other graphs, pairs, costs or limits")
	case len(data) >= magicSize && string(data[:magicSize-1]) == magic[:magicSize-1]:
		return unusable(fmt.Sprintf("is of version %d, this program knows version %d", data[magicSize-1],
			magic[magicSize-1]))
	default:
		return unusable("is not a journal, or is the journal of other work")
	}
	valid := int64(len(header))
	if begun {
		var senseless error
		valid, err = frames(file, valid, info.Size(), func(records []byte) error {
			senseless = replay(records)
			return senseless
		})
		switch {
		case senseless != nil:
			return unusable(senseless.Error())
		case err != nil:
			return err
		}
	} else if _, err := file.WriteAt(header, 0); err != nil {
		return err
	}
	if err := file.Truncate(valid); err != nil {
		return err
	}
	_, err = file.Seek(0, io.SeekEnd)
	return err
}

// frames passes the records of each complete frame between two offsets to replay and returns where
// the last of them ends.
func frames(file io.ReaderAt, from, to int64, replay func(records []byte) error) (valid int64, err error) {
	in := bufio.NewReaderSize(io.NewSectionReader(file, from, to-from), 2*frameBytes)
	var records []byte
	for valid = from; to-valid >= frameHeader; {
		var header [frameHeader]byte
		if _, err := io.ReadFull(in, header[:]); err != nil {
			return valid, err
		}
		length := int64(binary.LittleEndian.Uint32(header[:]))
		if length > to-valid-frameHeader {
			break
		}
		records = slices.Grow(records[:0], int(length))[:length]
		if _, err := io.ReadFull(in, records); err != nil {
			return valid, err
		}
		if checksum(records) != binary.LittleEndian.Uint32(header[4:]) {
			break
		}
		if err := replay(records); err != nil {
			return valid, err
		}
		valid += frameHeader + length
	}
	return valid, nil
}

func checksum(records []byte) uint32 {
	return crc32.Checksum(records, crc32.MakeTable(crc32.Castagnoli))
}

// Close closes the file. Frames must have been flushed.
func (j *Journal) Close() error { return j.file.Close() }

// frameBytes and frameAge are the size of a frame, and the age of its first record, from
// which on it is written. A kill loses no more than that.
const (
	frameBytes = 1 << 16
	frameAge   = time.Second
)

// Frame gathers records and appends them to a journal. It belongs to one goroutine.
type Frame struct {
	journal *Journal
	data    []byte // room for the header of the frame, then records
	since   time.Time
}

// NewFrame returns a frame of j without records.
func NewFrame(j *Journal) *Frame { return &Frame{journal: j} }

// Add adds the record that write appends to a slice. It writes the frame if that is
// large or old.
func (f *Frame) Add(write func([]byte) []byte) error {
	now := time.Now()
	if len(f.data) == 0 {
		f.data = append(f.data, make([]byte, frameHeader)...)
		f.since = now
	}
	f.data = write(f.data)
	if len(f.data) >= frameBytes || now.Sub(f.since) >= frameAge {
		return f.Flush()
	}
	return nil
}

// Flush writes the records that were not yet written. The frame can be used further.
func (f *Frame) Flush() error {
	if len(f.data) == 0 {
		return nil
	}
	records := f.data[frameHeader:]
	binary.LittleEndian.PutUint32(f.data, uint32(len(records)))
	binary.LittleEndian.PutUint32(f.data[4:], checksum(records))
	f.journal.mu.Lock()
	defer f.journal.mu.Unlock()
	_, err := f.journal.file.Write(f.data)
	f.data = f.data[:0]
	return err
}
