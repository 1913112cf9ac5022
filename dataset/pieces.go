package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	// firstBuffer is the usual size of the buffer: a read gets thousands of small records.
	firstBuffer = 256 << 10
	// leastBuffer is the initial size of the buffer, because a service reads texts of single
	// molecules.
	leastBuffer = 1 << 10
)

// A splitter finds the end of the first record in data: it returns its number of bytes,
// separators included, or -1 if the end is not in data. If a format's splitter works from
// anywhere inside a record, an oversized record can be skipped.
type splitter func(data []byte) int

// pieces cuts a stream into records without copying them. It bounds the memory of a
// Reader.
type pieces struct {
	env   *env
	r     io.Reader
	split splitter
	limit int // bytes of one record
	// resync says that split also works from inside a record.
	resync bool
	// lines says that a record is lines of text, which a lone CR does not end.
	lines bool

	buf        []byte
	start, end int
	line       int // line of buf[start], from 1
	err        error
	skipping   bool
	done       bool
}

func newPieces(r io.Reader, e *env, resync bool, split splitter) *pieces {
	return &pieces{env: e, r: r, split: split, limit: e.opt.maxRecord(), resync: resync, line: 1}
}

// newLines returns pieces of a format in which a record is one or more lines.
func newLines(r io.Reader, e *env, split splitter) *pieces {
	p := newPieces(r, e, true, split)
	p.lines = true
	return p
}

// next returns the text of the next record and the line at which it starts. The text is valid
// until the next call. Besides io.EOF and errors of the stream, it returns a *lineError for a
// record over the limit or, with its text, for one with a lone CR, and then continues with the
// next record if it can be found.
func (p *pieces) next() (text []byte, line int, err error) {
	if p.done {
		return nil, p.line, io.EOF
	}
	tried := 0 // bytes that split has searched without success
	for {
		data := p.buf[p.start:p.end]
		n := -1
		// Searching again only after the data has grown considerably keeps the work linear in
		// the length of the record.
		if len(data) > 0 && (p.err != nil || len(data) < firstBuffer || len(data) >= tried+tried/8) {
			n = p.split(data)
			tried = len(data)
			if n < 0 && p.err == io.EOF {
				n = len(data)
			}
		}
		switch {
		case n > 0 && p.skipping:
			p.skipping = false
			p.take(n)
			tried = 0
			continue
		case n > p.limit:
			err := p.oversized()
			p.take(n)
			return nil, 0, err
		case n > 0:
			line = p.line
			text = p.take(n)
			if p.lines {
				err = loneCR(text, line)
			}
			return text, line, err
		case p.err != nil:
			p.done = true
			return nil, p.line, p.err
		case p.skipping:
			// Drop what cannot belong to the next boundary.
			const longestBoundary = 16
			p.take(max(0, len(data)-longestBoundary))
			tried = 0
		case len(data) > p.limit:
			p.skipping, p.done = p.resync, !p.resync
			return nil, 0, p.oversized()
		}
		p.fill()
	}
}

// take consumes n bytes.
func (p *pieces) take(n int) []byte {
	text := p.buf[p.start : p.start+n]
	p.start += n
	p.line += bytes.Count(text, []byte{'\n'})
	return text
}

// tooLarge is the error for a record of more than limit bytes.
func tooLarge(limit int) error {
	return advise(fmt.Errorf("%w: more than %d bytes", ErrRecordTooLarge, limit), "%v raises the limit",
		Setting{Option: "max_record"})
}

func (p *pieces) oversized() error {
	return errAt(p.line, "%w", tooLarge(p.limit))
}

// fill appends more of the stream to the buffer.
func (p *pieces) fill() {
	if p.err = p.env.ctxErr(); p.err != nil {
		return
	}
	if p.end == len(p.buf) {
		held := p.end - p.start
		buf := p.buf
		if held > len(p.buf)/2 || len(p.buf) < firstBuffer {
			least := min(max(2*len(p.buf), leastBuffer), firstBuffer)
			buf = make([]byte, min(max(2*held, least), p.limit+firstBuffer))
		}
		copy(buf, p.buf[p.start:p.end])
		p.buf, p.start, p.end = buf, 0, held
	}
	const patience = 100 // empty reads, as in bufio
	for range patience {
		n, err := p.r.Read(p.buf[p.end:])
		p.end += n
		if err != nil {
			p.err = err
			return
		}
		if n > 0 {
			return
		}
	}
	p.err = fmt.Errorf("dataset: %w", io.ErrNoProgress)
}

// errLoneCR means that lines are not told apart.
var errLoneCR = errors.New(`lines end in CR alone, as in an old Macintosh file: convert them to LF, for example with tr '\r' '\n'`)

// loneCR returns a *lineError if a line of a text has a CR inside, unless that is within
// quotation marks: such lines are several ones, of which all but the first would be lost.
func loneCR(text []byte, line int) error {
	if bytes.IndexByte(text, '\r') < 0 {
		return nil
	}
	for row := range bytes.Lines(text) {
		quoted := false
		for _, c := range bytes.TrimSpace(row) {
			switch {
			case c == '"':
				quoted = !quoted
			case c == '\r' && !quoted:
				return errAt(line, "%w", errLoneCR)
			}
		}
		line++
	}
	return nil
}

// splitLines ends a record at every newline.
func splitLines(data []byte) int {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1
	}
	return -1
}
