package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// sniffed is the number of bytes of a file that its format is detected from.
const sniffed = 64 << 10

// maxWindow is the largest zstd window accepted; it is that of the zstd program.
const maxWindow = 128 << 20

// The first bytes of gzip and zstd streams and of texts with a byte order mark.
var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
	utf8Mark  = []byte{0xef, 0xbb, 0xbf}
	utf16Mark = [][]byte{{0xfe, 0xff}, {0xff, 0xfe}}
)

// packings are the first bytes of other files that hold files. ZIP does not compress what is
// small, so that its text could be taken for graphs.
var packings = []struct {
	at          int
	magic, name string
}{
	{0, "PK\x03\x04", "a ZIP archive"}, {4, "1AY&SY", "compressed with bzip2"},
	{0, "\xfd7zXZ\x00", "compressed with xz"}, {0, "7z\xbc\xaf\x27\x1c", "a 7z archive"},
}

// input is a stream of uncompressed text.
type input struct {
	name string // for error messages
	path string // empty unless the stream is a file
	r    *bufio.Reader
	head []byte // the first bytes, at most sniffed; valid until r is read
	// closers are closed in reverse order.
	closers []func() error
}

func openFile(path string) (*input, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in, err := newInput(f, path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	in.path = path
	in.closers = append([]func() error{f.Close}, in.closers...)
	return in, nil
}

// openListed opens a file that another file or a folder names. Unlike a file that the user
// names, it must be a regular file, because a pipe waits for a writer and a device may never
// end.
func openListed(path string) (*input, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: it is a pipe or a device, expected a file", path)
	}
	return openFile(path)
}

// newInput decompresses the stream, if its first bytes are those of a compressed one, and
// drops a byte order mark.
func newInput(r io.Reader, name string) (*input, error) {
	size := sniffed
	if text, ok := r.(interface{ Len() int }); ok {
		size = min(size, text.Len()+1) // one more, to notice the end
	}
	packed := &counter{r: r}
	in := &input{name: name, r: bufio.NewReaderSize(packed, size)}
	magic, err := in.peek(10)
	if err != nil {
		return nil, err
	}
	for _, p := range packings {
		if len(magic) > p.at && bytes.HasPrefix(magic[p.at:], []byte(p.magic)) {
			return nil, fmt.Errorf("%s: the file is %s: unpack it (gzip and zstd are read as they are)", name, p.name)
		}
	}
	if bytes.HasPrefix(magic, []byte("PAR1")) {
		return nil, fmt.Errorf("%s: the file is a Parquet table: write its SMILES and ids as CSV", name)
	}
	switch {
	case bytes.HasPrefix(magic, gzipMagic):
		z, err := gzip.NewReader(in.r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, prefixed("gzip", err))
		}
		// its error is the one that reading met
		in.closers = append(in.closers, func() error { _ = z.Close(); return nil })
		in.r = bufio.NewReaderSize(&unpacker{r: z, packed: packed, name: name, how: "gzip"}, sniffed)
	case bytes.HasPrefix(magic, zstdMagic):
		z, err := zstd.NewReader(in.r, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("%s: zstd: %w", name, err)
		}
		in.closers = append(in.closers, func() error { z.Close(); return nil })
		in.r = bufio.NewReaderSize(&unpacker{r: z, packed: packed, name: name, how: "zstd"}, sniffed)
	}
	in.head, err = in.peek(sniffed)
	if err != nil {
		return nil, errors.Join(err, in.close())
	}
	for _, mark := range utf16Mark {
		if bytes.HasPrefix(in.head, mark) {
			return nil, errors.Join(fmt.Errorf("%s: the text is UTF-16: convert it to UTF-8", name), in.close())
		}
	}
	if bytes.HasPrefix(in.head, utf8Mark) {
		if _, err := in.r.Discard(len(utf8Mark)); err != nil {
			return nil, err
		}
		in.head = in.head[len(utf8Mark):]
	}
	return in, nil
}

// peek returns the next n bytes, or fewer at the end.
func (in *input) peek(n int) ([]byte, error) {
	head, err := in.r.Peek(min(n, in.r.Size()))
	if err != nil && err != io.EOF {
		if len(in.closers) == 0 { // else the unpacker names the file
			err = fmt.Errorf("%s: %w", in.name, err)
		}
		return nil, err
	}
	return head, nil
}

func (in *input) close() error {
	var errs []error
	for i := len(in.closers) - 1; i >= 0; i-- {
		errs = append(errs, in.closers[i]())
	}
	in.closers = nil
	return errors.Join(errs...)
}

// A file that unpacks to more than maxUnpacked bytes and to more than maxRatio times its size
// is rejected as a decompression bomb. Graphs typically compress to a tenth, very regular
// ones to a hundredth.
const (
	maxUnpacked = 64 << 20
	maxRatio    = 200
)

// counter counts the bytes read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	k, err := c.r.Read(p)
	c.n += int64(k)
	return k, err
}

// prefixed names the packing in its error, once.
func prefixed(how string, err error) error {
	if strings.HasPrefix(err.Error(), how+": ") {
		return err
	}
	return fmt.Errorf("%s: %w", how, err)
}

// unpacker adds the name of the file to the errors of a decompressor, and stops when the text
// is out of proportion to its compressed size.
type unpacker struct {
	r         io.Reader
	packed    *counter
	unpacked  int64
	name, how string
}

func (u *unpacker) Read(p []byte) (int, error) {
	k, err := u.r.Read(p)
	u.unpacked += int64(k)
	if u.unpacked > maxUnpacked && u.unpacked > maxRatio*u.packed.n {
		return 0, fmt.Errorf("%s: %s: it unpacks to more than %d MiB and %d times its size, as files made to "+
			"exhaust memory do: if you trust it, unpack it first",
			u.name, u.how, maxUnpacked>>20, maxRatio)
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: %w", u.name, prefixed(u.how, err))
	}
	return k, err
}

// utf8 returns a text in UTF-8. Text that is not is Latin-1, as Graphviz and others assume.
func (in *input) utf8(text []byte, e *env) []byte {
	if utf8.Valid(text) {
		return text
	}
	e.notes.say("%s: the text is not UTF-8: it was read as Latin-1", in.name)
	out := make([]byte, 0, 2*len(text))
	for _, c := range text {
		out = utf8.AppendRune(out, rune(c))
	}
	return out
}

// OpenText opens a file of text, decompressed and without a byte order mark. Errors name it.
func OpenText(path string) (io.ReadCloser, error) {
	in, err := openFile(path)
	if err != nil {
		return nil, err
	}
	return text{in.r, in}, nil
}

// text reads an input.
type text struct {
	io.Reader
	in *input
}

func (t text) Close() error { return t.in.close() }
