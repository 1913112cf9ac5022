package dataset

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/greedgraph/greed/internal/atomicfile"
)

// Writer writes records in one format. Close it to complete the output; it does not close the
// stream.
type Writer struct {
	buf     *bufio.Writer
	enc     encoder
	format  format
	dropped int // records whose attributes were
	err     error
}

// NewWriter returns a writer of the named format, one of [Formats] with Writes set. It may be named by the extension
// of its files, too.
func NewWriter(w io.Writer, format string) (*Writer, error) {
	f, err := findFormat(format)
	if err != nil && elsewhere(format) == "" {
		err = fmt.Errorf("%w %q: those that can be written are %s", ErrUnknownFormat, format, writable())
	}
	if err != nil {
		return nil, err
	}
	if format == "csv" {
		return nil, fmt.Errorf("%w %q: SMILES are written without commas, as %s", ErrUnknownFormat, format, f.name)
	}
	if f.write == nil {
		return nil, fmt.Errorf("%w: %s can be read but not written; formats that can be written: %s", ErrUnknownFormat,
			format, writable())
	}
	buf := bufio.NewWriter(w)
	return &Writer{buf: buf, enc: f.write(buf), format: f}, nil
}

func writable() string {
	return formatNames(slices.DeleteFunc(formats(), func(f format) bool { return f.write == nil }))
}

// UnwritableRecord is the error of a record that a format cannot hold. After [Writer.Write]
// returns it, writing can continue.
type UnwritableRecord struct {
	// ID is the record's id.
	ID string
	// Err is the reason.
	Err error
}

// Error returns "graph X: reason".
func (u *UnwritableRecord) Error() string {
	id := shorten(u.ID)
	if !utf8.ValidString(u.ID) {
		id = quoted(u.ID)
	}
	return fmt.Sprintf("graph %s: %v", id, u.Err)
}

// Unwrap returns the reason.
func (u *UnwritableRecord) Unwrap() error { return u.Err }

// Write writes a record. If the format cannot hold it, the error is an [*UnwritableRecord]
// and nothing is written; any other error is final. Formats without a place for
// Record.Attributes and Record.NodeIDs drop them; see docs/inputs.md.
func (w *Writer) Write(rec Record) error {
	if w.err != nil {
		return w.err
	}
	err := w.enc.encode(rec)
	if _, failed := w.buf.Write(nil); failed != nil {
		w.err = failed // of the stream beneath
		return w.err
	}
	if err != nil {
		return &UnwritableRecord{rec.ID, err}
	}
	if w.format.bare && len(rec.Attributes) > 0 {
		w.dropped++
	}
	return nil
}

// Notes returns, in a sentence each, what the written records lost, or what had to be added,
// because of the format.
func (w *Writer) Notes() []Note {
	var list []Note
	if r, ok := w.enc.(interface{ remarks() []Note }); ok {
		list = r.remarks()
	}
	if w.dropped > 0 {
		list = append(list, Remark("attributes of %s were dropped: %s cannot hold them", plural(w.dropped, "graph"),
			w.format.name))
	}
	return list
}

// Close finishes and flushes the output.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	if w.err = w.enc.finish(); w.err == nil {
		w.err = w.buf.Flush()
	}
	if w.err != nil {
		return w.err
	}
	w.err = fmt.Errorf("dataset: write after Close")
	return nil
}

// Create writes the records that fill passes on to a file, atomically: on an error, an
// existing file stays as it was. If format is empty, the file's extension determines it; a
// further .gz or .zst compresses.
func Create(path, format string, fill func(*Writer) error) error {
	if format == "" {
		var err error
		if format, err = formatOf(path); err != nil {
			return err
		}
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		z, err := compressor(path, w)
		if err != nil {
			return err
		}
		if err := WriteTo(z, format, fill); err != nil {
			return err
		}
		return z.Close()
	})
}

// WriteTo writes the records that fill passes on to w.
func WriteTo(w io.Writer, format string, fill func(*Writer) error) error {
	out, err := NewWriter(w, format)
	if err != nil {
		return err
	}
	if err := fill(out); err != nil {
		return err
	}
	return out.Close()
}

// formatOf returns the format for a file by its extension. Tables with commas are read as SMILES,
// but SMILES are written without commas and without a header.
func formatOf(path string) (string, error) {
	ext := extension(path)
	for _, f := range formats() {
		if f.write != nil && ext != "csv" && slices.Contains(f.extensions, ext) {
			return f.name, nil
		}
	}
	return "", fmt.Errorf("%s: %w: no format is written to files ending in %s; name one of %s",
		path, ErrUnknownFormat, quoted("."+ext), writable())
}

// compressor returns a compressor by a file's extension.
func compressor(path string, w io.Writer) (io.WriteCloser, error) {
	switch name := strings.ToLower(path); {
	case strings.HasSuffix(name, ".gz"):
		return gzip.NewWriter(w), nil
	case strings.HasSuffix(name, ".zst"), strings.HasSuffix(name, ".zstd"):
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return plain{w}, nil
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }
