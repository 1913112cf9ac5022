package chem

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxRecord is the default of [SDFReader.MaxRecord].
const MaxRecord = 16 << 20

// SDFReader reads the molecules of an SDF file one at a time. It uses no more memory than the
// largest record needs.
type SDFReader struct {
	// MaxRecord is the greatest size of a record in bytes; 0 means [MaxRecord]. Longer ones
	// are errors.
	MaxRecord int

	in     *bufio.Reader
	parser molParser
	record []byte
	start  int // line of the record's first line
	lines  int // lines read
	err    error
}

// NewSDFReader returns a reader of r.
func NewSDFReader(r io.Reader) *SDFReader {
	return &SDFReader{in: bufio.NewReaderSize(r, 1<<16), start: 1}
}

// Next returns the next molecule, which is valid until the next call, or [io.EOF] after the
// last. A [*FormatError] concerns a single record; the next call continues with the one after
// it. Any other error is the underlying reader's, and final.
func (r *SDFReader) Next() (*Molecule, error) {
	if err := r.read(); err != nil {
		return nil, err
	}
	if err := r.parser.parse(r.record, r.start); err != nil {
		return nil, err
	}
	r.properties()
	return &r.parser.mol, nil
}

// Record returns the text of the record of the last call of [SDFReader.Next], without its
// last line. It is valid until the next call. If the record is too long, it is the beginning.
func (r *SDFReader) Record() []byte { return r.record }

// Line returns the number of the first line of that record.
func (r *SDFReader) Line() int { return r.start }

// read reads the text of a record.
func (r *SDFReader) read() error {
	if r.err != nil {
		return r.err
	}
	limit := r.MaxRecord
	if limit <= 0 {
		limit = MaxRecord
	}
	r.record = r.record[:0]
	r.start = r.lines + 1
	tooLong, whole := false, true // whole: the last piece ended a line
	for {
		piece, err := r.in.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && err != io.EOF {
			r.err = fmt.Errorf("reading SDF at line %d: %w", r.lines+1, err)
			return r.err
		}
		if whole && len(piece) > 0 {
			r.lines++
		}
		if whole && bytes.HasPrefix(piece, []byte("$$$$")) {
			break
		}
		if len(r.record)+len(piece) > limit {
			tooLong = true
		} else {
			r.record = append(r.record, piece...)
		}
		if err == io.EOF {
			r.err = io.EOF
			if len(bytes.TrimSpace(r.record)) == 0 && !tooLong {
				return io.EOF
			}
			break
		}
		whole = err == nil
	}
	if tooLong {
		return &FormatError{Line: r.start, Message: fmt.Sprintf("the record is longer than %d bytes", limit)}
	}
	return nil
}

// properties reads the data items that follow the MOL block.
func (r *SDFReader) properties() {
	m, lines := &r.parser.mol, &r.parser.lines
	for {
		line, ok := lines.next()
		if !ok {
			return
		}
		if len(line) == 0 || line[0] != '>' {
			continue
		}
		name := strings.TrimSpace(string(line[1:]))
		if i := strings.IndexByte(name, '<'); i >= 0 {
			if k := strings.IndexByte(name[i:], '>'); k >= 0 {
				name = name[i+1 : i+k]
			}
		}
		var value strings.Builder
		for {
			line, ok := lines.next()
			if !ok || len(bytes.TrimSpace(line)) == 0 {
				break
			}
			if value.Len() > 0 {
				value.WriteByte('\n')
			}
			value.Write(line)
		}
		m.Properties = append(m.Properties, Property{name, value.String()})
	}
}
